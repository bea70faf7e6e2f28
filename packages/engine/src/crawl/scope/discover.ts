import type { Sources } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { openYielder } from '../yielder.ts'
import type { Claim, NewEntry, UnmetPage } from '../../frontier.ts'
import { hidesSecret, readPageUrl, type PageUrlSettings } from '@clearway/contract/monitor/page/url/model.ts'
import type { Robots } from '../robots/robots.ts'
import { maxSitemapWaves, type SitemapBudget } from '../sitemap/budget.ts'
import { describeActing, type ActingRule } from '../action/rule.ts'
import { judgeActing, type LinkHints } from '../action/judge.ts'
import { hideTokens } from '../action/token.ts'
import { openTrapBucket, toPreviousBucket } from '@clearway/contract/monitor/run/bucket/model.ts'
import { describeUrl, type LinkSource, listPlainUrls } from './bucket.ts'
import type { PageLink } from '../../axe/report-in-page.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import type { Scope } from './scope.ts'
import { computeChain, computePattern, getTrapReason, type ContentLog, type LinkingPage } from './trap.ts'

export type DiscoverDeps = {
  scope: Scope
  robots: Robots
  settings: PageUrlSettings
  depth: number | null
  sources: Sources
  /** Pages with common components; visited first. */
  templateUrls: readonly string[]
  /** Pages that each run tests; visited after the start URLs. */
  alwaysTested: readonly string[]
  /** Returns true for URLs that are tested although they are traps. */
  opensTrap: (url: URL) => boolean
  /** Scripts of the run, by name. */
  scripts: readonly string[]
  /** Links that may sign out or change something. */
  acting: ActingRule
  /** Contents met by the run in this process. */
  contents: ContentLog
  /** Order of the run. */
  order: CrawlOrder
  /** Also visits results of forms with few values. */
  followForms: boolean
  /** Remaining budget for reading sitemaps. */
  sitemaps: SitemapBudget
}

/** Schemes that do not lead to pages and are not recorded. */
const ignoredSchemes = new Set(['javascript:', 'mailto:', 'tel:', 'sms:', 'data:', 'blob:', 'about:', 'callto:', 'skype:'])

type EntryPosition = Pick<NewEntry, 'depth' | 'wave' | 'foundOn'>

/** Key prefixes of entries that are not pages. No URL contains a space. */
const sitemapKeyPrefix = 'sitemap '
const scriptKeyPrefix = 'script '
export const isSitemap = ({ key }: NewEntry): boolean => key.startsWith(sitemapKeyPrefix)
/** Returns the script index of an entry; null for pages. */
export const getScriptIndex = ({ key }: NewEntry): number | null =>
  key.startsWith(scriptKeyPrefix) ? Number(key.slice(scriptKeyPrefix.length)) : null

/** Creates the entry of a sitemap, which is read in its turn. */
function createSitemapEntry(url: string, entryPosition: EntryPosition, baseUrl?: string): NewEntry | null {
  const parsedUrl = URL.parse(url, baseUrl)
  if (!parsedUrl || !/^https?:$/.test(parsedUrl.protocol)) return null
  return {
    url: parsedUrl.href,
    key: `${sitemapKeyPrefix}${parsedUrl.href}`,
    ...entryPosition,
    exclusion: null,
  }
}

/** Properties of a link, and of the place where it was found. */
type FoundLink = LinkHints & Partial<Pick<PageLink, 'kind' | 'place' | 'relations' | 'isUnfollowed'>> & { source?: LinkSource }

/** Facts about a link: the length of its chain, and what it says on its page. */
type LinkFacts = { chainLength: number; hints?: LinkHints & Pick<FoundLink, 'kind'> }

/** Returns the reason why a link is not followed, apart from the scan's scope. */
async function findExclusion(
  discoverDeps: DiscoverDeps,
  url: URL,
  entryPosition: EntryPosition,
  link: LinkFacts,
): Promise<Pick<NewEntry, 'exclusion' | 'detail'>> {
  // The scan itself sends a form and runs a script in its place, also where it opens every link.
  const isNoLink = link.hints?.kind === 'form' || link.hints?.kind === 'script'
  const actingReason = discoverDeps.acting.findReason(url, link.hints) ?? (isNoLink ? judgeActing(url, link.hints) : null)
  if (actingReason) return { exclusion: 'acting-link', detail: describeActing(actingReason) }
  if (!discoverDeps.sources.followLinks && entryPosition.depth > 0)
    return { exclusion: 'too-deep', detail: 'This scan follows no links' }
  if (discoverDeps.depth !== null && entryPosition.depth > discoverDeps.depth)
    return { exclusion: 'too-deep', detail: `More than ${discoverDeps.depth} links away from a start URL` }
  const trapDetail = discoverDeps.opensTrap(url) ? null : getTrapReason(url, link.chainLength)
  if (trapDetail !== null) return { exclusion: 'trap', detail: trapDetail }
  const robotsRefusal = await discoverDeps.robots.findRefusal(url)
  return robotsRefusal === null ? { exclusion: null } : { exclusion: 'robots', detail: robotsRefusal }
}

/** Depth that separates the buckets of a scan with a maximum depth: nearer URLs come first, so that none is missed. */
const getLevel = ({ depth }: DiscoverDeps, entryPosition: EntryPosition): number => (depth === null ? 0 : entryPosition.depth)

/** A URL that is not visited needs no token, which would be shown to everyone who sees the scan, and differs in each run. */
function hideEntryTokens({ settings }: DiscoverDeps, urlText: string): Pick<NewEntry, 'url' | 'key'> {
  const url = hideTokens(urlText)
  const pageUrl = readPageUrl(url, settings)
  return { url, key: pageUrl.ok ? pageUrl.key : url }
}

/** The place of a URL among those that wait; none in the breadth-first order. */
function placeEntry(discoverDeps: DiscoverDeps, url: URL, link: FoundLink, entryPosition: EntryPosition) {
  if (!link.source || discoverDeps.order !== 'representative') return {}
  const placement = describeUrl(url, link, link.source, getLevel(discoverDeps, entryPosition))
  return discoverDeps.opensTrap(url) ? { ...placement, bucket: openTrapBucket(placement.bucket) } : placement
}

/** The URL to show, and the one to open where it differs. */
const toEntryUrls = ({ url, shownUrl }: { url: string; shownUrl: string }): Pick<NewEntry, 'url' | 'visitUrl'> =>
  url === shownUrl ? { url } : { url: shownUrl, visitUrl: url }

/** Creates the entry for a URL on a page, with its exclusion if any; null if it is not worth recording. */
async function createEntry(
  discoverDeps: DiscoverDeps,
  url: string,
  entryPosition: EntryPosition,
  parent: LinkingPage | null,
  link: FoundLink = {},
): Promise<NewEntry | null> {
  const pageUrl = readPageUrl(url, discoverDeps.settings)
  if (!pageUrl.ok) {
    const parsedUrl = URL.parse(url)
    if (pageUrl.why !== 'scheme' || !parsedUrl || ignoredSchemes.has(parsedUrl.protocol)) return null
    return {
      url,
      key: url,
      ...entryPosition,
      exclusion: 'scheme',
      detail: `URLs of ${parsedUrl.protocol} are no pages`,
    }
  }
  const chainLength = computeChain(pageUrl.parsed, parent)
  const placement = placeEntry(discoverDeps, pageUrl.parsed, link, entryPosition)
  const baseEntry = { key: pageUrl.key, ...entryPosition, chain: chainLength, ...placement }
  const outOfScope = discoverDeps.scope(pageUrl.parsed)
  const exclusion = outOfScope
    ? { exclusion: outOfScope.reason, detail: outOfScope.detail }
    : await findExclusion(discoverDeps, pageUrl.parsed, entryPosition, { chainLength, hints: link })
  const hidesTokens = discoverDeps.acting.isOn && exclusion.exclusion !== null
  return {
    ...baseEntry,
    ...(hidesTokens ? hideEntryTokens(discoverDeps, pageUrl.url) : toEntryUrls(pageUrl)),
    ...exclusion,
  }
}

/** Returns the verdict for one URL, independent of its source; null if it is not worth recording. */
export const judgeUrl = (discoverDeps: DiscoverDeps, url: string): Promise<NewEntry | null> =>
  createEntry(discoverDeps, url, { depth: 0, wave: 0, foundOn: null }, null)

/** @param hasNewContent the page does not lengthen the chain: what is different is not generated forever */
function toLinkingPage({ url, chain: chainLength = 0 }: Claim, hasNewContent = false): LinkingPage | null {
  const parsedUrl = URL.parse(url)
  return parsedUrl && { pattern: computePattern(parsedUrl), chain: hasNewContent ? chainLength - 1 : chainLength }
}

/** Returns true if the scan follows links of this kind. Breadth-first scans skip the kinds that would change their set of pages. */
function shouldFollow({ order, followForms }: DiscoverDeps, kind: PageLink['kind'] | undefined): boolean {
  if (kind === 'form') return followForms
  return (kind !== 'alternate' && kind !== 'option' && kind !== 'script') || order === 'representative'
}

const unknownSource: LinkSource = { template: '', isUnfollowed: false }

/** Returns the links of a page as entries one level deeper, once per key, in document order. */
export async function buildLinkEntries(
  discoverDeps: DiscoverDeps,
  claim: Claim,
  pageLinks: readonly ({ url: string } & FoundLink)[],
  { hasNewContent = false, source = unknownSource }: { hasNewContent?: boolean; source?: LinkSource | undefined } = {},
): Promise<NewEntry[]> {
  const entriesByKey = new Map<string, NewEntry>()
  const entryPosition = { depth: claim.depth + 1, wave: claim.wave + 1, foundOn: claim.url }
  const parent = toLinkingPage(claim, hasNewContent)
  const isPlaced = discoverDeps.order === 'representative'
  const linkSource = isPlaced ? { ...source, plainUrls: listPlainUrls([claim.url, ...pageLinks.map(({ url }) => url)]) } : source
  const yieldNow = openYielder()
  for (const link of pageLinks) {
    await yieldNow()
    if (!shouldFollow(discoverDeps, link.kind)) continue
    const linkEntry = await createEntry(discoverDeps, link.url, entryPosition, parent, { ...link, source: linkSource })
    if (!linkEntry || linkEntry.key === claim.key) continue
    // A page may link to an address, and delete what is there by another link with the same one.
    const isHarmlessAfterAll = entriesByKey.get(linkEntry.key)?.exclusion === 'acting-link' && linkEntry.exclusion === null
    if (isHarmlessAfterAll || !entriesByKey.has(linkEntry.key)) entriesByKey.set(linkEntry.key, linkEntry)
  }
  return [...entriesByKey.values()]
}

const sitemapSource: LinkSource = { template: 'sitemap', isUnfollowed: false, place: 'head' }

/**
 * Returns the targets of a sitemap within the run's budget: pages at the depth of start URLs, and further sitemaps.
 * `brokenUrls`: entries that are no URLs to visit.
 */
export async function buildSitemapEntries(
  discoverDeps: DiscoverDeps,
  claim: Claim,
  content: { pages: readonly string[]; sitemaps: readonly string[]; broken: readonly string[] },
  baseUrl: string,
): Promise<{ foundEntries: NewEntry[]; omittedCount: number; brokenUrls: string[] }> {
  const entriesByKey = new Map<string, NewEntry>()
  const entryPosition = { depth: 0, wave: claim.wave + 1, foundOn: claim.url }
  const yieldNow = openYielder()
  let omittedCount = 0
  const brokenUrls = [...content.broken]
  const addEntry = (entry: NewEntry | null, budgetKind: 'urls' | 'sitemaps') => {
    if (!entry || entriesByKey.has(entry.key)) return
    if (discoverDeps.sitemaps[budgetKind] <= 0) return void (omittedCount += 1)
    discoverDeps.sitemaps[budgetKind] -= 1
    entriesByKey.set(entry.key, entry)
  }
  for (const [index, url] of content.pages.entries()) {
    await yieldNow()
    if (discoverDeps.sitemaps.urls <= 0) {
      omittedCount += content.pages.length - index
      break
    }
    const pageEntry = await createEntry(discoverDeps, URL.parse(url, baseUrl)?.href ?? url, entryPosition, null, {
      source: sitemapSource,
    })
    if (!pageEntry) brokenUrls.push(url)
    addEntry(pageEntry, 'urls')
  }
  // A sitemap index may form a cycle, which the number of waves bounds; each key is read once.
  if (claim.wave < maxSitemapWaves)
    for (const url of content.sitemaps) {
      const sitemapEntry = createSitemapEntry(url, entryPosition, baseUrl)
      if (!sitemapEntry) brokenUrls.push(url)
      addEntry(sitemapEntry, 'sitemaps')
    }
  return { foundEntries: [...entriesByKey.values()], omittedCount, brokenUrls }
}

/** Returns the target of a redirect, at the depth of its source, one wave later. */
export async function buildRedirectEntry(discoverDeps: DiscoverDeps, claim: Claim, url: string): Promise<NewEntry[]> {
  const entryPosition = { depth: claim.depth, wave: claim.wave + 1, foundOn: claim.foundOn }
  const targetEntry = await createEntry(discoverDeps, url, entryPosition, toLinkingPage(claim))
  return targetEntry ? [targetEntry] : []
}

/** Pages whose stored URL can be visited: without its secret, the site may show something else. */
const selectVisitable = (pages: readonly UnmetPage[]) => pages.filter(({ url }) => !hidesSecret(url))

/** Returns the entries of pages that no link leads to any longer, with their exclusion by the present settings. */
export async function buildUnmetEntries(discoverDeps: DiscoverDeps, unmetPages: readonly UnmetPage[]): Promise<NewEntry[]> {
  if (!discoverDeps.sources.followLinks) return []
  const yieldNow = openYielder()
  const unmetEntries: NewEntry[] = []
  for (const { url, depth, foundOn } of selectVisitable(unmetPages)) {
    await yieldNow()
    const entry = await createEntry(discoverDeps, url, { depth, wave: 0, foundOn }, null)
    if (entry) unmetEntries.push(entry)
  }
  return unmetEntries
}

/** Returns the entries of pages of the last run that a limited run tests again, as far as the present settings allow. */
export async function buildPreviousEntries(discoverDeps: DiscoverDeps, pages: readonly UnmetPage[]): Promise<NewEntry[]> {
  const entries: NewEntry[] = []
  for (const { url, depth, foundOn } of selectVisitable(pages)) {
    const entry = await createEntry(discoverDeps, url, { depth, wave: 0, foundOn }, null, { source: unknownSource })
    if (entry?.exclusion === null && entry.bucket != null)
      entries.push({ ...entry, rank: 0, bucket: toPreviousBucket(entry.bucket) })
  }
  return entries
}

async function createStartEntry(discoverDeps: DiscoverDeps, url: string): Promise<NewEntry> {
  const entryPosition = { depth: 0, wave: 0, foundOn: null }
  const pageUrl = readPageUrl(url, discoverDeps.settings)
  if (!pageUrl.ok) return { url, key: url, ...entryPosition, exclusion: null }
  const baseEntry = { ...toEntryUrls(pageUrl), key: pageUrl.key, ...entryPosition }
  const outOfScope = discoverDeps.scope(pageUrl.parsed)
  // A start URL excluded by the scan's own rules is a mistake that must be visible, so it is not skipped.
  if (outOfScope && (outOfScope.reason === 'other-domain' || outOfScope.reason === 'outside-folder'))
    return { ...baseEntry, exclusion: outOfScope.reason, detail: outOfScope.detail }
  const robotsRefusal = outOfScope ? null : await discoverDeps.robots.findRefusal(pageUrl.parsed)
  if (robotsRefusal === null) return { ...baseEntry, exclusion: null }
  return { ...baseEntry, exclusion: 'robots', detail: robotsRefusal }
}

const listSource: LinkSource = { template: 'list', isUnfollowed: false }

/**
 * Creates the first entries of a run: templates, start URLs, the fixed list, sitemaps, scripts. Invalid URLs become
 * entries, too, so that their failure is recorded.
 */
export async function createStartEntries(discoverDeps: DiscoverDeps, urls: readonly string[]): Promise<NewEntry[]> {
  const startEntries: NewEntry[] = []
  for (const url of [...discoverDeps.templateUrls, ...urls]) startEntries.push(await createStartEntry(discoverDeps, url))
  const entryPosition = { depth: 0, wave: 0, foundOn: null }
  // Without a bucket, they do not wait for a batch.
  for (const url of discoverDeps.alwaysTested) {
    const entry = await createEntry(discoverDeps, url, entryPosition, null)
    startEntries.push(entry ?? { url, key: url, ...entryPosition, exclusion: null })
  }
  for (const url of discoverDeps.sources.urls) {
    const listEntry = await createEntry(discoverDeps, url, entryPosition, null, { source: listSource })
    startEntries.push(listEntry ?? { url, key: url, ...entryPosition, exclusion: null })
  }
  const siteOrigins = discoverDeps.sources.sitemapsOfRobots ? [...new Set(urls.map((url) => URL.parse(url)?.origin))] : []
  const robotsSitemaps = await Promise.all(
    siteOrigins.map(async (origin) => (origin ? discoverDeps.robots.sitemaps(origin) : [])),
  )
  for (const url of [...discoverDeps.sources.sitemaps, ...robotsSitemaps.flat().slice(0, discoverDeps.sitemaps.sitemaps)]) {
    discoverDeps.sitemaps.sitemaps -= 1
    const sitemapEntry = createSitemapEntry(url, entryPosition)
    startEntries.push(sitemapEntry ?? { url, key: url, ...entryPosition, exclusion: null })
  }
  for (const [index, name] of discoverDeps.scripts.entries())
    startEntries.push({
      url: `script:${name}`,
      key: `${scriptKeyPrefix}${index}`,
      ...entryPosition,
      exclusion: null,
    })
  return startEntries
}
