import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** One server of a cluster of PostgreSQL. */
type Host = { host: string; port: number }

/** A URL that names several servers: each alone, in their order. One that names one: itself. */
export function urlsOf(url: string): string[] {
  const start = url.indexOf('://') + 3
  const end = start + (url.slice(start) + '/').search(/[/?#]/)
  const authority = url.slice(start, end)
  const at = authority.lastIndexOf('@') + 1
  const [before, after] = [url.slice(0, start + at), url.slice(end)]
  return authority
    .slice(at)
    .split(',')
    .map((host) => before + host + after)
}

const hostOf = (url: string): Host => {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 5432 : Number(port) }
}

/** `sqlclient_unable_to_establish_sqlconnection` of the standard. */
const noPrimary = (message: string) => Object.assign(new Error(message), { code: '08001' })

/** The server that took writes is gone, or is a replica now. Another attempt is led to the server that took its place. */
export class MovedError extends Error {
  readonly code = '08001'
}

/** Servers of a cluster have the same passwords and databases: what one of them does not know, none does. */
const isWrongEverywhere = (error: unknown): boolean =>
  ['28P01', '3D000'].includes(String((error as { code?: unknown }).code))

const probeMs = 3000
/** How long the others have to be reached when one takes writes; a server that is there, but busy, has longer to answer. */
const reachMs = 1000
const answerMs = 3000
const patienceMs = 12_000
const pauseMs = 300
/** A statement that is not answered for so long may be one that a former primary never answers. */
const watchMs = 3000

/** A server that takes writes. Each promotion begins a timeline, by a number in hexadecimal of fixed length. */
type Writer = { host: Host; timeline: string }

/** The timeline is not asked of the last checkpoint: right after a promotion that is still on the one before. */
const timelineNow = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** @param onReached called when its machine has taken the connection @throws when the server takes no writes, or does not answer */
async function writerAt(url: string, onReached: () => void): Promise<Writer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  client.on('error', () => undefined)
  ;(client as unknown as Wire).connection.once('connect', onReached)
  try {
    await client.connect()
    const { rows } = await client.query<{ reads: string }>(
      `select current_setting('transaction_read_only') as reads`,
    )
    if (rows[0]?.reads !== 'off') throw noPrimary('it takes no writes')
    const asked = client.query<{ timeline: string }>(`select ${timelineNow} as timeline`)
    const timeline = await asked.then(
      (answer) => answer.rows[0]!.timeline,
      (error: unknown) => {
        // What is only like PostgreSQL, Aurora for example, may refuse this. There is one server there that takes writes.
        if (error instanceof pg.DatabaseError) return ''
        throw error
      },
    )
    return { host: hostOf(url), timeline }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * The names under which the primary is known, and what is wrong with the others. A former primary may still take writes: the
 * one on the highest timeline was promoted last. Two on the same timeline are names of one.
 */
async function namesOfPrimary(urls: readonly string[]): Promise<{ names: Host[]; errors: unknown[] }> {
  const reached = new Set<string>()
  const asked = urls.map((url) => writerAt(url, () => reached.add(url)))
  const first = Promise.any(asked).catch(() => undefined)
  const late = async (url: string): Promise<never> => {
    await first
    await sleep(reachMs, undefined, { ref: false })
    // The one promoted last may be the busiest. To take the one before for it would be to write where nobody reads.
    if (reached.has(url)) await sleep(answerMs - reachMs, undefined, { ref: false })
    throw noPrimary('it does not answer')
  }
  const answers = await Promise.allSettled(asked.map((one, n) => Promise.race([one, late(urls[n]!)])))
  const writers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const highest = writers
    .map(({ timeline }) => timeline)
    .sort()
    .at(-1)
  return {
    names: writers.filter(({ timeline }) => timeline === highest).map(({ host }) => host),
    errors: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : [])),
  }
}

/** What of the driver's client its types do not name. */
type Wire = {
  readyForQuery?: boolean
  connection: EventEmitter & { stream: Duplex }
}

/**
 * A connection, by what its server says of itself without being asked: PostgreSQL reports these two settings at the start,
 * and with the next answer after they changed.
 */
function observe(client: pg.Client, onReplica: () => void) {
  const wire = client as unknown as Wire
  const reads = new Set<string>()
  let answers = 0
  wire.connection.on('readyForQuery', () => answers++)
  wire.connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue: value }: Parameter) => {
      if (parameterName !== 'in_hot_standby' && parameterName !== 'default_transaction_read_only') return
      if (value === 'off') reads.delete(parameterName)
      else reads.add(parameterName)
      if (reads.size > 0) onReplica()
    },
  )
  return {
    answers: () => answers,
    isReplica: () => reads.size > 0,
    isWaiting: () => wire.readyForQuery === false,
    break: () => void wire.connection.stream.destroy(),
  }
}
type Parameter = { parameterName: string; parameterValue: string }

/** Connections to what is no primary any more: whoever holds one may finish what they began, and then gives it up. */
const stale = new WeakSet<pg.ClientBase>()
export const isStale = (client: pg.ClientBase): boolean => stale.has(client)

/** The server that takes writes; waits for one while they change places. @throws what is wrong with all of them */
async function findPrimary(urls: readonly string[]): Promise<Host> {
  for (const start = performance.now(); ; await sleep(pauseMs)) {
    const { names, errors } = await namesOfPrimary(urls)
    if (names[0]) return names[0]
    const wrong: unknown = errors.find(isWrongEverywhere)
    if (wrong) throw wrong
    if (performance.now() - start <= patienceMs) continue
    const why = errors.map((error, n) => `${hostOf(urls[n]!).host}: ${(error as Error).message}`)
    throw noPrimary(`None of the servers of DATABASE_URL takes writes (${why.join('; ')})`)
  }
}

/**
 * Watches over connections. A former primary may answer never: a COMMIT there waits for a copy that follows another one now,
 * or its machine is silent. Where something waits, the primary is looked for; what waits for another server is broken off:
 * one that does not answer, takes no writes, or was the primary before.
 */
function watchOver(urls: readonly string[], onFound: (primary: Host) => void) {
  const open = new Map<pg.Client, ReturnType<typeof observe>>()
  let watching = false
  async function watch(): Promise<void> {
    while (open.size > 0) {
      const before = [...open].map(([client, seen]) => ({ client, seen, answers: seen.answers() }))
      await sleep(watchMs, undefined, { ref: false })
      const isSilent = (one: (typeof before)[number]) =>
        open.has(one.client) && one.seen.isWaiting() && one.seen.answers() === one.answers
      if (!before.some(isSilent)) continue
      const { names } = await namesOfPrimary(urls)
      if (!names[0]) continue
      onFound(names[0])
      const isThere = ({ client }: (typeof before)[number]) =>
        names.some(({ host, port }) => client.host === host && client.port === port)
      for (const one of before.filter((each) => !isThere(each))) {
        stale.add(one.client)
        if (isSilent(one)) one.seen.break()
      }
    }
    watching = false
  }
  return (client: pg.Client, seen: ReturnType<typeof observe>): void => {
    open.set(client, seen)
    client.once('end', () => open.delete(client))
    if (watching) return
    watching = true
    void watch()
  }
}

/** Which server takes writes, as far as is known. Everybody in this process who asks at the same time asks once. */
function primaryOf(urls: readonly string[]) {
  let found: Promise<Host> | null = null
  const forget = () => void (found = null)
  const get = () => {
    if (found) return found
    const asked = findPrimary(urls)
    asked.catch(() => {
      if (found === asked) forget()
    })
    return (found = asked)
  }
  const watch = watchOver(urls, (primary) => void (found = Promise.resolve(primary)))

  /** @throws MovedError when the server is a replica, or not there */
  async function connect(client: pg.Client, connectThere: () => Promise<unknown>): Promise<void> {
    Object.assign(client, await get())
    const seen = observe(client, () => {
      stale.add(client)
      forget()
    })
    try {
      await connectThere()
    } catch (error) {
      forget()
      throw new MovedError((error as Error).message, { cause: error })
    }
    if (seen.isReplica()) {
      await client.end().catch(() => undefined)
      throw new MovedError('The server that took writes is a replica now.')
    }
    watch(client, seen)
  }
  return { connect, forget }
}
const primaries = new Map<string, ReturnType<typeof primaryOf>>()

/** Asks anew which server takes writes: the one that did has become a replica. */
export const forgetPrimary = (url: string): void => primaries.get(url)?.forget()

/**
 * The driver's client, for a URL that may name several servers: it connects to the one that takes writes, and waits for
 * one a few seconds while they change places. Its options are the driver's, with those of `connectionOf`.
 */
export function clientOf(url: string): typeof pg.Client {
  const urls = urlsOf(url)
  if (urls.length === 1) return pg.Client
  const primary = primaries.get(url) ?? primaryOf(urls)
  primaries.set(url, primary)
  type Done = (error: Error | null, client?: pg.Client) => void
  class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(done: Done): void
    override connect(done?: Done): Promise<pg.Client> | void {
      const connected = primary.connect(this, () => super.connect()).then(() => this as pg.Client)
      if (!done) return connected
      connected.then(
        (client) => done(null, client),
        (error: Error) => done(error),
      )
    }
  }
  return PrimaryClient
}

/**
 * The URL that the client of `clientOf` is given. A machine that is gone is noticed in some twenty seconds: without a
 * time of ours, the system asks after two hours whether it is still there.
 */
export const connectionOf = (url: string) => ({
  connectionString: urlsOf(url)[0]!,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
})
