import dns from 'node:dns/promises'
import net from 'node:net'
import { createAddressRule, type AddressRule } from '@clearway/contract/kit/address-rule.ts'
import { findOutboundProxy, openProxyTunnel, type OutboundProxy } from './outbound-proxy.ts'

/** Reason why a host could not be reached, as seen by the guard. */
export type DialProblem = 'unknown-host' | 'address-refused' | 'connection-refused' | 'connection-failed' | 'timeout'

export type DialResult =
  | { ok: true; socket: net.Socket }
  | {
      ok: false
      problem: DialProblem
      /** English, names the host. */ detail: string
    }

/** Resolves all addresses of a host name. Rejects with an `ENOTFOUND`-like code if there are none. */
export type HostLookup = (host: string) => Promise<string[]>

/**
 * The system resolver (it reads /etc/hosts) occupies a thread while waiting: half a minute for an unresponsive name
 * server. Two threads stay available for files and compression.
 */
const maxConcurrentLookups = Math.max(2, Number(process.env.UV_THREADPOOL_SIZE ?? 4) - 2)
let activeLookups = 0
const waitingLookups: (() => void)[] = []

const lookUpWithSystem: HostLookup = async (host) => {
  if (activeLookups < maxConcurrentLookups) activeLookups += 1
  else await new Promise<void>((resolve) => waitingLookups.push(resolve))
  try {
    return (await dns.lookup(host, { all: true })).map((record) => record.address)
  } finally {
    const nextLookup = waitingLookups.shift()
    if (nextLookup) nextLookup()
    else activeLookups -= 1
  }
}

/** Waits for a lookup up to a time limit. Later results are ignored. */
async function lookUpWithTimeout(timeoutMs: number, pendingLookup: Promise<string[]>): Promise<string[]> {
  let timeoutTimer: NodeJS.Timeout | undefined
  const timedOut = new Promise<never>((_, reject) => {
    timeoutTimer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })), timeoutMs)
  })
  pendingLookup.catch(() => undefined)
  try {
    return await Promise.race([pendingLookup, timedOut])
  } finally {
    clearTimeout(timeoutTimer)
  }
}

type ResolvedHost = { ok: true; addresses: string[] } | { ok: false; problem: DialProblem; detail: string }

const lookupProblems: ReadonlyMap<string, DialProblem> = new Map(
  Object.entries({
    ENOTFOUND: 'unknown-host',
    ENODATA: 'unknown-host',
    EAI_NONAME: 'unknown-host',
    EAI_NODATA: 'unknown-host',
    ETIMEOUT: 'timeout',
  }),
)

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

async function resolveHost(lookup: HostLookup, rule: AddressRule, host: string, timeoutMs: number): Promise<ResolvedHost> {
  let addresses: string[]
  if (net.isIP(host)) addresses = [host]
  else {
    try {
      addresses = await lookUpWithTimeout(timeoutMs, lookup(host))
    } catch (error) {
      const lookupProblem = lookupProblems.get(getErrorCode(error)) ?? 'connection-failed'
      return {
        ok: false,
        problem: lookupProblem,
        detail: `The name ${host} could not be resolved (${getErrorCode(error)})`,
      }
    }
  }
  if (addresses.length === 0) return { ok: false, problem: 'unknown-host', detail: `The name ${host} has no address` }
  if (addresses.every(rule)) return { ok: true, addresses }
  return {
    ok: false,
    problem: 'address-refused',
    // The address is not revealed: authorized users can look it up.
    detail: `${host} leads to an address of a private or reserved network, which this scan may not visit`,
  }
}

const dialProblems: ReadonlyMap<string, DialProblem> = new Map(
  Object.entries({ ECONNREFUSED: 'connection-refused', ETIMEDOUT: 'timeout' }),
)

/**
 * Connects to a checked address, not to a name, so that the checked address is the one used. Error details contain the
 * name that the reader knows, not the address.
 */
function connectToAddress(
  { host, address, port }: { host: string; address: string; port: number },
  timeoutMs: number,
): Promise<DialResult> {
  return new Promise((resolve) => {
    const addressSocket = net.connect({ host: address, port, noDelay: true })
    const failConnection = (problem: DialProblem, failureDetail: string) => {
      addressSocket.destroy()
      resolve({ ok: false, problem, detail: `${host} port ${port}: ${failureDetail}` })
    }
    const connectTimer = setTimeout(() => failConnection('timeout', `no connection within ${timeoutMs} ms`), timeoutMs)
    addressSocket.once('connect', () => {
      clearTimeout(connectTimer)
      addressSocket.removeAllListeners('error')
      // Until the caller attaches a listener, an error must not end the process.
      addressSocket.on('error', () => {})
      resolve({ ok: true, socket: addressSocket })
    })
    addressSocket.once('error', (error) => {
      clearTimeout(connectTimer)
      failConnection(dialProblems.get(getErrorCode(error)) ?? 'connection-failed', getErrorCode(error))
    })
  })
}

const isPublicAddress = createAddressRule([])

/** Names for networks of their own, which a proxy must not resolve for a page. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|corp|home|private|home\.arpa)$/i
const mayNameBePublic = (host: string): boolean => host.includes('.') && !privateNames.test(host.replace(/\.$/, ''))

/** Connects through the proxy. The reasons name the host, never the proxy's credentials. */
async function connectThroughProxy(
  proxy: OutboundProxy,
  { host, target, port }: { host: string; target: string; port: number },
  timeoutMs: number,
): Promise<DialResult> {
  const tunnel = await openProxyTunnel(proxy, { host: target, port }, timeoutMs)
  if ('socket' in tunnel) return { ok: true, socket: tunnel.socket }
  const problem = tunnel.isTimeout ? 'timeout' : 'connection-failed'
  return { ok: false, problem, detail: `${host} port ${port}: ${tunnel.reason}` }
}

/**
 * Creates the only connection from this process to a scanned site. A name is resolved once, refused if *any* of its
 * addresses is not allowed, and the checked address itself is dialed, so that a name that changes between check and use
 * gains nothing. Results are cached for half a minute. An outbound proxy gets the checked address, unless it resolves names: then it
 * also gets names that are unknown here. Private addresses that the rule allows are reached without it.
 */
export function openDialer(options: { rule: AddressRule; hostLookup?: HostLookup; connectTimeoutMs?: number }) {
  const hostLookup = options.hostLookup ?? lookUpWithSystem
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000
  const cachedHosts = new Map<string, { expiresAt: number; pendingHost: Promise<ResolvedHost> }>()

  const getResolvedHost = (host: string): Promise<ResolvedHost> => {
    const cachedHost = cachedHosts.get(host)
    if (cachedHost && cachedHost.expiresAt > performance.now()) return cachedHost.pendingHost
    if (cachedHosts.size > 5000) cachedHosts.clear()
    const pendingHost = resolveHost(hostLookup, options.rule, host, connectTimeoutMs)
    cachedHosts.set(host, { expiresAt: performance.now() + 30_000, pendingHost })
    return pendingHost
  }

  return async function dialHost(host: string, port: number): Promise<DialResult> {
    const bareHost = host.startsWith('[') ? host.slice(1, -1) : host
    const proxy = findOutboundProxy(bareHost)
    const resolvedHost = await getResolvedHost(bareHost)
    const isLeftToProxy = proxy?.resolvesNames && !net.isIP(bareHost)
    if (!resolvedHost.ok) {
      const isUnknown = resolvedHost.problem === 'unknown-host' || resolvedHost.problem === 'timeout'
      if (!isLeftToProxy || !isUnknown || !mayNameBePublic(bareHost)) return resolvedHost
      return connectThroughProxy(proxy, { host: bareHost, target: bareHost, port }, connectTimeoutMs)
    }
    let lastResult: DialResult | undefined
    for (const address of resolvedHost.addresses.slice(0, 4)) {
      const target = isLeftToProxy ? bareHost : address
      lastResult =
        proxy && isPublicAddress(address)
          ? await connectThroughProxy(proxy, { host: bareHost, target, port }, connectTimeoutMs)
          : await connectToAddress({ host: bareHost, address, port }, connectTimeoutMs)
      if (lastResult.ok) return lastResult
    }
    return lastResult!
  }
}
export type DialHost = ReturnType<typeof openDialer>
