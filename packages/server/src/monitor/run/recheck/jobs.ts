import type { BrowserPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { scan } from '@clearway/engine/scan.ts'
import { countRechecked, endOfRecheck, holding, nextRecheck, type Rechecked, recheckPlan } from './service.ts'
import type { WorkerDeps } from '../worker/service.ts'

type Claim = NonNullable<Awaited<ReturnType<typeof nextRecheck>>>
type FindBrowser = () => Promise<{ kind: 'ready'; pool: BrowserPool } | { kind: 'missing'; detail: string }>

/** Pages that one worker analyses again at once, beside its runs. */
const atOnce = 2

async function analyse(
  deps: WorkerDeps,
  claim: Claim,
  browser: FindBrowser,
  signal: AbortSignal,
): Promise<Rechecked> {
  const found = await browser()
  if (found.kind === 'missing') return { kind: 'problem', detail: found.detail }
  const plan = await recheckPlan(deps, claim)
  if ('missing' in plan) return { kind: 'problem', detail: plan.missing }
  const outcomes: PageOutcome[] = []
  const frontier = openMemoryFrontier({
    pageLimit: 1,
    onRecorded: (_entry, outcome) => void outcomes.push(outcome),
    onExcluded: ({ detail }) =>
      void outcomes.push({ kind: 'excluded', reason: 'robots', detail: detail ?? '', durationMs: 0 }),
  })
  const end = await scan({ pool: found.pool, frontier }, plan, signal)
  const [outcome] = outcomes
  if (outcome) return outcome
  return end.kind === 'problem' ? { kind: 'problem', detail: end.detail } : { kind: 'stopped' }
}

/**
 * Analyses pages again, those first that people asked for. `take` looks for more; `idle` resolves when all in hand are done.
 * @param onRoom when one has ended, so that the next need not wait
 */
export function openRechecks(
  deps: WorkerDeps,
  browser: FindBrowser,
  { signal, onRoom }: { signal: AbortSignal; onRoom: () => void },
) {
  const working = new Set<Promise<void>>()
  const one = async (claim: Claim): Promise<void> => {
    const result = await holding(deps, claim, () => analyse(deps, claim, browser, signal))
    await endOfRecheck(deps, claim, result)
  }
  let counting: Promise<void> | null = null
  // A large run takes seconds to count: runs and pages that the worker could take do not wait for that.
  const count = (): void => {
    counting ??= countRechecked(deps)
      .catch((error: unknown) => deps.log('warn', `counting re-checks: ${String(error)}`))
      .finally(() => (counting = null))
  }
  return {
    async take(): Promise<void> {
      count()
      while (working.size < atOnce && !signal.aborted) {
        const claim = await nextRecheck(deps)
        if (!claim) return
        // One that failed for a reason of ours comes again when its lease has run out.
        const doing = one(claim)
          .catch((error: unknown) => deps.log('error', `re-check of ${claim.url}: ${String(error)}`))
          .finally(() => {
            working.delete(doing)
            onRoom()
          })
        working.add(doing)
      }
    },
    idle: async (): Promise<void> => void (await Promise.all([...working, counting])),
  }
}
