import { leadsElsewhere, startProblemOf, type StartPage } from '@clearway/contract/monitor/run/model.ts'
import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import type { Claim, NewEntry, StateOutcome } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'

/** What this process saw of a run, as far as it decides how the run ends. */
export type RunProgress = {
  recorded(claim: Claim, outcome: PageOutcome, states?: readonly StateOutcome[]): void
  /** An outcome that is not recorded yet, because the URL is tried again. */
  tried(outcome: PageOutcome): void
  /** Visits in a row to which the site did not answer, and what was wrong with the last one. */
  failuresInRow(): { count: number; last: string }
  /** Whether any visit has had a browser. */
  hadBrowser(): boolean
  noBrowser(why: string): void
  browserProblem(): string | null
  end(): ScanEnd
}

/** Failures that say that a site does not answer, rather than something about one page. */
const silence = new Set<FailureReason>([
  'unknown-host',
  'connection-refused',
  'connection-failed',
  'timeout-download',
  'bad-certificate',
  'http-error',
  'session-failed',
  'authentication',
])

/** Follows a run whose start URLs became `starts`. */
export function openRunProgress(starts: readonly NewEntry[]): RunProgress {
  let completed = 0
  let browser: string | null = null
  let inRow = 0
  let last = ''
  let seen = 0
  const count = (outcome: PageOutcome) => {
    seen += 1
    const silent = outcome.kind === 'failed' && silence.has(outcome.reason)
    inRow = silent ? inRow + 1 : 0
    if (outcome.kind === 'failed') last = `${outcome.reason} (${outcome.detail})`
  }
  const ends: StartPage[] = []
  for (const { url, exclusion, detail } of starts)
    if (exclusion !== null)
      ends.push({ url, kind: 'excluded', reason: exclusion, detail: detail ?? 'Not part of this scan' })

  const noteStart = (url: string, outcome: Exclude<PageOutcome, { kind: 'completed' }>) => {
    const { detail } = outcome
    if (outcome.kind === 'failed') ends.push({ url, kind: 'failed', reason: outcome.reason, detail })
    else if (!leadsElsewhere.includes(outcome.reason))
      ends.push({ url, kind: 'excluded', reason: outcome.reason, detail })
  }

  return {
    tried: count,
    failuresInRow: () => ({ count: inRow, last }),
    hadBrowser: () => seen > 0,
    recorded(claim, outcome, states = []) {
      count(outcome)
      if (outcome.kind === 'completed' || states.some((state) => state.outcome.kind === 'completed'))
        completed += 1
      else if (claim.depth === 0) noteStart(claim.url, outcome)
    },
    noBrowser: (why) => (browser ??= why),
    browserProblem: () => browser,
    end: () =>
      completed === 0 && ends.length > 0 ? { kind: 'problem', ...startProblemOf(ends) } : { kind: 'drained' },
  }
}
