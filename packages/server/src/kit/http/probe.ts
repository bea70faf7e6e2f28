import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long an answer is taken for true: whoever asks all the time costs nothing. */
const freshMs = 1000
/** A database that says nothing for so long is not ready. */
const limitMs = 3000

async function within(work: Promise<boolean>): Promise<boolean> {
  const limit = new AbortController()
  const late = sleep(limitMs, false, { signal: limit.signal }).catch(() => false)
  try {
    return await Promise.race([work.catch(() => false), late])
  } finally {
    limit.abort()
  }
}

/**
 * What an orchestrator asks of a process, whatever its roles: `/health/live`, whether it answers at all, and
 * `/health/ready`, whether it can work. States alone, to anybody.
 */
export function probeRoutes(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let known: { until: number; ready: Promise<boolean> } | null = null
  const ready = (): Promise<boolean> => {
    if (known === null || known.until < performance.now())
      known = { until: performance.now() + freshMs, ready: within(isReady()) }
    return known.ready
  }
  const config = { isProbe: true }
  app.get('/health/live', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'UP' }),
  )
  app.get('/health/ready', { config }, async (_request, reply) => {
    const isUp = await ready()
    return reply
      .code(isUp ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isUp ? 'UP' : 'DOWN' })
  })
}
