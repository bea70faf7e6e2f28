import type { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openYielder } from '../yielder.ts'
import type { Claim, NewEntry } from '../../frontier.ts'
import { readPageUrl, type PageUrlSettings } from './page-url.ts'
import type { Robots } from '../robots/robots.ts'
import type { SitemapBudget } from '../sitemap/budget.ts'
import type { Scope } from './scope.ts'
import { chainOf, patternOf, trapReason, type LinkingPage } from './trap.ts'

export type DiscoverDeps = {
  scope: Scope
  robots: Robots
  settings: PageUrlSettings
  depth: number | null
  sources: Sources
  /** Pages with common components: visited first. */
  templateUrls: readonly string[]
  /** Scripts of the run, by name. */
  scripts: readonly string[]
  /** Whether the scan signs in, so that it must not sign out. */
  signsIn: boolean
  /** What the run may still read of sitemaps. */
  sitemaps: SitemapBudget
}

/** Schemes that lead to no page: not worth a record. */
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

const signOut = /(^|[/._?&=-])(log|sign)[-_]?(out|off)([/._?&=-]|$)|abmelden|deconnexion|cerrar-?sesion/i

type EntryPosition = Pick<NewEntry, 'depth' | 'wave' | 'foundOn'>

/** Keys of what is no page: no URL has a space. */
const sitemapMark = 'sitemap '
const scriptMark = 'script '
export const isSitemap = ({ key }: NewEntry): boolean => key.startsWith(sitemapMark)
/** The number of the script that an entry is for; null when it is a page. */
export const scriptOf = ({ key }: NewEntry): number | null =>
  key.startsWith(scriptMark) ? Number(key.slice(scriptMark.length)) : null

/** The entry of a sitemap, to be read in its turn. */
function sitemapEntry(url: string, at: EntryPosition): NewEntry | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null
  return { url: parsed.href, key: `${sitemapMark}${parsed.href}`, ...at, exclusion: null }
}

/** Why a link is not followed, besides the scope of the scan. */
async function reasonAgainst(
  deps: DiscoverDeps,
  url: URL,
  at: EntryPosition,
  chain: number,
): Promise<Pick<NewEntry, 'exclusion' | 'detail'>> {
  if (deps.signsIn && signOut.test(`${url.pathname}${url.search}`))
    return { exclusion: 'url-to-skip', detail: 'It would sign the scan out' }
  if (!deps.sources.followLinks && at.depth > 0)
    return { exclusion: 'too-deep', detail: 'This scan follows no links' }
  if (deps.depth !== null && at.depth > deps.depth)
    return { exclusion: 'too-deep', detail: `More than ${deps.depth} links away from a start URL` }
  const trap = trapReason(url, chain)
  if (trap !== null) return { exclusion: 'trap', detail: trap }
  if (await deps.robots.allows(url)) return { exclusion: null }
  return { exclusion: 'robots', detail: `${url.origin}/robots.txt disallows it` }
}

/** The entry for a URL met on a page, with the reason when it will not be visited; null when it is not worth recording. */
async function entryFor(
  deps: DiscoverDeps,
  url: string,
  at: EntryPosition,
  parent: LinkingPage | null,
): Promise<NewEntry | null> {
  const read = readPageUrl(url, deps.settings)
  if (!read.ok) {
    const parsed = URL.parse(url)
    if (read.why !== 'scheme' || !parsed || silent.has(parsed.protocol)) return null
    return {
      url,
      key: url,
      ...at,
      exclusion: 'scheme',
      detail: `URLs of ${parsed.protocol} are no pages`,
    }
  }
  const chain = chainOf(read.parsed, parent)
  const entry = { url: read.url, key: read.key, ...at, chain }
  const outside = deps.scope(read.parsed)
  if (outside) return { ...entry, exclusion: outside.reason, detail: outside.detail }
  return { ...entry, ...(await reasonAgainst(deps, read.parsed, at, chain)) }
}

/** What becomes of one URL, wherever it is met; null when it is not worth recording. */
export const judgeUrl = (deps: DiscoverDeps, url: string): Promise<NewEntry | null> =>
  entryFor(deps, url, { depth: 0, wave: 0, foundOn: null }, null)

function linkingPage({ url, chain = 0 }: Claim): LinkingPage | null {
  const parsed = URL.parse(url)
  return parsed && { pattern: patternOf(parsed), chain }
}

/** The links of a page as entries one level deeper, each key once, in the order of the page. */
export async function entriesFromLinks(
  deps: DiscoverDeps,
  claim: Claim,
  links: readonly { url: string }[],
): Promise<NewEntry[]> {
  const entries = new Map<string, NewEntry>()
  const at = { depth: claim.depth + 1, wave: claim.wave + 1, foundOn: claim.url }
  const parent = linkingPage(claim)
  const yieldNow = openYielder()
  for (const link of links) {
    await yieldNow()
    const entry = await entryFor(deps, link.url, at, parent)
    if (entry && entry.key !== claim.key && !entries.has(entry.key)) entries.set(entry.key, entry)
  }
  return [...entries.values()]
}

/** What a sitemap leads to: pages at the depth of start URLs, and further sitemaps; of both as many as the run has room for. */
export async function entriesFromSitemap(
  deps: DiscoverDeps,
  claim: Claim,
  content: { pages: readonly string[]; sitemaps: readonly string[] },
): Promise<{ found: NewEntry[]; leftOut: number }> {
  const entries = new Map<string, NewEntry>()
  const at = { depth: 0, wave: claim.wave + 1, foundOn: claim.url }
  const yieldNow = openYielder()
  let leftOut = 0
  const add = (entry: NewEntry | null, kind: 'urls' | 'sitemaps') => {
    if (!entry || entries.has(entry.key)) return
    if (deps.sitemaps[kind] <= 0) return void (leftOut += 1)
    deps.sitemaps[kind] -= 1
    entries.set(entry.key, entry)
  }
  for (const [index, url] of content.pages.entries()) {
    await yieldNow()
    if (deps.sitemaps.urls <= 0) {
      leftOut += content.pages.length - index
      break
    }
    add(await entryFor(deps, url, at, null), 'urls')
  }
  // An index may name itself, or one that names it: waves bound that, and each key is read once.
  if (claim.wave < 3) for (const url of content.sitemaps) add(sitemapEntry(url, at), 'sitemaps')
  return { found: [...entries.values()], leftOut }
}

/** The target of a redirect, at the depth of its source, one wave later. */
export async function entryFromRedirect(deps: DiscoverDeps, claim: Claim, url: string): Promise<NewEntry[]> {
  const at = { depth: claim.depth, wave: claim.wave + 1, foundOn: claim.foundOn }
  const entry = await entryFor(deps, url, at, linkingPage(claim))
  return entry ? [entry] : []
}

async function startEntry(deps: DiscoverDeps, url: string): Promise<NewEntry> {
  const at = { depth: 0, wave: 0, foundOn: null }
  const read = readPageUrl(url, deps.settings)
  if (!read.ok) return { url, key: url, ...at, exclusion: null }
  const entry = { url: read.url, key: read.key, ...at }
  const outside = deps.scope(read.parsed)
  // That the scan's own rules leave a start URL out is a mistake to be seen, not a URL passed over.
  if (outside && (outside.reason === 'other-domain' || outside.reason === 'outside-folder'))
    return { ...entry, exclusion: outside.reason, detail: outside.detail }
  if (outside || (await deps.robots.allows(read.parsed))) return { ...entry, exclusion: null }
  return { ...entry, exclusion: 'robots', detail: `${read.parsed.origin}/robots.txt disallows it` }
}

/**
 * Where a run begins: templates, start URLs, the fixed list, sitemaps, scripts. What is no URL becomes an entry all
 * the same, so that its failure is on record.
 */
export async function startEntries(deps: DiscoverDeps, urls: readonly string[]): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (const url of [...deps.templateUrls, ...urls]) entries.push(await startEntry(deps, url))
  const at = { depth: 0, wave: 0, foundOn: null }
  for (const url of deps.sources.urls) {
    const entry = await entryFor(deps, url, at, null)
    entries.push(entry ?? { url, key: url, ...at, exclusion: null })
  }
  const origins = deps.sources.sitemapsOfRobots ? [...new Set(urls.map((url) => URL.parse(url)?.origin))] : []
  const named = await Promise.all(origins.map(async (origin) => (origin ? deps.robots.sitemaps(origin) : [])))
  for (const url of [...deps.sources.sitemaps, ...named.flat().slice(0, deps.sitemaps.sitemaps)]) {
    deps.sitemaps.sitemaps -= 1
    const entry = sitemapEntry(url, at)
    entries.push(entry ?? { url, key: url, ...at, exclusion: null })
  }
  for (const [index, name] of deps.scripts.entries())
    entries.push({ url: `script:${name}`, key: `${scriptMark}${index}`, ...at, exclusion: null })
  return entries
}
