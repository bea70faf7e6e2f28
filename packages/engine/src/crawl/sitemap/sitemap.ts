import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'

/** What a sitemap contains; `problem` tells what is wrong with it, in English, null for nothing. */
export type Sitemap = {
  pages: string[]
  sitemaps: string[]
  problem: string | null
  /** The problem is its size. */ tooLarge?: boolean
}

/** The format's own limits: 50 MB, 50,000 URLs. */
const mostBytes = 50 * 1024 * 1024
const mostAddresses = 50_000
const longestAddress = 4000

const unreadable = (problem: string, tooLarge = false): Sitemap => ({
  pages: [],
  sitemaps: [],
  problem,
  tooLarge,
})

/** Undoes gzip, which many sitemaps are in without saying so; null when it has more than it may. */
function unpack(bytes: Buffer): Buffer | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes })
  } catch {
    return null
  }
}

function readLines(text: string): Sitemap {
  const pages = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line))
  return { pages: pages.slice(0, mostAddresses), sitemaps: [], problem: null }
}

/** Reads XML as far as it is right: what is before a fault counts. Entities of its own are never expanded. */
function readXml(text: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [], problem: null }
  const faults: string[] = []
  const add = (url: string, to: string[]) => {
    const address = url.trim()
    // What is behind a fault is guesswork.
    if (faults.length > 0 || address === '' || address.length > longestAddress) return
    if (found.pages.length + found.sitemaps.length < mostAddresses) to.push(address)
    else found.problem = `More than ${mostAddresses} addresses`
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
  parser.on('text', (part) => (value.length < longestAddress ? (value += part) : null))
  parser.on('cdata', (part) => (value.length < longestAddress ? (value += part) : null))
  parser.on('closetag', ({ name }) => {
    if (local(name) === 'loc' && local(inside) !== '')
      add(value, inside === 'sitemap' ? found.sitemaps : found.pages)
    value = ''
  })
  parser.on('error', (error) => faults.push(error.message))
  for (let at = 0; at < text.length && faults.length === 0; at += 65_536)
    parser.write(text.slice(at, at + 65_536))
  if (faults.length === 0) parser.close()
  if (faults.length > 0) found.problem ??= `The XML is broken: ${faults[0]!.slice(0, 200)}`
  return found
}

/**
 * Reads a sitemap: XML (URLs, an index, pages in other languages) or plain lines, packed by gzip or not. Never
 * throws; of a broken one what is before the fault is answered, with the fault.
 */
export function readSitemap(given: Uint8Array): Sitemap {
  const packed = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  if (packed.length > mostBytes) return unreadable(`More than ${mostBytes} bytes`, true)
  const bytes = unpack(packed)
  if (!bytes) return unreadable(`Not gzip after all, or more than ${mostBytes} bytes`, true)
  const text = new TextDecoder().decode(bytes)
  if (/^\s*</.test(text)) return readXml(text.trimStart())
  const lines = readLines(text)
  return lines.pages.length > 0 ? lines : unreadable('Neither XML nor a list of addresses')
}
