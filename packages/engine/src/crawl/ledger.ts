import type { Claim, NewEntry } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'

/** What this process saw of a run, as far as it decides how the run ends. */
export type Ledger = {
  settled(claim: Claim, outcome: PageOutcome): void
  noBrowser(why: string): void
  browserProblem(): string | null
  end(): ScanEnd
}

const named = 3

const describe = (url: string, outcome: PageOutcome): string =>
  outcome.kind === 'completed' ? url : `${url}: ${outcome.reason} (${outcome.detail})`

/** Opens the ledger of a run whose start URLs became `starts`. */
export function openLedger(starts: readonly NewEntry[]): Ledger {
  let completed = 0
  let browser: string | null = null
  const ends: { url: string; outcome: PageOutcome }[] = []
  for (const { url, exclusion } of starts)
    if (exclusion !== null)
      ends.push({
        url,
        outcome: { kind: 'excluded', reason: exclusion, detail: 'Not part of this scan', durationMs: 0 },
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
    settled(claim, outcome) {
      if (outcome.kind === 'completed') completed += 1
      // A redirect's target stands at depth 0 too and tells what became of the start URL.
      else if (claim.depth === 0 && !(outcome.kind === 'excluded' && outcome.reason === 'redirect'))
        ends.push({ url: claim.url, outcome })
    },
    noBrowser: (why) => (browser ??= why),
    browserProblem: () => browser,
    end: () => (completed === 0 && ends.length > 0 ? nothingScanned() : { kind: 'drained' }),
  }
}
