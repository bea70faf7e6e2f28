import type { BrowserPool } from '@clearway/engine/browser/pool.ts'
import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { scan } from '@clearway/engine/scan.ts'
import {
  countPendingRechecks,
  recordRecheckResult,
  whileRenewing,
  claimNextRecheck,
  type RecheckResult,
  createRecheckPlan,
} from './service.ts'
import type { WorkerDeps } from '../execution/service.ts'

type RecheckClaimRow = NonNullable<Awaited<ReturnType<typeof claimNextRecheck>>>
type FindBrowserPool = () => Promise<{ kind: 'ready'; pool: BrowserPool } | { kind: 'missing'; detail: string }>

/** Concurrent re-checks of one worker, in addition to its runs. */
const maxConcurrentRechecks = 2

async function analyzeAgain(
  deps: WorkerDeps,
  claim: RecheckClaimRow,
  findBrowser: FindBrowserPool,
  signal: AbortSignal,
): Promise<RecheckResult> {
  const browserResult = await findBrowser()
  if (browserResult.kind === 'missing') return { kind: 'problem', detail: browserResult.detail }
  const scanPlan = await createRecheckPlan(deps, claim)
  if ('missing' in scanPlan) return { kind: 'problem', detail: scanPlan.missing }
  const recordedOutcomes: PageOutcome[] = []
  const frontier = openMemoryFrontier({
    pageLimit: 1,
    onRecorded: (_entry, outcome) => void recordedOutcomes.push(outcome),
    onExcluded: ({ detail }) =>
      void recordedOutcomes.push({ kind: 'excluded', reason: 'robots', detail: detail ?? '', durationMs: 0 }),
  })
  const scanEnd = await scan({ pool: browserResult.pool, frontier }, scanPlan, signal)
  const [pageOutcome] = recordedOutcomes
  if (pageOutcome) return pageOutcome
  return scanEnd.kind === 'problem' ? { kind: 'problem', detail: scanEnd.detail } : { kind: 'stopped' }
}

/**
 * Performs re-checks, those requested by users first. `take` polls for more; `idle` resolves when all in-flight ones are done.
 * @param onRoom called when one has ended, so that the next can start
 */
export function openRechecks(
  deps: WorkerDeps,
  findBrowser: FindBrowserPool,
  { signal, onRoom }: { signal: AbortSignal; onRoom: () => void },
) {
  const activeRechecks = new Set<Promise<void>>()
  const performRecheck = async (claim: RecheckClaimRow): Promise<void> => {
    const recheckResult = await whileRenewing(deps, claim, () => analyzeAgain(deps, claim, findBrowser, signal))
    await recordRecheckResult(deps, claim, recheckResult)
  }
  let countPromise: Promise<void> | null = null
  // Counting a large run takes seconds, so it does not block other work of this worker.
  const startCount = (): void => {
    countPromise ??= countPendingRechecks(deps)
      .catch((error: unknown) => deps.log('warn', `counting re-checks: ${String(error)}`))
      .finally(() => (countPromise = null))
  }
  return {
    async take(): Promise<void> {
      startCount()
      while (activeRechecks.size < maxConcurrentRechecks && !signal.aborted) {
        const nextClaim = await claimNextRecheck(deps)
        if (!nextClaim) return
        // After an error of ours, the re-check is claimed again when its lease expires.
        const recheckPromise = performRecheck(nextClaim)
          .catch((error: unknown) => deps.log('error', `re-check of ${nextClaim.url}: ${String(error)}`))
          .finally(() => {
            activeRechecks.delete(recheckPromise)
            onRoom()
          })
        activeRechecks.add(recheckPromise)
      }
    },
    isBusy: () => activeRechecks.size > 0,
    idle: async (): Promise<void> => void (await Promise.all([...activeRechecks, countPromise])),
  }
}
