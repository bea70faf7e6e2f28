import { forwardingReasons, startProblemOf, type StartPage } from '@clearway/contract/monitor/run/model.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Claim, NewEntry, StateOutcome } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'

/** Observations of this process that determine how the run ends. */
export type RunProgress = {
  noteRecorded(claim: Claim, outcome: PageOutcome, states?: readonly StateOutcome[]): void
  /** Notes an outcome that is not recorded yet because the URL is retried. */
  noteRetried(outcome: PageOutcome): void
  /** Number of consecutive visits without a response from the site, and the last failure. */
  getFailureStreak(): { count: number; last: string }
  setBrowserFailure(failureDetail: string): void
  getBrowserFailure(): string | null
  getRunEnd(): ScanEnd
}

/** Failures that indicate an unresponsive site rather than a problem with one page. */
const unreachableReasons = new Set<FailureReason>([
  'unknown-host',
  'connection-refused',
  'connection-failed',
  'timeout-download',
  'bad-certificate',
  'http-error',
  'bot-protection',
  'session-failed',
  'authentication',
])

/** Tracks a run with the given start entries. */
export function openRunProgress(startEntries: readonly NewEntry[]): RunProgress {
  let completedCount = 0
  let browserFailure: string | null = null
  let failureStreak = 0
  let lastFailure = ''
  const countVisit = (outcome: PageOutcome) => {
    const isUnreachable = outcome.kind === 'failed' && unreachableReasons.has(outcome.reason)
    failureStreak = isUnreachable ? failureStreak + 1 : 0
    if (outcome.kind === 'failed') lastFailure = `${outcome.reason} (${outcome.detail})`
  }
  const startPages: StartPage[] = []
  for (const { url, exclusion, detail } of startEntries)
    if (exclusion !== null)
      startPages.push({ url, kind: 'excluded', reason: exclusion, detail: detail ?? 'Not part of this scan' })

  const noteStartPage = (url: string, outcome: Exclude<PageOutcome, { kind: 'completed' }>) => {
    const { detail } = outcome
    if (outcome.kind === 'failed') startPages.push({ url, kind: 'failed', reason: outcome.reason, detail })
    else if (!forwardingReasons.includes(outcome.reason))
      startPages.push({ url, kind: 'excluded', reason: outcome.reason, detail })
  }

  return {
    noteRetried: countVisit,
    getFailureStreak: () => ({ count: failureStreak, last: lastFailure }),
    noteRecorded(claim, outcome, stateOutcomes = []) {
      countVisit(outcome)
      if (outcome.kind === 'completed' || stateOutcomes.some((state) => state.outcome.kind === 'completed')) completedCount += 1
      else if (claim.depth === 0) noteStartPage(claim.url, outcome)
    },
    setBrowserFailure: (failureDetail) => (browserFailure ??= failureDetail),
    getBrowserFailure: () => browserFailure,
    getRunEnd: () =>
      completedCount === 0 && startPages.length > 0 ? { kind: 'problem', ...startProblemOf(startPages) } : { kind: 'drained' },
  }
}
