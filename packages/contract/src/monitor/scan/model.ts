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
