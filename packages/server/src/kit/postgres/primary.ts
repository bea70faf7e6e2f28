import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

type ServerHost = { host: string; port: number }

/** Splits a URL that names several servers into one URL per server, in order. */
export function splitServerUrls(url: string): string[] {
  const authorityStart = url.indexOf('://') + 3
  const authorityEnd = authorityStart + (url.slice(authorityStart) + '/').search(/[/?#]/)
  const authority = url.slice(authorityStart, authorityEnd)
  const hostsStart = authority.lastIndexOf('@') + 1
  const [urlPrefix, urlSuffix] = [url.slice(0, authorityStart + hostsStart), url.slice(authorityEnd)]
  return authority
    .slice(hostsStart)
    .split(',')
    .map((host) => urlPrefix + host + urlSuffix)
}

const parseServerHost = (url: string): ServerHost => {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 5432 : Number(port) }
}

/** `sqlclient_unable_to_establish_sqlconnection` of the SQL standard. */
const createNoPrimaryError = (message: string) => Object.assign(new Error(message), { code: '08001' })

/** The writable server is gone, or has become a replica. A retry reaches its successor. */
export class PrimaryMovedError extends Error {
  readonly code = '08001'
}

/** Servers of a cluster share passwords and databases: these errors affect all of them. */
const affectsAllServers = (error: unknown): boolean => ['28P01', '3D000'].includes(String((error as { code?: unknown }).code))

const probeTimeoutMs = 3000
/** Time in which the other servers must be reached after one was found writable; a busy server has longer to reply. */
const reachTimeoutMs = 1000
const replyTimeoutMs = 3000
const findPrimaryTimeoutMs = 12_000
const retryDelayMs = 300
/** A statement without a reply for this time may be waiting on a former primary. */
const watchIntervalMs = 3000

/** A writable server. Each promotion starts a new timeline, a hexadecimal number of fixed length. */
type WritableServer = { host: ServerHost; timeline: string }

/** Derived from the current WAL file: right after a promotion, the last checkpoint still has the previous timeline. */
const currentTimelineSql = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** @param onReached called when the machine accepts the connection @throws if the server is read-only or unresponsive */
async function probeWriter(url: string, onReached: () => void): Promise<WritableServer> {
  const probeClient = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  probeClient.on('error', () => undefined)
  ;(probeClient as unknown as ClientInternals).connection.once('connect', onReached)
  try {
    await probeClient.connect()
    const { rows: settingRows } = await probeClient.query<{ reads: string }>(
      `select current_setting('transaction_read_only') as reads`,
    )
    if (settingRows[0]?.reads !== 'off') throw createNoPrimaryError('it takes no writes')
    const timelineQuery = probeClient.query<{ timeline: string }>(`select ${currentTimelineSql} as timeline`)
    const currentTimeline = await timelineQuery.then(
      (timelineResult) => timelineResult.rows[0]!.timeline,
      (error: unknown) => {
        // PostgreSQL-compatible servers, such as Aurora, may refuse this. They have only one writable server.
        if (error instanceof pg.DatabaseError) return ''
        throw error
      },
    )
    return { host: parseServerHost(url), timeline: currentTimeline }
  } finally {
    await probeClient.end().catch(() => undefined)
  }
}

/**
 * Finds the names under which the primary is known, and the errors of the other servers. A former primary may still
 * accept writes, so the highest timeline wins: it was promoted last. Names on the same timeline denote one server.
 */
async function findPrimaryNames(urls: readonly string[]): Promise<{ names: ServerHost[]; errors: unknown[] }> {
  const reachedUrls = new Set<string>()
  const probes = urls.map((url) => probeWriter(url, () => reachedUrls.add(url)))
  const firstWriter = Promise.any(probes).catch(() => undefined)
  const rejectWhenLate = async (url: string): Promise<never> => {
    await firstWriter
    await sleep(reachTimeoutMs, undefined, { ref: false })
    // The latest promoted server may be the busiest. Taking its predecessor instead would lose writes.
    if (reachedUrls.has(url)) await sleep(replyTimeoutMs - reachTimeoutMs, undefined, { ref: false })
    throw createNoPrimaryError('it does not answer')
  }
  const probeResults = await Promise.allSettled(probes.map((probe, index) => Promise.race([probe, rejectWhenLate(urls[index]!)])))
  const writableServers = probeResults.flatMap((probeResult) => (probeResult.status === 'fulfilled' ? [probeResult.value] : []))
  const highestTimeline = writableServers
    .map(({ timeline }) => timeline)
    .sort()
    .at(-1)
  return {
    names: writableServers.filter(({ timeline }) => timeline === highestTimeline).map(({ host }) => host),
    errors: probeResults.flatMap((probeResult) => (probeResult.status === 'rejected' ? [probeResult.reason as unknown] : [])),
  }
}

/** Members of the driver's client that its types omit. */
type ClientInternals = {
  readyForQuery?: boolean
  connection: EventEmitter & { stream: Duplex }
}

/** Observes what the server reports unasked: PostgreSQL sends these two settings at the start, and after each change. */
function observeConnection(client: pg.Client, onReplica: () => void) {
  const clientInternals = client as unknown as ClientInternals
  const readOnlySettings = new Set<string>()
  let replyCount = 0
  clientInternals.connection.on('readyForQuery', () => replyCount++)
  clientInternals.connection.on('parameterStatus', ({ parameterName, parameterValue: value }: ParameterStatus) => {
    if (parameterName !== 'in_hot_standby' && parameterName !== 'default_transaction_read_only') return
    if (value === 'off') readOnlySettings.delete(parameterName)
    else readOnlySettings.add(parameterName)
    if (readOnlySettings.size > 0) onReplica()
  })
  return {
    answers: () => replyCount,
    isReplica: () => readOnlySettings.size > 0,
    isWaiting: () => clientInternals.readyForQuery === false,
    break: () => void clientInternals.connection.stream.destroy(),
  }
}
type ParameterStatus = { parameterName: string; parameterValue: string }

/** Connections to former primaries: their holders may finish the current work, then discard them. */
const staleClients = new WeakSet<pg.ClientBase>()
export const isStaleClient = (client: pg.ClientBase): boolean => staleClients.has(client)

/** Finds the writable server, and waits for one during a failover. @throws the errors of all servers */
async function findPrimary(urls: readonly string[]): Promise<ServerHost> {
  for (const startedAt = performance.now(); ; await sleep(retryDelayMs)) {
    const { names: primaryNames, errors: serverErrors } = await findPrimaryNames(urls)
    if (primaryNames[0]) return primaryNames[0]
    const commonError: unknown = serverErrors.find(affectsAllServers)
    if (commonError) throw commonError
    if (performance.now() - startedAt <= findPrimaryTimeoutMs) continue
    const reasons = serverErrors.map((error, index) => `${parseServerHost(urls[index]!).host}: ${(error as Error).message}`)
    throw createNoPrimaryError(`None of the servers of DATABASE_URL takes writes (${reasons.join('; ')})`)
  }
}

/**
 * Watches over connections. A former primary may never reply: a COMMIT waits for a replica that follows another server
 * now, or the machine is silent. When a query waits, the primary is probed again. Queries on any other server are
 * cancelled, because it is unresponsive, read-only, or a former primary.
 */
function createWatcher(urls: readonly string[], onFound: (primary: ServerHost) => void) {
  const observedClients = new Map<pg.Client, ReturnType<typeof observeConnection>>()
  let isWatching = false
  async function watchConnections(): Promise<void> {
    while (observedClients.size > 0) {
      const snapshots = [...observedClients].map(([client, observation]) => ({
        client,
        seen: observation,
        answers: observation.answers(),
      }))
      await sleep(watchIntervalMs, undefined, { ref: false })
      const isWithoutReply = (snapshot: (typeof snapshots)[number]) =>
        observedClients.has(snapshot.client) && snapshot.seen.isWaiting() && snapshot.seen.answers() === snapshot.answers
      if (!snapshots.some(isWithoutReply)) continue
      const { names: primaryNames } = await findPrimaryNames(urls)
      if (!primaryNames[0]) continue
      onFound(primaryNames[0])
      const isOnPrimary = ({ client }: (typeof snapshots)[number]) =>
        primaryNames.some(({ host, port }) => client.host === host && client.port === port)
      for (const snapshot of snapshots.filter((candidate) => !isOnPrimary(candidate))) {
        staleClients.add(snapshot.client)
        if (isWithoutReply(snapshot)) snapshot.seen.break()
      }
    }
    isWatching = false
  }
  return (client: pg.Client, observation: ReturnType<typeof observeConnection>): void => {
    observedClients.set(client, observation)
    client.once('end', () => observedClients.delete(client))
    if (isWatching) return
    isWatching = true
    void watchConnections()
  }
}

/** Tracks the writable server of a cluster. Concurrent callers in this process share one probe. */
function createPrimaryTracker(urls: readonly string[]) {
  let primaryPromise: Promise<ServerHost> | null = null
  const forgetPrimaryHost = () => void (primaryPromise = null)
  const getPrimary = () => {
    if (primaryPromise) return primaryPromise
    const newPromise = findPrimary(urls)
    newPromise.catch(() => {
      if (primaryPromise === newPromise) forgetPrimaryHost()
    })
    return (primaryPromise = newPromise)
  }
  const watchClient = createWatcher(urls, (primary) => void (primaryPromise = Promise.resolve(primary)))

  /** @throws PrimaryMovedError if the server is a replica or unreachable */
  async function connectClient(client: pg.Client, connectToHost: () => Promise<unknown>): Promise<void> {
    Object.assign(client, await getPrimary())
    const observation = observeConnection(client, () => {
      staleClients.add(client)
      forgetPrimaryHost()
    })
    try {
      await connectToHost()
    } catch (error) {
      forgetPrimaryHost()
      throw new PrimaryMovedError((error as Error).message, { cause: error })
    }
    if (observation.isReplica()) {
      await client.end().catch(() => undefined)
      throw new PrimaryMovedError('The server that took writes is a replica now.')
    }
    watchClient(client, observation)
  }
  return { connect: connectClient, forget: forgetPrimaryHost }
}
const trackersByUrl = new Map<string, ReturnType<typeof createPrimaryTracker>>()

/** Discards the known primary, which has become a replica, so that it is probed again. */
export const forgetPrimary = (url: string): void => trackersByUrl.get(url)?.forget()

/** The driver's client class for a URL of several servers: connects to the writable one, which it awaits during a failover. */
export function getClientClass(url: string): typeof pg.Client {
  const serverUrls = splitServerUrls(url)
  if (serverUrls.length === 1) return pg.Client
  const primaryTracker = trackersByUrl.get(url) ?? createPrimaryTracker(serverUrls)
  trackersByUrl.set(url, primaryTracker)
  type ConnectCallback = (error: Error | null, client?: pg.Client) => void
  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
      const connectedClient = primaryTracker.connect(this, () => super.connect()).then(() => this as pg.Client)
      if (!callback) return connectedClient
      connectedClient.then(
        (client) => callback(null, client),
        (error: Error) => callback(error),
      )
    }
  }
  return PrimaryClient
}

/** Options for `getClientClass`. Keep-alive detects a vanished machine in about 20 s; the system's default is two hours. */
export const getConnectionOptions = (url: string) => ({
  connectionString: splitServerUrls(url)[0]!,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})
