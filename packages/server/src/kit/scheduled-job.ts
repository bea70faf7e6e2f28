export type ScheduledJob = {
  name: string
  everyMs: number
  work: () => Promise<unknown>
}

/** Runs each job at its interval, never twice at once here; a failed one again at the next. `stop` waits for running jobs. */
export function startJobs(
  jobs: readonly ScheduledJob[],
  log: (level: 'warn', message: string) => void,
): { runNow: (name: string) => void; stop: () => Promise<void> } {
  const stopController = new AbortController()
  const { signal: stopSignal } = stopController
  const scheduledJobs = jobs.map((job) => {
    let currentRun: Promise<void> = Promise.resolve()
    let isRequested = false
    let isBusy = false
    const runUntilIdle = async (): Promise<void> => {
      isBusy = true
      do {
        isRequested = false
        await job.work().catch((error: unknown) => log('warn', `${job.name}: ${String(error)}`))
        // A request during the run may refer to newer data than the run has read.
      } while (isRequested && !stopSignal.aborted)
      isBusy = false
    }
    const requestRun = () => {
      if (stopSignal.aborted) return
      if (isBusy) isRequested = true
      else currentRun = runUntilIdle()
    }
    const intervalTimer = setInterval(requestRun, job.everyMs)
    requestRun()
    return { name: job.name, go: requestRun, end: () => (clearInterval(intervalTimer), currentRun) }
  })
  return {
    runNow: (name) => scheduledJobs.find((job) => job.name === name)?.go(),
    stop: async () => {
      stopController.abort()
      await Promise.all(scheduledJobs.map((job) => job.end()))
    },
  }
}

/**
 * Calls `takeNext` until it returns false, also after errors: it must not return the failed item again immediately.
 * @throws the first error, after all items
 */
export async function processAll(takeNext: () => Promise<boolean>): Promise<void> {
  const collectedErrors: unknown[] = []
  for (;;) {
    const hasMore = await takeNext().catch((error: unknown) => collectedErrors.push(error) < maxFailures)
    if (!hasMore) break
  }
  if (collectedErrors.length > 0) throw collectedErrors[0]
}
/** Stops the loop if every item fails, as for an unavailable database. */
const maxFailures = 100
