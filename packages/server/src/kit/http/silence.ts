import type { FastifyInstance } from 'fastify'

const pingIntervalMs = 1000
/** Interval without calls: no result is awaited, and the next call pings at once. */
const idlePingIntervalMs = 15_000
/** Time without calls after which pings become rare. */
const idleAfterMs = 30_000
/** A database that does not respond within this time is silent: suspended, or behind a broken network. */
const maxSilenceMs = 3000

/** The state of a database whose connections may stay open without any reply. */
export type DatabaseSilence = {
  /** Called at the start of each call: without calls, pings are rare. */
  isSilent: () => boolean
  /** Rejects as soon as the database is silent, instead of waiting for the work. */
  unlessSilent: <T>(work: Promise<T>) => Promise<T>
  stop: () => void
}

declare module 'fastify' {
  interface FastifyInstance {
    databaseSilence?: DatabaseSilence
  }
}

/** The code makes it an unavailable database, like one that has ended. */
const createSilenceError = () => Object.assign(new Error('The database does not respond'), { code: '08006' })

/** Pings the database; calls fail at once while it is silent. An unreachable one is not silent: its calls fail by themselves. */
export function watchDatabaseSilence(ping: () => Promise<void>): DatabaseSilence {
  let isSilent = false
  const waitingWorks = new Set<(error: Error) => void>()
  const setSilent = () => {
    isSilent = true
    for (const rejectWork of waitingWorks) rejectWork(createSilenceError())
    waitingWorks.clear()
  }
  let nextPing: NodeJS.Timeout | undefined
  let isStopped = false
  let lastCallAt = performance.now()
  let isIdle = false
  const pingOnce = async () => {
    isIdle = false
    const silenceTimer = setTimeout(setSilent, maxSilenceMs)
    await ping().then(
      () => (isSilent = false),
      // The next one decides: a rejected ping may be the end of a silent connection.
      () => undefined,
    )
    clearTimeout(silenceTimer)
    if (isStopped) return
    isIdle = !isSilent && performance.now() - lastCallAt > idleAfterMs
    nextPing = setTimeout(() => void pingOnce(), isIdle ? idlePingIntervalMs : pingIntervalMs).unref()
  }
  const noteCall = () => {
    lastCallAt = performance.now()
    if (!isIdle) return
    clearTimeout(nextPing)
    void pingOnce()
  }
  void pingOnce()
  return {
    isSilent: () => {
      noteCall()
      return isSilent
    },
    unlessSilent: async (work) => {
      const { promise: silence, reject: rejectWork } = Promise.withResolvers<never>()
      waitingWorks.add(rejectWork)
      try {
        return await Promise.race([work, silence])
      } finally {
        waitingWorks.delete(rejectWork)
      }
    },
    stop: () => {
      isStopped = true
      clearTimeout(nextPing)
    },
  }
}

/** Refuses calls of this server while the database is silent. Must be called before routes are added. */
export function refuseWhileSilent(app: FastifyInstance, silence: DatabaseSilence): void {
  app.decorate('databaseSilence', silence)
  app.addHook('onClose', async () => silence.stop())
}
