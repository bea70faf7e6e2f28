/** Work that is done again and again. */
export type ScheduledJob = {
  name: string
  everyMs: number
  work: () => Promise<unknown>
}

/**
 * Does each job at its own pace, never twice at once in this process. One that fails is done again at its next turn.
 * `hurry` does a job now; `stop` waits for what is being done.
 */
export function startJobs(
  jobs: readonly ScheduledJob[],
  log: (level: 'warn', message: string) => void,
): { hurry: (name: string) => void; stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = jobs.map((job) => {
    let doing: Promise<void> = Promise.resolve()
    let wanted = false
    let busy = false
    const round = async (): Promise<void> => {
      busy = true
      do {
        wanted = false
        await job.work().catch((error: unknown) => log('warn', `${job.name}: ${String(error)}`))
        // Whoever asked in between asked for something newer than this round has seen.
      } while (wanted && !signal.aborted)
      busy = false
    }
    const go = () => {
      if (signal.aborted) return
      if (busy) wanted = true
      else doing = round()
    }
    const timer = setInterval(go, job.everyMs)
    go()
    return { name: job.name, go, end: () => (clearInterval(timer), doing) }
  })
  return {
    hurry: (name) => running.find((job) => job.name === name)?.go(),
    stop: async () => {
      stopping.abort()
      await Promise.all(running.map((job) => job.end()))
    },
  }
}

/**
 * Calls `take` until it says that nothing is left. One that throws does not keep the others from their turn: `take` must
 * not answer it again at once.
 * @throws the first error, when all are done
 */
export async function eachOnce(take: () => Promise<boolean>): Promise<void> {
  const errors: unknown[] = []
  for (;;) {
    const more = await take().catch((error: unknown) => errors.push(error) < failuresAllowed)
    if (!more) break
  }
  if (errors.length > 0) throw errors[0]
}
/** A database that is away fails every one of them. */
const failuresAllowed = 100
