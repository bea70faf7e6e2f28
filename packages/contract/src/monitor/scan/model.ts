import type { FieldError } from '../../kit/problem.ts'

/** A host of a scan as parsed by `parseDomain`: only `host`, or also all subdomains. */
export type ScanDomain = { host: string; port: string; below: boolean }

/** Removes the trailing dot of the root domain, which denotes the same host. */
const removeRootDot = (hostname: string): string => hostname.replace(/\.$/, '')

/**
 * Parses a line of a scan's domains: `example.org`, `*.example.org`, `localhost:8080`, `[::1]:80`. Case, script and a trailing
 * dot are normalized as in browsers (`xn--bcher-kva.example`). Null for a URL, a path, a user name, `*` anywhere but in front.
 */
export function parseDomain(text: string): ScanDomain | null {
  const hasSubdomains = text.startsWith('*.')
  const hostText = hasSubdomains ? text.slice(2) : text
  if (hostText.length > 300 || /[/?#@\\\s*]/.test(hostText)) return null
  const hostUrl = URL.parse(`http://${hostText}/`)
  if (!hostUrl || removeRootDot(hostUrl.hostname) === '') return null
  // The URL parser omits the default port of http.
  const portText = /:(\d+)$/.exec(hostText)?.[1]
  return {
    host: removeRootDot(hostUrl.hostname),
    port: portText === undefined ? '' : String(Number(portText)),
    below: hasSubdomains,
  }
}

const getDefaultPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80')

function isCovered({ host, port, below: hasSubdomains }: ScanDomain, url: URL): boolean {
  if (port === '' ? url.port !== '' : port !== (url.port || getDefaultPort(url))) return false
  const hostname = removeRootDot(url.hostname)
  return hostname === host || (hasSubdomains && hostname.endsWith(`.${host}`))
}

/**
 * Returns a predicate for http and https URLs on a scan's hosts. `*.example.org` covers `example.org` and its subdomains. Without
 * a port, the default port of either scheme is covered, otherwise that port only. Invalid lines match nothing.
 */
export function createDomainMatcher(domains: readonly string[]): (url: URL) => boolean {
  const parsedDomains = domains.map(parseDomain).filter((domain) => domain !== null)
  return (url) => parsedDomains.some((domain) => isCovered(domain, url))
}

/** Returns `host:port` of an http or https URL, always including the port; identifies a server for load limits. */
export const authorityOf = (url: URL): string => `${url.hostname}:${url.port || getDefaultPort(url)}`

/** Returns the problem with a URL that is visited, called or linked; null for an http or https URL without credentials. */
export function findUrlFault(text: string): 'bad-url' | 'url-scheme' | 'url-credentials' | null {
  const parsedUrl = URL.parse(text)
  if (!parsedUrl) return 'bad-url'
  // "www.example.org:80/" parses with a custom scheme; the actual problem is the missing scheme.
  if (parsedUrl.protocol !== 'http:' && parsedUrl.protocol !== 'https:') return 'url-scheme'
  return parsedUrl.username || parsedUrl.password ? 'url-credentials' : null
}

/** Returns the XPath expression of a selector: `xpath=…` or `//…`; null for a CSS selector. */
export function parseXPath(selectorText: string): string | null {
  if (selectorText.startsWith('xpath=')) return selectorText.slice('xpath='.length)
  return /^\(*\/\//.test(selectorText) ? selectorText : null
}

/** Normalizes a URL for comparison. Invalid URLs are compared unchanged. */
export const normalizeHref = (text: string): string => URL.parse(text)?.href ?? text

/** Returns the indexes of values that repeat an earlier one; `getKey` returns the compared value, case-insensitive by default. */
export function findRepeated(
  values: readonly string[],
  getKey: (value: string) => string = (value) => value.toLowerCase(),
): ReadonlySet<number> {
  const seenKeys = new Set<string>()
  return new Set(
    values.flatMap((value, index) => {
      const valueKey = getKey(value)
      const isRepeated = seenKeys.has(valueKey)
      seenKeys.add(valueKey)
      return isRepeated ? [index] : []
    }),
  )
}

/** Errors of values that repeat an earlier one; `getKey` as in `findRepeated`. */
export const findDuplicateErrors = (path: string, values: readonly string[], getKey?: (value: string) => string): FieldError[] =>
  [...findRepeated(values, getKey)].map((index) => ({
    path: `${path}.${index}`,
    code: 'duplicate',
    params: { value: values[index]! },
  }))

/** Settings that determine which fragments tell pages apart. */
export type FragmentSettings = { discardAnchors: boolean; hashRoutes: boolean }

/** Returns a fragment that can identify a page; a text directive (`#:~:text=`) never does. */
export function filterFragment(hash: string, settings: FragmentSettings): string {
  const pageFragment = hash.split(':~:', 1)[0]!
  if (settings.hashRoutes && /^#[/!]/.test(pageFragment)) return pageFragment
  return settings.discardAnchors || pageFragment === '#' ? '' : pageFragment
}

/** Removes a fragment that cannot identify a page; it may contain a token. */
export function removeUnusedFragment(url: string, settings: FragmentSettings): string {
  const [urlWithoutFragment = ''] = url.split('#', 1)
  return `${urlWithoutFragment}${filterFragment(url.slice(urlWithoutFragment.length), settings)}`
}

type PdfDayRange = { mimeTypes: readonly string[]; pdfModifiedFrom: string | null; pdfModifiedTo: string | null }

/** Returns the minimum end day if a scan tests PDFs and its end is not after its start; otherwise null. */
export function findPdfDaysFault(dayRange: PdfDayRange): { min: string } | null {
  const { mimeTypes, pdfModifiedFrom: startDay, pdfModifiedTo: endDay } = dayRange
  if (!mimeTypes.includes('application/pdf') || startDay === null || endDay === null || endDay > startDay) return null
  return { min: new Date(Date.parse(startDay) + 24 * 3_600_000).toISOString().slice(0, 10) }
}

/** Returns the maximum number of open pages: of several, more are admitted while others wait to be idle. */
export const getMaxOpenPages = (atOnce: number): number => atOnce + Math.floor(atOnce / 2)
