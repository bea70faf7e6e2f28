import type { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { type AliasCandidate, blankIssues, findAliases } from '@clearway/contract/monitor/page/alias/model.ts'
import { mayStandIn } from '@clearway/contract/monitor/page/wall/model.ts'
import type { BrowserPool } from './browser/pool.ts'
import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { openActingRule } from './crawl/action/rule.ts'
import { judgeUrl } from './crawl/scope/discover.ts'
import { openMemoryFrontier } from './crawl/memory-frontier.ts'
import type { NewEntry, UnmetPage } from './frontier.ts'
import type { PageOutcome } from './outcome.ts'
import { openScanContext } from './scan-open.ts'
import { scan } from './scan.ts'
import { findPlanProblem } from './settings-check.ts'
import { getOrder, type ScanPlan } from './settings.ts'

/** A URL with the verdict that a scan would give it. */
export type PreviewedUrl = {
  url: string
  depth: number
  /** First page that links to it; null for a start URL. */
  foundOn: string | null
  verdict: 'crawled' | 'failed' | 'excluded'
  reason: FailureReason | ExclusionReason | null
  /** English: which rule, which host. */
  detail: string | null
}

export type PreviewResult =
  /** All URLs were reported. */
  | { kind: 'whole' }
  /** The time limit was reached, or the preview was aborted. */
  | { kind: 'stopped' }
  | { kind: 'problem'; detail: string }

const toExcludedPreview = ({ url, depth, foundOn, exclusion, detail }: NewEntry): PreviewedUrl => ({
  url,
  depth,
  foundOn,
  verdict: 'excluded',
  reason: exclusion,
  detail: detail ?? null,
})

const toVisitedPreview = ({ url, depth, foundOn }: NewEntry, outcome: PageOutcome): PreviewedUrl => ({
  url,
  depth,
  foundOn,
  verdict: outcome.kind === 'completed' ? 'crawled' : outcome.kind,
  reason: outcome.kind === 'completed' ? null : outcome.reason,
  detail: outcome.kind === 'completed' ? null : outcome.detail,
})

type VisitedUrl = { entry: NewEntry; outcome: Extract<PageOutcome, { kind: 'completed' }> }

/** Pages of a preview as a run compares them, without their issues, which a preview does not know. */
const toCandidate = (visit: VisitedUrl): (AliasCandidate & { visit: VisitedUrl })[] => {
  const { entry, outcome } = visit
  const { signature, evidence, title } = outcome
  if (!signature || signature.isSeparate) return []
  return [
    {
      visit,
      url: entry.url,
      content: signature.content,
      title,
      ...blankIssues,
      isStandIn: evidence !== undefined && mayStandIn(evidence),
      canonical: signature.canonical ?? null,
      isNamed: entry.foundOn === null,
      wasTested: false,
    },
  ]
}
const findVisitedAliases = (visits: readonly VisitedUrl[]) => findAliases(visits.flatMap(toCandidate))

/**
 * Crawls like a scan for at most `limitMs` without analyzing pages, and reports each URL when it is found or visited.
 * Does not run scripts. Stores nothing. A page that turns out to be another one is reported again, as excluded.
 * @param options.previousPages pages of the last run that a limited one in the representative order tests again
 */
export async function previewScope(
  deps: { pool: BrowserPool; onUrl: (previewedUrl: PreviewedUrl) => void },
  plan: ScanPlan,
  options: { limitMs: number; signal: AbortSignal; previousPages?: readonly UnmetPage[] },
): Promise<PreviewResult> {
  const { previousPages = [] } = options
  const visits: VisitedUrl[] = []
  const memoryFrontier = openMemoryFrontier({
    pageLimit: plan.pageLimit,
    order: getOrder(plan),
    onRecorded(entry, outcome) {
      if (outcome.kind === 'completed') visits.push({ entry, outcome })
      deps.onUrl(toVisitedPreview(entry, outcome))
    },
    countJoined: () => findVisitedAliases(visits).length,
    onExcluded: (entry) => deps.onUrl(toExcludedPreview(entry)),
  })
  const previewSignal = AbortSignal.any([options.signal, AbortSignal.timeout(options.limitMs)])
  const scanEnd = await scan(
    { pool: deps.pool, frontier: { ...memoryFrontier, listPreviousPages: async () => previousPages }, analyze: false },
    { ...plan, scripts: [], advanced: { ...plan.advanced, pageTimeoutMs: 15_000 } },
    previewSignal,
  )
  for (const { page, reason } of findVisitedAliases(visits))
    deps.onUrl(toExcludedPreview({ ...page.visit.entry, exclusion: 'duplicate', detail: reason }))
  // After an early stop, waiting entries are not over the limit.
  if (scanEnd.kind === 'drained')
    for (const entry of memoryFrontier.listWaiting()) deps.onUrl(toExcludedPreview({ ...entry, exclusion: 'over-limit' }))
  for (const entry of memoryFrontier.listUnreported()) deps.onUrl(toExcludedPreview(entry))
  if (scanEnd.kind === 'problem') return { kind: 'problem', detail: `${scanEnd.problem}: ${scanEnd.detail}` }
  return { kind: scanEnd.kind === 'drained' ? 'whole' : 'stopped' }
}

/** Returns the verdict for one URL by the scan's rules and robots.txt alone. Opens no page. */
export async function testUrl(deps: { pool: BrowserPool }, plan: ScanPlan, urlText: string): Promise<PreviewedUrl> {
  const previewBase = { url: urlText, depth: 0, foundOn: null }
  const planProblem = findPlanProblem(plan)
  if (planProblem !== null) return { ...previewBase, verdict: 'failed', reason: 'violates-settings', detail: planProblem }
  const parsedUrl = readPageUrl(urlText, plan.advanced)
  if (!parsedUrl.ok) return { ...previewBase, verdict: 'failed', reason: 'bad-url', detail: 'It is no URL' }
  const memoryFrontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  // Sign-in is irrelevant for this verdict.
  const openedScan = await openScanContext({ pool: deps.pool, frontier: memoryFrontier }, { ...plan, session: null })
  if (openedScan.kind === 'problem')
    return { ...previewBase, verdict: 'failed', reason: 'browser-cluster', detail: openedScan.detail }
  try {
    const judgedEntry = await judgeUrl({ ...openedScan.context.discover, acting: openActingRule(plan) }, parsedUrl.url)
    return judgedEntry && judgedEntry.exclusion !== null
      ? toExcludedPreview(judgedEntry)
      : { ...previewBase, url: parsedUrl.url, verdict: 'crawled', reason: null, detail: null }
  } finally {
    await openedScan.close()
  }
}
