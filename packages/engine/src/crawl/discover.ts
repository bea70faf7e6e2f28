import type { Claim, NewEntry } from '../frontier.ts'
import type { DocumentFacts } from '../axe/report-in-page.ts'
import { readAddress, type AddressSettings } from './address.ts'
import type { Robots } from './robots.ts'
import type { Scope } from './scope.ts'

export type DiscoverDeps = { scope: Scope; robots: Robots; settings: AddressSettings; depth: number | null }

/** Schemes that are no place to go to: not worth a record. */
const silent = new Set([
  'javascript:',
  'mailto:',
  'tel:',
  'sms:',
  'data:',
  'blob:',
  'about:',
  'callto:',
  'skype:',
])

/** The entry for an address met on a page, with the reason when it will not be visited; null when it is not worth recording. */
async function entryFor(
  deps: DiscoverDeps,
  url: string,
  at: { depth: number; wave: number; foundOn: string | null },
): Promise<NewEntry | null> {
  const address = readAddress(url, deps.settings)
  if (!address.ok) {
    const parsed = URL.parse(url)
    if (address.why !== 'scheme' || !parsed || silent.has(parsed.protocol)) return null
    return { url, key: url, ...at, exclusion: 'scheme' }
  }
  const entry = { url: address.url, key: address.key, ...at }
  const outside = deps.scope(address.parsed)
  if (outside) return { ...entry, exclusion: outside }
  if (deps.depth !== null && at.depth > deps.depth) return { ...entry, exclusion: 'too-deep' }
  if (!(await deps.robots.allows(address.parsed))) return { ...entry, exclusion: 'robots' }
  return { ...entry, exclusion: null }
}

/** The links of a page as entries one level deeper, each key once, in the order of the page. */
export async function entriesFromLinks(
  deps: DiscoverDeps,
  claim: Claim,
  links: DocumentFacts['links'],
): Promise<NewEntry[]> {
  const entries = new Map<string, NewEntry>()
  const at = { depth: claim.depth + 1, wave: claim.wave + 1, foundOn: claim.url }
  for (const link of links) {
    const entry = await entryFor(deps, link.url, at)
    if (entry && entry.key !== claim.key && !entries.has(entry.key)) entries.set(entry.key, entry)
  }
  return [...entries.values()]
}

/** The target of a redirect, at the depth of its source, one wave later. */
export async function entryFromRedirect(deps: DiscoverDeps, claim: Claim, url: string): Promise<NewEntry[]> {
  const entry = await entryFor(deps, url, {
    depth: claim.depth,
    wave: claim.wave + 1,
    foundOn: claim.foundOn,
  })
  return entry ? [entry] : []
}

/** The start URLs as entries. What is no address becomes one all the same, so that its failure is on record. */
export async function startEntries(deps: DiscoverDeps, urls: readonly string[]): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (const url of urls) {
    const at = { depth: 0, wave: 0, foundOn: null }
    const address = readAddress(url, deps.settings)
    if (!address.ok) entries.push({ url, key: url, ...at, exclusion: null })
    else {
      const outside = deps.scope(address.parsed)
      const forbidden = !outside && !(await deps.robots.allows(address.parsed))
      const exclusion = outside ?? (forbidden ? 'robots' : null)
      entries.push({ url: address.url, key: address.key, ...at, exclusion })
    }
  }
  return entries
}
