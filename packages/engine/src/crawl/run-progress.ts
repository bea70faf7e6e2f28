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

const named = 3

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

const describe = (url: string, outcome: PageOutcome): string =>
  outcome.kind === 'completed' ? url : `${url}: ${outcome.reason} (${outcome.detail})`

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
  const ends: { url: string; outcome: PageOutcome }[] = []
  for (const { url, exclusion, detail } of starts)
    if (exclusion !== null)
      ends.push({
        url,
        outcome: {
          kind: 'excluded',
          reason: exclusion,
          detail: detail ?? 'Not part of this scan',
          durationMs: 0,
        },
      })

  const nothingScanned = (): ScanEnd => {
    const detail = ends
      .slice(0, named)
      .map(({ url, outcome }) => describe(url, outcome))
      .join('; ')
    const more = ends.length > named ? `; and ${ends.length - named} more` : ''
    const left = ends.some(({ outcome }) => outcome.kind === 'excluded' && outcome.reason === 'other-domain')
    const failed = ends.some(({ outcome }) => outcome.kind === 'failed')
    const problem = failed ? 'start-urls-failed' : left ? 'start-url-leaves-domains' : 'nothing-to-scan'
    return { kind: 'problem', problem, detail: detail + more }
  }

  return {
    tried: count,
    failuresInRow: () => ({ count: inRow, last }),
    hadBrowser: () => seen > 0,
    recorded(claim, outcome, states = []) {
      count(outcome)
      if (outcome.kind === 'completed' || states.some((state) => state.outcome.kind === 'completed'))
        completed += 1
      // A redirect's target is at depth 0 too and tells what became of the start URL.
      else if (
        claim.depth === 0 &&
        !(outcome.kind === 'excluded' && ['redirect', 'not-a-page', 'duplicate'].includes(outcome.reason))
      )
        ends.push({ url: claim.url, outcome })
    },
    noBrowser: (why) => (browser ??= why),
    browserProblem: () => browser,
    end: () => (completed === 0 && ends.length > 0 ? nothingScanned() : { kind: 'drained' }),
  }
}
