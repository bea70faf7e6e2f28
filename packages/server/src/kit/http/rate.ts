import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import { getNetwork } from '@clearway/contract/kit/address-rule.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendProblem } from './problem.ts'

/** Calls a minute in each process. */
export type Rates = {
  /** Of one network without a person: screens, sign-in, refused tokens. */
  perNetwork: number
  /** Of one person, wherever the calls come from. */
  perPerson: number
  /** Of one network, to the sign-in: each of them stores something. */
  perNetworkSignIn: number
}

export type Limited = {
  /** Counts a call of a network, or of a person. Answers the call when there were too many. */
  isOver: (kind: keyof Rates, request: FastifyRequest, reply: FastifyReply, who: string) => Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    limited: Limited
  }
  interface FastifyContextConfig {
    /** The route stores something for whoever calls. */
    isSignIn?: boolean
    /** Asked by whoever keeps the process, who must not be sent away for what others do. */
    isProbe?: boolean
  }
}

const timeWindow = 60_000
/** Those who called last; the rest are forgotten. */
const mostCallers = 5000

type Counted = { current: number; ttl: number }

/**
 * Calls by caller, by the clock that nobody sets: the store of the library goes by the time of day, and where that is set back an hour, a
 * minute lasts an hour and a minute.
 */
export class CallCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, { current: number; since: number }>()

  incr(caller: string, done: (error: Error | null, counted?: Counted) => void, window = timeWindow): void {
    const now = performance.now()
    const before = this.#counts.get(caller)
    const isOver = before === undefined || now - before.since >= window
    const counted = isOver ? { current: 1, since: now } : { ...before, current: before.current + 1 }
    // Last in the order of the map is who called last.
    this.#counts.delete(caller)
    this.#counts.set(caller, counted)
    if (this.#counts.size > mostCallers) this.#counts.delete(this.#counts.keys().next().value!)
    done(null, { current: counted.current, ttl: window - (now - counted.since) })
  }

  child(): CallCounts {
    return new CallCounts()
  }
}

/** Counts calls by person, once it is known whose they are. */
const showsToken = (request: FastifyRequest): boolean =>
  request.routeOptions.config.permission !== undefined && request.headers.authorization !== undefined

/**
 * Counts all calls: at once by network, except those with a bearer token, whose person `register` counts. A wrong token
 * counts for its network.
 */
export async function limitRates(app: FastifyInstance, rates: Rates): Promise<void> {
  await app.register(rateLimit, { global: false, store: CallCounts })
  // `who` cannot be read from the request alone, so it is passed beside it.
  const asked = new WeakMap<FastifyRequest, string>()
  const limiter = (max: number) =>
    app.createRateLimit({ max, timeWindow, keyGenerator: (request) => asked.get(request as FastifyRequest)! })
  const limiters = {
    perNetwork: limiter(rates.perNetwork),
    perPerson: limiter(rates.perPerson),
    perNetworkSignIn: limiter(rates.perNetworkSignIn),
  }
  const limited: Limited = {
    async isOver(kind, request, reply, who) {
      asked.set(request, who)
      const counted = await limiters[kind](request)
      if (counted.isAllowed || !counted.isExceeded) return false
      sendProblem(reply.header('retry-after', counted.ttlInSeconds), request.id, 'too-many-requests')
      return true
    },
  }
  app.decorate('limited', limited)
  app.addHook('onRequest', async (request, reply) => {
    if (showsToken(request)) return undefined
    const { isSignIn, isProbe } = request.routeOptions.config
    if (isProbe) return undefined
    const network = getNetwork(request.ip)
    if (isSignIn && (await limited.isOver('perNetworkSignIn', request, reply, network))) return reply
    return (await limited.isOver('perNetwork', request, reply, network)) ? reply : undefined
  })
}
