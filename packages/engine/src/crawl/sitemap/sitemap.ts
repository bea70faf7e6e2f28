import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { openYielder } from '../yielder.ts'

/** Contents of a sitemap; `problem` describes an error in English, or is null. */
export type Sitemap = {
  pages: string[]
  sitemaps: string[]
  problem: string | null
  /** The problem is its size. */
  isTooLarge?: boolean
  /** Bytes, unpacked. */
  unpackedBytes: number
}

/** Limits of the sitemap format: 50 MB, 50,000 URLs. */
export const maxSitemapBytes = 50 * 1024 * 1024
const maxSitemapUrls = 50_000
const maxUrlLength = 4000
const minUrlLength = 'http://a'.length

const createUnreadable = (problem: string, tooLarge = false, unpackedBytes = 0): Sitemap => ({
  pages: [],
  sitemaps: [],
  problem,
  isTooLarge: tooLarge,
  unpackedBytes,
})

const gunzipAsync = promisify(gunzip)

/** Decompresses gzip, which many sitemaps use without declaring it; null above the size limit. */
async function unpackGzip(bytes: Buffer): Promise<Buffer | null> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await gunzipAsync(bytes, { maxOutputLength: maxSitemapBytes })
  } catch {
    return null
  }
}

/** Parses line by line: a file of line breaks must not become millions of strings. */
async function parseLines(sitemapText: string, unpackedBytes: number): Promise<Sitemap> {
  const pages: string[] = []
  const yieldNow = openYielder()
  let lineCount = 0
  for (let lineStart = 0; lineStart < sitemapText.length && pages.length < maxSitemapUrls;) {
    const breakIndex = sitemapText.indexOf('\n', lineStart)
    const lineEnd = breakIndex < 0 ? sitemapText.length : breakIndex
    if (lineEnd - lineStart >= minUrlLength) {
      const lineText = sitemapText.slice(lineStart, Math.min(lineEnd, lineStart + 2 * maxUrlLength)).trim()
      if (/^https?:\/\//i.test(lineText) && lineText.length <= maxUrlLength) pages.push(lineText)
    }
    lineStart = lineEnd + 1
    lineCount += 1
    if (lineCount % 1000 === 0) await yieldNow()
  }
  return { pages, sitemaps: [], problem: null, unpackedBytes }
}

/** Parses XML up to the first error. Custom entities are never expanded. */
async function parseXml(sitemapText: string, unpackedBytes: number): Promise<Sitemap> {
  const parsedSitemap: Sitemap = { pages: [], sitemaps: [], problem: null, unpackedBytes }
  const parseErrors: string[] = []
  const addUrl = (url: string, targetList: string[]) => {
    const trimmedUrl = url.trim()
    // Content after an error is unreliable.
    if (parseErrors.length > 0 || trimmedUrl === '' || trimmedUrl.length > maxUrlLength) return
    if (parsedSitemap.pages.length + parsedSitemap.sitemaps.length < maxSitemapUrls) targetList.push(trimmedUrl)
    else parsedSitemap.problem = `More than ${maxSitemapUrls} URLs`
  }
  const xmlParser = new SaxesParser({ xmlns: false })
  let parentTag = ''
  let tagText = ''
  const toLocalName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase()
  xmlParser.on('opentag', ({ name, attributes }) => {
    const localName = toLocalName(name)
    if (localName === 'url' || localName === 'sitemap') parentTag = localName
    tagText = ''
    // Pages in other languages: <xhtml:link rel="alternate" hreflang="fr" href="…"/>
    if (localName === 'link' && attributes.hreflang && attributes.href) addUrl(attributes.href, parsedSitemap.pages)
  })
  xmlParser.on('text', (textPart) => (tagText.length < maxUrlLength ? (tagText += textPart) : null))
  xmlParser.on('cdata', (textPart) => (tagText.length < maxUrlLength ? (tagText += textPart) : null))
  xmlParser.on('closetag', ({ name }) => {
    if (toLocalName(name) === 'loc' && toLocalName(parentTag) !== '')
      addUrl(tagText, parentTag === 'sitemap' ? parsedSitemap.sitemaps : parsedSitemap.pages)
    tagText = ''
  })
  xmlParser.on('error', (error) => parseErrors.push(error.message))
  const yieldNow = openYielder()
  // Stops after an error or the last allowed URL.
  for (
    let chunkStart = 0;
    chunkStart < sitemapText.length && parseErrors.length === 0 && parsedSitemap.problem === null;
    chunkStart += 65_536
  ) {
    xmlParser.write(sitemapText.slice(chunkStart, chunkStart + 65_536))
    await yieldNow()
  }
  if (parseErrors.length === 0 && parsedSitemap.problem === null) xmlParser.close()
  if (parseErrors.length > 0) parsedSitemap.problem ??= `The XML is broken: ${parseErrors[0]!.slice(0, 200)}`
  return parsedSitemap
}

/**
 * Parses a sitemap: XML (URLs, an index, pages in other languages) or plain lines, optionally gzipped. Never throws;
 * for a broken sitemap, returns the content before the error, and the error.
 */
export async function readSitemap(sitemapBytes: Uint8Array): Promise<Sitemap> {
  const packedBytes = Buffer.from(sitemapBytes.buffer, sitemapBytes.byteOffset, sitemapBytes.byteLength)
  if (packedBytes.length > maxSitemapBytes) return createUnreadable(`More than ${maxSitemapBytes} bytes`, true)
  const unpackedBytes = await unpackGzip(packedBytes)
  if (!unpackedBytes) return createUnreadable(`Not gzip after all, or more than ${maxSitemapBytes} bytes`, true, maxSitemapBytes)
  const sitemapText = new TextDecoder().decode(unpackedBytes)
  const { length: unpackedLength } = unpackedBytes
  if (/^\s*</.test(sitemapText)) return parseXml(sitemapText.trimStart(), unpackedLength)
  const lineSitemap = await parseLines(sitemapText, unpackedLength)
  return lineSitemap.pages.length > 0 ? lineSitemap : createUnreadable('Neither XML nor a list of URLs', false, unpackedLength)
}
