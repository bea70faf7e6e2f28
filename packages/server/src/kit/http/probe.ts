import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Cache duration of a readiness check, so that frequent probes cost nothing. */
const cacheMs = 1000
/** A database that does not reply within this time is not ready. */
const readyTimeoutMs = 3000

async function withTimeout(pendingCheck: Promise<boolean>): Promise<boolean> {
  const timeoutController = new AbortController()
  const timedOut = sleep(readyTimeoutMs, false, { signal: timeoutController.signal }).catch(() => false)
  try {
    return await Promise.race([pendingCheck.catch(() => false), timedOut])
  } finally {
    timeoutController.abort()
  }
}

/** Mounts the probes of an orchestrator: `/health/live` (replies) and `/health/ready` (can work). They need no sign-in. */
export function mountProbeRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let cachedCheck: { until: number; ready: Promise<boolean> } | null = null
  let wasReady: boolean | null = null
  /** Logs when readiness is lost and when it is back. Probes of a process that is still starting are no event. */
  const logChange = (isUp: boolean): void => {
    if (!isUp && wasReady === true) app.log.warn('not ready for work')
    if (isUp && wasReady === false) app.log.info('ready for work again')
    if (isUp || wasReady !== null) wasReady = isUp
  }
  const checkReady = (): Promise<boolean> => {
    if (cachedCheck === null || cachedCheck.until < performance.now())
      cachedCheck = { until: performance.now() + cacheMs, ready: withTimeout(isReady()) }
    return cachedCheck.ready
  }
  const probeConfig = { isProbe: true }
  app.get('/health/live', { config: probeConfig }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'UP' }),
  )
  app.get('/health/ready', { config: probeConfig }, async (_request, reply) => {
    const isUp = await checkReady()
    logChange(isUp)
    return reply
      .code(isUp ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isUp ? 'UP' : 'DOWN' })
  })
}
