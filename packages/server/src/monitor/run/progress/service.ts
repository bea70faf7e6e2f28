import type { PubSub } from '../../../kit/pub-sub.ts'
import type { MonitorDb } from '../../database.ts'
import { tryRefreshRunCounts } from '../finish/store.ts'

export type ActiveRun = {
  stopController: AbortController
  /** True for changes that, as far as this process knows, are not yet counted. */
  hasUncountedChanges: boolean
  /** Earliest time of the next count, by the clock of `performance`. */
  nextCountAt: number
  /** Maximum number of pages; null until the plan is read. */
  pageLimit: number | null
  done: Promise<void>
}

/** The active runs of a worker, by id, and its consecutive failures of each. */
type ActiveRuns = { working: Map<string, ActiveRun>; failures: Map<string, number> }

/** Interval between counts of a run, for any number of workers. */
export const countIntervalMs = 1000
/** Slightly less than the interval, so that the next round of the counting worker is not too early. */
const minCountPauseMs = 0.8 * countIntervalMs
/** Minimum pause as a multiple of the duration of the last count: counting millions of URLs each second would leave no time for pages. */
const pauseFactor = 20
/** Maximum pause, which a count of fifty million URLs reaches: with a shorter one, a run would spend its time counting. */
const maxCountPauseMs = 15 * 60_000
/** Maximum duration of a failed count from which the pause follows: it may have waited for a lock or a lost connection. */
const maxFailedCountMs = 3000

/** Updates and publishes the counts of changed runs. A count reads all URLs: one worker does it, others get its event. */
export async function publishProgress(worker: ActiveRuns & { db: MonitorDb; pubSub: PubSub }): Promise<void> {
  for (const [runId, activeRun] of worker.working) {
    if (!activeRun.hasUncountedChanges) continue
    worker.failures.delete(runId)
    const startedAt = performance.now()
    if (startedAt < activeRun.nextCountAt) continue
    activeRun.hasUncountedChanges = false
    const count = await tryRefreshRunCounts(worker.db, runId, activeRun.pageLimit).catch((error: unknown) => {
      activeRun.hasUncountedChanges = true
      noteProgress(worker, runId, Math.min(maxFailedCountMs, performance.now() - startedAt))
      throw error
    })
    if (count) {
      const { countMs } = count
      // Published events may be lost, so this process updates itself directly.
      noteProgress(worker, runId, countMs)
      await worker.pubSub.publish({ kind: 'progress', runId, countMs })
    }
    // The other worker may have started its count before the changes of this process.
    else activeRun.hasUncountedChanges = true
  }
}

/** Postpones the next count of a run after a count of `countMs`, or when another worker joins. */
export function noteProgress(worker: Pick<ActiveRuns, 'working'>, runId: string, countMs = 0): void {
  const activeRun = worker.working.get(runId)
  if (!activeRun) return
  const pauseMs = Math.min(maxCountPauseMs, Math.max(minCountPauseMs, pauseFactor * countMs))
  // A worker that joins does not shorten the pause after a long count.
  activeRun.nextCountAt = Math.max(activeRun.nextCountAt, performance.now() + pauseMs)
}
