/** A host of a scan, as `readDomain` reads it: of `host` alone, or with all hosts below it. */
export type Domain = { host: string; port: string; below: boolean }

/** A name may end in the dot of the root: the same host. */
const withoutRoot = (hostname: string): string => hostname.replace(/\.$/, '')

/**
 * Reads one line of a scan's domains: `example.org`, `*.example.org`, `localhost:8080`, `[::1]:80`. Letters of any case and
 * script are taken as browsers take them (`Bücher.example` is `xn--bcher-kva.example`), and a dot at the end means
 * nothing. Null for what is no host: a URL, a path, a user name, `*` anywhere but in front.
 */
export function readDomain(text: string): Domain | null {
  const below = text.startsWith('*.')
  const rest = below ? text.slice(2) : text
  if (rest.length > 300 || /[/?#@\\\s*]/.test(rest)) return null
  const url = URL.parse(`http://${rest}/`)
  if (!url || withoutRoot(url.hostname) === '') return null
  // The parser leaves the port of http out.
  const port = /:(\d+)$/.exec(rest)?.[1]
  return { host: withoutRoot(url.hostname), port: port === undefined ? '' : String(Number(port)), below }
}

const defaultPort = ({ protocol }: URL): string => (protocol === 'https:' ? '443' : '80')

function covers({ host, port, below }: Domain, url: URL): boolean {
  if (port === '' ? url.port !== '' : port !== (url.port || defaultPort(url))) return false
  const hostname = withoutRoot(url.hostname)
  return hostname === host || (below && hostname.endsWith(`.${host}`))
}

/**
 * Whether a URL (http or https) is on one of a scan's hosts. `*.example.org` is `example.org` and every host below it. A
 * domain without a port is the usual port of either scheme; one with a port is that port alone. Lines that are no
 * host match nothing.
 */
export function openDomains(domains: readonly string[]): (url: URL) => boolean {
  const read = domains.map(readDomain).filter((domain) => domain !== null)
  return (url) => read.some((domain) => covers(domain, url))
}

/** `host:port` of an http or https URL, the port always written: one server, as far as its load is concerned. */
export const authorityOf = (url: URL): string => `${url.hostname}:${url.port || defaultPort(url)}`

/** What is wrong with a URL that is visited, called or linked to; null for an http or https one without credentials. */
export function urlFault(text: string): 'bad-url' | 'url-scheme' | 'url-credentials' | null {
  const url = URL.parse(text)
  if (!url) return 'bad-url'
  // "www.example.org:80/" parses, with a scheme of its own: what is missing is the scheme.
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'url-scheme'
  return url.username || url.password ? 'url-credentials' : null
}

/** A URL as it is compared: those that are written differently may be one. What is no URL is compared as it stands. */
export const hrefOf = (text: string): string => URL.parse(text)?.href ?? text

/** The indexes of values that an earlier one repeats; `keyOf` says what is compared, usually whatever the case. */
export function repeatedIn(
  values: readonly string[],
  keyOf: (value: string) => string = (value) => value.toLowerCase(),
): ReadonlySet<number> {
  const known = new Set<string>()
  return new Set(
    values.flatMap((value, index) => {
      const key = keyOf(value)
      const again = known.has(key)
      known.add(key)
      return again ? [index] : []
    }),
  )
}

type PdfDays = {
  mimeTypes: readonly string[]
  pdfModifiedFrom: string | null
  pdfModifiedTo: string | null
}

/** The first day that "to" could be, where a scan tests PDFs and its "to" does not lie after its "from"; else null. */
export function pdfDaysFault(days: PdfDays): { min: string } | null {
  const { mimeTypes, pdfModifiedFrom: from, pdfModifiedTo: to } = days
  if (!mimeTypes.includes('application/pdf') || from === null || to === null || to > from) return null
  return { min: new Date(Date.parse(from) + 24 * 3_600_000).toISOString().slice(0, 10) }
}

/**
 * The most pages that are open where `atOnce` may load at the same time: the others were let in while some only waited to come to
 * rest. A single page has none beside it.
 */
export const mostOpen = (atOnce: number): number => atOnce + Math.floor(atOnce / 2)
