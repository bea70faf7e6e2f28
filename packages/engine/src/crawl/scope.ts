import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'

/** Says why an address is not part of the scan; null when it is. */
export type Scope = (url: URL) => Extract<ExclusionReason, 'other-domain' | 'outside-folder'> | null

type HostPattern = { host: string; port: string; below: boolean }

/** Reads `example.org`, `*.example.org`, `localhost:8080`, `[::1]:80`; null when it is no host. */
export function readHostPattern(text: string): HostPattern | null {
  const below = text.startsWith('*.')
  const url = URL.parse(`http://${below ? text.slice(2) : text}/`)
  if (!url || url.pathname !== '/' || url.search !== '' || url.username !== '') return null
  return { host: url.hostname, port: url.port, below }
}

function matches(pattern: HostPattern, url: URL): boolean {
  if (pattern.port !== url.port) return false
  return pattern.below ? url.hostname.endsWith(`.${pattern.host}`) : url.hostname === pattern.host
}

/** `/a/b.html` and `/a/` confine to `/a/`; `/a/b` confines to `/a/b` and what is below it. */
function folderOf(url: URL): { host: string; exact: string; below: string } {
  const cut = url.pathname.lastIndexOf('/')
  const last = url.pathname.slice(cut + 1)
  const below = last === '' || last.includes('.') ? url.pathname.slice(0, cut + 1) : `${url.pathname}/`
  return { host: url.host, exact: url.pathname, below }
}

/**
 * Makes the scope of a run from host patterns and, with `restrictToFolder`, the folders of the start URLs (whatever
 * their scheme). Patterns that are no hosts match nothing.
 */
export function openScope(options: {
  domains: readonly string[]
  startUrls: readonly string[]
  restrictToFolder: boolean
}): Scope {
  const patterns = options.domains.map(readHostPattern).filter((pattern) => pattern !== null)
  const folders = options.startUrls
    .map((text) => URL.parse(text))
    .filter((url) => url !== null)
    .map(folderOf)
  return (url) => {
    if (!patterns.some((pattern) => matches(pattern, url))) return 'other-domain'
    if (!options.restrictToFolder) return null
    const inside = folders.some(
      ({ host, exact, below }) =>
        host === url.host && (url.pathname === exact || url.pathname.startsWith(below)),
    )
    return inside ? null : 'outside-folder'
  }
}
