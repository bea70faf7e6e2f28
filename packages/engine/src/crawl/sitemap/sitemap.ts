import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { openYielder } from '../yielder.ts'

/** What a sitemap contains; `problem` says what is wrong with it, in English, null for nothing. */
export type Sitemap = {
  pages: string[]
  sitemaps: string[]
  problem: string | null
  /** The problem is its size. */ tooLarge?: boolean
  /** Bytes, unpacked. */ size: number
}

/** The format's own limits: 50 MB, 50,000 URLs. */
export const mostBytes = 50 * 1024 * 1024
const mostUrls = 50_000
const longestUrl = 4000
const shortestUrl = 'http://a'.length

const unreadable = (problem: string, tooLarge = false, size = 0): Sitemap => ({
  pages: [],
  sitemaps: [],
  problem,
  tooLarge,
  size,
})

const unzip = promisify(gunzip)

/** Undoes gzip, which many sitemaps are in without saying so; null when it has more than it may. */
async function unpack(bytes: Buffer): Promise<Buffer | null> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await unzip(bytes, { maxOutputLength: mostBytes })
  } catch {
    return null
  }
}

/** Line by line: a file of nothing but ends of lines must not become millions of texts. */
async function readLines(text: string, size: number): Promise<Sitemap> {
  const pages: string[] = []
  const yieldNow = openYielder()
  let lines = 0
  for (let at = 0; at < text.length && pages.length < mostUrls;) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    if (stop - at >= shortestUrl) {
      const line = text.slice(at, Math.min(stop, at + 2 * longestUrl)).trim()
      if (/^https?:\/\//i.test(line) && line.length <= longestUrl) pages.push(line)
    }
    at = stop + 1
    lines += 1
    if (lines % 1000 === 0) await yieldNow()
  }
  return { pages, sitemaps: [], problem: null, size }
}

/** Reads XML as far as it is right: what is before a fault counts. Entities of its own are never expanded. */
async function readXml(text: string, size: number): Promise<Sitemap> {
  const found: Sitemap = { pages: [], sitemaps: [], problem: null, size }
  const faults: string[] = []
  const add = (url: string, to: string[]) => {
    const trimmed = url.trim()
    // What is behind a fault is guesswork.
    if (faults.length > 0 || trimmed === '' || trimmed.length > longestUrl) return
    if (found.pages.length + found.sitemaps.length < mostUrls) to.push(trimmed)
    else found.problem = `More than ${mostUrls} URLs`
  }
  const parser = new SaxesParser({ xmlns: false })
  let inside = ''
  let value = ''
  const local = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase()
  parser.on('opentag', ({ name, attributes }) => {
    const tag = local(name)
    if (tag === 'url' || tag === 'sitemap') inside = tag
    value = ''
    // Pages in other languages: <xhtml:link rel="alternate" hreflang="fr" href="…"/>
    if (tag === 'link' && attributes.hreflang && attributes.href) add(attributes.href, found.pages)
  })
  parser.on('text', (part) => (value.length < longestUrl ? (value += part) : null))
  parser.on('cdata', (part) => (value.length < longestUrl ? (value += part) : null))
  parser.on('closetag', ({ name }) => {
    if (local(name) === 'loc' && local(inside) !== '')
      add(value, inside === 'sitemap' ? found.sitemaps : found.pages)
    value = ''
  })
  parser.on('error', (error) => faults.push(error.message))
  const yieldNow = openYielder()
  // After a fault, or the last URL that counts, nothing more is of use.
  for (let at = 0; at < text.length && faults.length === 0 && found.problem === null; at += 65_536) {
    parser.write(text.slice(at, at + 65_536))
    await yieldNow()
  }
  if (faults.length === 0 && found.problem === null) parser.close()
  if (faults.length > 0) found.problem ??= `The XML is broken: ${faults[0]!.slice(0, 200)}`
  return found
}

/**
 * Reads a sitemap: XML (URLs, an index, pages in other languages) or plain lines, packed by gzip or not. Never
 * throws; of a broken one what is before the fault is answered, with the fault.
 */
export async function readSitemap(given: Uint8Array): Promise<Sitemap> {
  const packed = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (packed.length > mostBytes) return unreadable(`More than ${mostBytes} bytes`, true)
  const bytes = await unpack(packed)
  if (!bytes) return unreadable(`Not gzip after all, or more than ${mostBytes} bytes`, true, mostBytes)
  const text = new TextDecoder().decode(bytes)
  const { length } = bytes
  if (/^\s*</.test(text)) return readXml(text.trimStart(), length)
  const lines = await readLines(text, length)
  return lines.pages.length > 0 ? lines : unreadable('Neither XML nor a list of URLs', false, length)
}
