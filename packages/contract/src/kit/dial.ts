import dns from 'node:dns/promises'
import net from 'node:net'
import type { AddressRule } from './address-rule.ts'

/** Why a host could not be reached, as the guard saw it. */
export type DialProblem =
  'unknown-host' | 'address-refused' | 'connection-refused' | 'connection-failed' | 'timeout'

export type Dialled =
  | { ok: true; socket: net.Socket }
  | {
      ok: false
      problem: DialProblem
      /** English, names the host. */
      detail: string
    }

/** All addresses of a host name. Rejects with an `ENOTFOUND`-like code when there is none. */
export type Lookup = (host: string) => Promise<string[]>

/**
 * The system's resolver (it knows /etc/hosts) takes a thread of the process for as long as it waits, half a minute for
 * a name server that says nothing. Two threads stay for files and compression.
 */
const lookupsAtOnce = Math.max(2, Number(process.env.UV_THREADPOOL_SIZE ?? 4) - 2)
let lookups = 0
const waiting: (() => void)[] = []

const systemLookup: Lookup = async (host) => {
  if (lookups < lookupsAtOnce) lookups += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return (await dns.lookup(host, { all: true })).map((a) => a.address)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else lookups -= 1
  }
}

/** Waits for a lookup, but not for ever; what comes later is of no use to anybody. */
async function lookupWithin(ms: number, lookup: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })), ms)
  })
  lookup.catch(() => undefined)
  try {
    return await Promise.race([lookup, late])
  } finally {
    clearTimeout(timer)
  }
}

type Resolved = { ok: true; addresses: string[] } | { ok: false; problem: DialProblem; detail: string }

const lookupProblems: Record<string, DialProblem> = {
  ENOTFOUND: 'unknown-host',
  ENODATA: 'unknown-host',
  EAI_NONAME: 'unknown-host',
  EAI_NODATA: 'unknown-host',
  ETIMEOUT: 'timeout',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

async function resolve(
  lookup: Lookup,
  rule: AddressRule,
  host: string,
  timeoutMs: number,
): Promise<Resolved> {
  let addresses: string[]
  if (net.isIP(host)) addresses = [host]
  else {
    try {
      addresses = await lookupWithin(timeoutMs, lookup(host))
    } catch (error) {
      const problem = lookupProblems[codeOf(error)] ?? 'connection-failed'
      return { ok: false, problem, detail: `The name ${host} could not be resolved (${codeOf(error)})` }
    }
  }
  if (addresses.length === 0)
    return { ok: false, problem: 'unknown-host', detail: `The name ${host} has no address` }
  if (addresses.every(rule)) return { ok: true, addresses }
  return {
    ok: false,
    problem: 'address-refused',
    // Which address is not told: whoever may know can look it up.
    detail: `${host} leads to an address of a private or reserved network, which this scan may not visit`,
  }
}

const dialProblems: Record<string, DialProblem> = { ECONNREFUSED: 'connection-refused', ETIMEDOUT: 'timeout' }

/**
 * Connects to an address that has been judged, not to a name: what was checked is what is dialed. The report of a
 * failure has the name that its reader knows, not the address behind it.
 */
function connectTo(
  { host, address, port }: { host: string; address: string; port: number },
  timeoutMs: number,
): Promise<Dialled> {
  return new Promise((done) => {
    const socket = net.connect({ host: address, port, noDelay: true })
    const fail = (problem: DialProblem, why: string) => {
      socket.destroy()
      done({ ok: false, problem, detail: `${host} port ${port}: ${why}` })
    }
    const timer = setTimeout(() => fail('timeout', `no connection within ${timeoutMs} ms`), timeoutMs)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      // From here on whoever takes the socket listens; an error in between must not end the process.
      socket.on('error', () => {})
      done({ ok: true, socket })
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      fail(dialProblems[codeOf(error)] ?? 'connection-failed', codeOf(error))
    })
  })
}

/**
 * Makes the one way out of this process to a scanned site. A name is resolved once, refused when *any* of its
 * addresses is not allowed, and then the checked address itself is dialled, so that a name that changes between
 * check and use gains nothing. Answers are remembered for half a minute.
 */
export function openDialler(options: { rule: AddressRule; lookup?: Lookup; connectTimeoutMs?: number }) {
  const lookup = options.lookup ?? systemLookup
  const timeoutMs = options.connectTimeoutMs ?? 10_000
  const known = new Map<string, { until: number; answer: Promise<Resolved> }>()

  const resolved = (host: string): Promise<Resolved> => {
    const entry = known.get(host)
    if (entry && entry.until > performance.now()) return entry.answer
    if (known.size > 5000) known.clear()
    const answer = resolve(lookup, options.rule, host, timeoutMs)
    known.set(host, { until: performance.now() + 30_000, answer })
    return answer
  }

  return async function dial(host: string, port: number): Promise<Dialled> {
    const bare = host.startsWith('[') ? host.slice(1, -1) : host
    const answer = await resolved(bare)
    if (!answer.ok) return answer
    let last: Dialled | undefined
    for (const address of answer.addresses.slice(0, 4)) {
      last = await connectTo({ host: bare, address, port }, timeoutMs)
      if (last.ok) return last
    }
    return last!
  }
}
export type Dial = ReturnType<typeof openDialler>
