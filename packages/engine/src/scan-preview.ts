import type { ExclusionReason, FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { BrowserPool } from './browser/pool.ts'
import { readPageUrl } from './crawl/scope/page-url.ts'
import { judgeUrl } from './crawl/scope/discover.ts'
import { openMemoryFrontier } from './crawl/memory-frontier.ts'
import type { NewEntry } from './frontier.ts'
import type { PageOutcome } from './outcome.ts'
import { openScanContext } from './scan-open.ts'
import { scan } from './scan.ts'
import { problemOf } from './settings-check.ts'
import type { ScanPlan } from './settings.ts'

/** A URL as a scan would treat it, and why. */
export type PreviewedUrl = {
  url: string
  depth: number
  /** The page on which it was first met; null for a start URL. */
  foundOn: string | null
  verdict: 'crawled' | 'failed' | 'excluded'
  reason: FailureReason | ExclusionReason | null
  /** English: which rule, which host. */
  detail: string | null
}

export type PreviewEnd =
  /** Everything was met. */
  | { kind: 'whole' }
  /** The time was up, or somebody stopped it. */
  | { kind: 'stopped' }
  | { kind: 'problem'; detail: string }

const excluded = ({ url, depth, foundOn, exclusion, detail }: NewEntry): PreviewedUrl => ({
  url,
  depth,
  foundOn,
  verdict: 'excluded',
  reason: exclusion,
  detail: detail ?? null,
})

const visited = ({ url, depth, foundOn }: NewEntry, outcome: PageOutcome): PreviewedUrl => ({
  url,
  depth,
  foundOn,
  verdict: outcome.kind === 'completed' ? 'crawled' : outcome.kind,
  reason: outcome.kind === 'completed' ? null : outcome.reason,
  detail: outcome.kind === 'completed' ? null : outcome.detail,
})

/**
 * Crawls as a scan would, without analysing, for `limitMs` at most, and hands out each URL as it is met or visited.
 * Scripts are not walked. Nothing is stored.
 */
export async function previewScope(
  deps: { pool: BrowserPool; onUrl: (found: PreviewedUrl) => void },
  plan: ScanPlan,
  options: { limitMs: number; signal: AbortSignal },
): Promise<PreviewEnd> {
  const frontier = openMemoryFrontier({
    pageLimit: plan.pageLimit,
    onRecorded: (entry, outcome) => deps.onUrl(visited(entry, outcome)),
    onExcluded: (entry) => deps.onUrl(excluded(entry)),
  })
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.limitMs)])
  const end = await scan(
    { pool: deps.pool, frontier, analyse: false },
    { ...plan, scripts: [], advanced: { ...plan.advanced, pageTimeoutMs: 15_000 } },
    signal,
  )
  // What an early end left over says nothing about the limit.
  if (end.kind === 'drained')
    for (const entry of frontier.waiting()) deps.onUrl(excluded({ ...entry, exclusion: 'over-limit' }))
  if (end.kind === 'problem') return { kind: 'problem', detail: `${end.problem}: ${end.detail}` }
  return { kind: end.kind === 'drained' ? 'whole' : 'stopped' }
}

/** What a scan would do with one URL, by its rules and robots.txt alone: no page is opened. */
export async function testUrl(
  deps: { pool: BrowserPool },
  plan: ScanPlan,
  text: string,
): Promise<PreviewedUrl> {
  const at = { url: text, depth: 0, foundOn: null }
  const wrong = problemOf(plan)
  if (wrong !== null) return { ...at, verdict: 'failed', reason: 'violates-settings', detail: wrong }
  const read = readPageUrl(text, plan.advanced)
  if (!read.ok) return { ...at, verdict: 'failed', reason: 'bad-url', detail: 'It is no URL' }
  const frontier = openMemoryFrontier({ pageLimit: 1, onRecorded: () => undefined })
  // Whether a sign-in works is not the question here.
  const opened = await openScanContext({ pool: deps.pool, frontier }, { ...plan, session: null })
  if (opened.kind === 'problem')
    return { ...at, verdict: 'failed', reason: 'browser-cluster', detail: opened.detail }
  try {
    const signsIn = plan.session != null
    const entry = await judgeUrl({ ...opened.context.discover, signsIn }, read.url)
    return entry && entry.exclusion !== null
      ? excluded(entry)
      : { ...at, url: read.url, verdict: 'crawled', reason: null, detail: null }
  } finally {
    await opened.close()
  }
}
