import { SaxesParser } from 'saxes'
import { openYielder } from '../yielder.ts'
import { decodeText, unpackGzip } from './decode.ts'

/** Contents of a sitemap; `problem` describes an error in English, or is null. */
export type Sitemap = {
  pages: string[]
  sitemaps: string[]
  problem: string | null
  /** Entries that are no URLs: with references that XML does not define, or too long. */
  broken: string[]
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
  broken: [],
  isTooLarge: tooLarge,
  unpackedBytes,
})

/** Returns the URL of a line: alone, before a date, or the first column of a table; null if there is none. */
function readLine(line: string): string | null {
  const [firstWord = ''] = line.trim().split(/\s/, 1)
  const columns = firstWord.split(',')
  // Commas are also part of URLs: further columns are dates and numbers.
  const columnCount = columns.slice(1).every((column) => /^"?[\d.:TZ+-]*"?$/.test(column)) ? 1 : columns.length
  // Semicolons begin parameters of a path, too: only dates and priorities behind them are cells.
  const cells = columns.slice(0, columnCount).join(',').split(';')
  let cellCount = cells.length
  while (cellCount > 1 && /^"?(?:\d{4}-\d\d[\d.:TZ+-]*|[01]?\.\d+|)"?$/.test(cells[cellCount - 1]!)) cellCount -= 1
  const lineUrl = cells.slice(0, cellCount).join(';').replace(/^"/, '').replace(/"$/, '')
  return /^https?:\/\//i.test(lineUrl) && lineUrl.length <= maxUrlLength ? lineUrl : null
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
      const lineUrl = readLine(sitemapText.slice(lineStart, Math.min(lineEnd, lineStart + 2 * maxUrlLength)))
      if (lineUrl !== null) pages.push(lineUrl)
    }
    lineStart = lineEnd + 1
    lineCount += 1
    if (lineCount % 1000 === 0) await yieldNow()
  }
  return { pages, sitemaps: [], problem: null, broken: [], unpackedBytes }
}

/** Stands for a reference that XML does not define, or a character that it forbids: the entry around it is broken. */
const brokenMark = '\ufffd'

/**
 * Replaces what would end the parsing of a chunk. An ampersand that begins no reference is one of a URL's parameters.
 * Custom entities are never expanded.
 */
function repairChunk(chunk: string, isInCdata: boolean): { text: string; isInCdata: boolean } {
  let isLiteral = isInCdata
  // oxlint-disable-next-line no-control-regex -- matches the characters that XML forbids
  const text = chunk.replaceAll(/<!\[CDATA\[|\]\]>|&(?:#?\w{1,20};)?|[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, (match) => {
    if (match === '<![CDATA[') isLiteral = true
    else if (match === ']]>') isLiteral = false
    else if (match === '&') return isLiteral ? '&' : '&amp;'
    else if (match.startsWith('&'))
      return isLiteral || /^&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-f]{1,5});$/i.test(match) ? match : brokenMark
    else return brokenMark
    return match
  })
  return { text, isInCdata: isLiteral }
}

/** Elements that may contain URLs, by the root: sitemaps, indexes, RSS and Atom. */
const knownRoots = new Set(['urlset', 'sitemapindex', 'rss', 'feed', 'rdf'])
/** The element of a URL, by its parent. Pictures and videos of a page have elements of the same name elsewhere. */
const urlElements: ReadonlyMap<string, string> = new Map([
  ['url', 'loc'],
  ['sitemap', 'loc'],
  ['item', 'link'],
])

type XmlTag = { prefix: string; name: string }
function readTagName(name: string): XmlTag {
  const colonIndex = name.indexOf(':')
  return { prefix: name.slice(0, Math.max(0, colonIndex)), name: name.slice(colonIndex + 1).toLowerCase() }
}

/** Registers the handlers that collect the URLs of a sitemap: those of pages, of further sitemaps, and outside of any entry. */
function collectUrls(
  xmlParser: SaxesParser,
  addUrl: (url: string, kind: 'pages' | 'sitemaps' | 'broken') => void,
  noteRoot: (root: string) => void,
): void {
  const openTags: XmlTag[] = []
  let tagText = ''
  xmlParser.on('opentag', ({ name, attributes }) => {
    const tag = readTagName(name)
    const parentTag = openTags.at(-1)
    if (!parentTag) noteRoot(tag.name)
    openTags.push(tag)
    tagText = ''
    const { href = '', rel = 'alternate', hreflang } = attributes as Record<string, string | undefined>
    // Pages in other languages: <xhtml:link rel="alternate" hreflang="fr" href="…"/>. Atom: <link href="…"/>
    const isLink = tag.name === 'link' && (hreflang || (parentTag?.name === 'entry' && rel === 'alternate'))
    if (isLink && href !== '') addUrl(href, 'pages')
  })
  const addText = (textPart: string) => (tagText.length <= maxUrlLength ? (tagText += textPart) : null)
  xmlParser.on('text', addText)
  xmlParser.on('cdata', addText)
  xmlParser.on('closetag', () => {
    const tag = openTags.pop()
    const parentTag = openTags.at(-1)
    if (tag && parentTag && tag.prefix === parentTag.prefix && urlElements.get(parentTag.name) === tag.name)
      addUrl(tagText, parentTag.name === 'sitemap' ? 'sitemaps' : 'pages')
    else if (tag?.name === 'loc' && openTags.length === 1 && tag.prefix === parentTag!.prefix) addUrl(tagText, 'broken')
    tagText = ''
  })
}

const chunkLength = 65_536

/** Parses XML up to the first error. */
async function parseXml(sitemapText: string, unpackedBytes: number): Promise<Sitemap> {
  const parsedSitemap: Sitemap = { pages: [], sitemaps: [], problem: null, broken: [], unpackedBytes }
  const parseErrors: string[] = []
  const addUrl = (url: string, kind: 'pages' | 'sitemaps' | 'broken') => {
    const trimmedUrl = url.trim()
    // Content after an error is unreliable.
    if (parseErrors.length > 0 || trimmedUrl === '') return
    const isBroken = kind === 'broken' || trimmedUrl.length > maxUrlLength || trimmedUrl.includes(brokenMark)
    if (parsedSitemap.pages.length + parsedSitemap.sitemaps.length + parsedSitemap.broken.length >= maxSitemapUrls)
      parsedSitemap.problem = `More than ${maxSitemapUrls} URLs`
    else if (isBroken) parsedSitemap.broken.push(trimmedUrl.slice(0, 200))
    else parsedSitemap[kind].push(trimmedUrl)
  }
  const xmlParser = new SaxesParser({ xmlns: false })
  let rootName = ''
  collectUrls(xmlParser, addUrl, (root) => (rootName = root))
  xmlParser.on('error', (error) => parseErrors.push(error.message))
  const yieldNow = openYielder()
  let isInCdata = false
  // Stops after an error or the last allowed URL.
  for (let chunkStart = 0; chunkStart < sitemapText.length && parseErrors.length === 0 && parsedSitemap.problem === null;) {
    // Behind a tag, no reference and no mark of a CDATA section is cut.
    const tagEnd = sitemapText.indexOf('>', chunkStart + chunkLength)
    const chunkEnd = tagEnd < 0 || tagEnd > chunkStart + 2 * chunkLength ? chunkStart + 2 * chunkLength : tagEnd + 1
    const repairedChunk = repairChunk(sitemapText.slice(chunkStart, chunkEnd), isInCdata)
    isInCdata = repairedChunk.isInCdata
    xmlParser.write(repairedChunk.text)
    chunkStart = chunkEnd
    await yieldNow()
  }
  if (parseErrors.length === 0 && parsedSitemap.problem === null) xmlParser.close()
  if (parseErrors.length > 0) parsedSitemap.problem ??= `The XML is broken: ${parseErrors[0]!.slice(0, 200)}`
  if (!knownRoots.has(rootName)) parsedSitemap.problem ??= `No sitemap: its root is “${rootName.slice(0, 100)}”`
  return parsedSitemap
}

/**
 * Parses a sitemap: XML (URLs, an index, pages in other languages, RSS, Atom) or plain lines, optionally gzipped. Never throws;
 * for a broken sitemap, returns the content before the error, and the error.
 */
export async function readSitemap(sitemapBytes: Uint8Array): Promise<Sitemap> {
  const packedBytes = Buffer.from(sitemapBytes.buffer, sitemapBytes.byteOffset, sitemapBytes.byteLength)
  if (packedBytes.length > maxSitemapBytes) return createUnreadable(`More than ${maxSitemapBytes} bytes`, true)
  const unpacked = await unpackGzip(packedBytes, maxSitemapBytes)
  if (!unpacked || unpacked.isTruncated)
    return createUnreadable(`Not gzip after all, or more than ${maxSitemapBytes} bytes`, true, maxSitemapBytes)
  const sitemapText = decodeText(unpacked.bytes)
  if (!unpacked.isCut) return parseText(sitemapText, unpacked.bytes.length)
  // The last line is cut, too. More of the site is known with the others than without.
  const wholeLines = sitemapText.slice(0, sitemapText.lastIndexOf('\n') + 1)
  const parsedSitemap = await parseText(/^\s*</.test(sitemapText) ? sitemapText : wholeLines, unpacked.bytes.length)
  return { ...parsedSitemap, problem: 'The archive is cut off: its compressed data has no end' }
}

async function parseText(sitemapText: string, unpackedLength: number): Promise<Sitemap> {
  if (/^\s*</.test(sitemapText)) return parseXml(sitemapText.trimStart(), unpackedLength)
  const lineSitemap = await parseLines(sitemapText.replaceAll(/\r\n?/g, '\n'), unpackedLength)
  return lineSitemap.pages.length > 0 ? lineSitemap : createUnreadable('Neither XML nor a list of URLs', false, unpackedLength)
}
