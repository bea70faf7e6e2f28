import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.ts'

/** Maximum number of calls per minute, in each process. */
export type Rates = {
  /** Anonymous calls of one network: screens, sign-in, rejected tokens. */
  perNetwork: number
  /** Calls of one person, from all networks. */
  perPerson: number
  /** Calls of one network to the sign-in, each of which stores data. */
  perNetworkSignIn: number
}

export type RateLimiter = {
  /** Counts a call of a network or person. If the limit is exceeded, sends the reply and resolves to true. */
  isOver: (kind: keyof Rates, request: FastifyRequest, reply: FastifyReply, callerKey: string) => Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    limited: RateLimiter
  }
  interface FastifyContextConfig {
    /** The route stores data for anonymous callers. */
    isSignIn?: boolean
    /** Called by the orchestrator, which must not be limited because of other callers. */
    isProbe?: boolean
  }
}

const timeWindowMs = 60_000
/** Maximum number of remembered callers; the oldest are evicted. */
const maxCallers = 5000

type CountedCalls = { current: number; ttl: number }

/** Call counts on the monotonic clock: with the library's time of day, a clock set back would lengthen its minute. */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, { current: number; since: number }>()

  incr(caller: string, callback: (error: Error | null, counted?: CountedCalls) => void, windowMs = timeWindowMs): void {
    const currentTime = performance.now()
    const previousCount = this.#counts.get(caller)
    const isWindowOver = previousCount === undefined || currentTime - previousCount.since >= windowMs
    const updatedCount = isWindowOver
      ? { current: 1, since: currentTime }
      : { ...previousCount, current: previousCount.current + 1 }
    // The map's insertion order is the order of the latest calls.
    this.#counts.delete(caller)
    this.#counts.set(caller, updatedCount)
    if (this.#counts.size > maxCallers) this.#counts.delete(this.#counts.keys().next().value!)
    callback(null, { current: updatedCount.current, ttl: windowMs - (currentTime - updatedCount.since) })
  }

  child(): CallCounts {
    return new CallCounts()
  }
}

/** True for calls that are counted by person, after their identification. */
const hasBearerToken = (request: FastifyRequest): boolean =>
  request.routeOptions.config.permission !== undefined && request.headers.authorization !== undefined

/** Limits calls by network; `register` counts those with a bearer token by person. An invalid token counts for its network. */
export async function limitRates(app: FastifyInstance, rates: Rates): Promise<void> {
  await app.register(rateLimit, { global: false, store: CallCounts })
  // The caller key cannot be derived from the request alone, so it is passed separately.
  const callerKeys = new WeakMap<FastifyRequest, string>()
  const createLimiter = (maxCalls: number) =>
    app.createRateLimit({
      max: maxCalls,
      timeWindow: timeWindowMs,
      keyGenerator: (request) => callerKeys.get(request as FastifyRequest)!,
    })
  const limitersByKind = {
    perNetwork: createLimiter(rates.perNetwork),
    perPerson: createLimiter(rates.perPerson),
    perNetworkSignIn: createLimiter(rates.perNetworkSignIn),
  }
  const rateLimiter: RateLimiter = {
    async isOver(kind, request, reply, callerKey) {
      callerKeys.set(request, callerKey)
      const limitResult = await limitersByKind[kind](request)
      if (limitResult.isAllowed || !limitResult.isExceeded) return false
      sendProblem(reply.header('retry-after', limitResult.ttlInSeconds), request.id, 'too-many-requests')
      return true
    },
  }
  app.decorate('limited', rateLimiter)
  app.addHook('onRequest', async (request, reply) => {
    if (hasBearerToken(request)) return undefined
    const { isSignIn, isProbe } = request.routeOptions.config
    if (isProbe) return undefined
    const callerNetwork = getNetwork(request.ip)
    if (isSignIn && (await rateLimiter.isOver('perNetworkSignIn', request, reply, callerNetwork))) return reply
    return (await rateLimiter.isOver('perNetwork', request, reply, callerNetwork)) ? reply : undefined
  })
}
