import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { formatActorSetting } from '../actor.ts'
import { connectionOf, clientOf, isStale, MovedError } from './primary.ts'

export type PoolOptions = {
  /** Of the service, which sees no other. */
  schema: string
  connections: number
  /** A statement that takes longer is ended; left out, none is. */
  statementSeconds?: number
  /** Much is read by it at the pace of whoever takes it, for so long as a whole; 0 for any time. */
  streamSeconds?: number
  /** How long is waited for an answer; 0 for as long as it takes. */
  silenceMs?: number
  /** How long is waited for a connection. */
  waitMs?: number
  onError?: (error: Error) => void
}

/**
 * All of what is asked for will be read, and the reader may pause between two portions. This process ends a read in its
 * time; the database does where the process is gone. The planner expects keys to come again and would keep the row of each,
 * which takes a fifth of the whole time: in a run no key comes again.
 */
const streamOptions = (seconds: number) =>
  `-c cursor_tuple_fraction=1 -c enable_memoize=off -c idle_in_transaction_session_timeout=${seconds * 1000}`

export function poolOf(
  url: string,
  {
    schema,
    connections,
    statementSeconds = 0,
    streamSeconds,
    waitMs = 15_000,
    silenceMs = 0,
    onError,
  }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOf(url),
    Client: clientOf(url),
    max: connections,
    connectionTimeoutMillis: waitMs,
    query_timeout: silenceMs,
    // Pages of memory and of fast disks: an index is worth its jumps. Compiling takes longer than our statements do.
    options: [
      `-c search_path=${schema} -c random_page_cost=1.1 -c jit=off -c statement_timeout=${statementSeconds * 1000}`,
      ...(streamSeconds === undefined ? [] : [streamOptions(streamSeconds)]),
    ].join(' '),
    application_name: `clearway ${schema}`,
  })
  // Without listeners a restart of the database would end the process: the pool's own is called for idle connections only,
  // and one in use fails at its next statement.
  pool.on('error', (error) => onError?.(error))
  pool.on('connect', (client) => client.on('error', () => undefined))
  pools.set(pool, schema)
  const end = pool.end.bind(pool)
  pool.end = () => {
    pools.delete(pool)
    return end()
  }
  return pool
}

/** The pools of this process that are open, by their service. */
const pools = new Map<pg.Pool, string>()

/** What the pools of this process do now. */
export const openPools = () =>
  [...pools].map(([pool, service]) => ({
    service,
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    most: pool.options.max,
  }))

/** `connection_failure` of the standard: what the driver throws for a connection that broke has no code of its own. */
const connectionFailure = '08006'

/** What goes wrong below the database's own errors is the connection's end, but for mistakes in our own code. */
function named(error: unknown): unknown {
  const plain =
    error instanceof Error && !(error instanceof pg.DatabaseError) && !(error instanceof TypeError)
  if (plain && (error as { code?: string }).code === undefined)
    Object.assign(error, { code: connectionFailure })
  return error
}

/** How often a connection is led on to the server that has taken the place of the one before. */
const movesAtMost = 3

/** `read_only_sql_transaction`: after a switch, a connection to what was the primary. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006'

/**
 * A pool whose errors are distinguished by code, those of a broken connection too. When the server of its connections has
 * become a replica, all of them are given up: new ones lead to the primary.
 */
export function namingLosses(pool: pg.Pool, end: () => Promise<void>, onReplica: () => void): PostgresPool {
  const stale = new WeakSet<pg.PoolClient>()
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  const rethrow = (error: unknown): never => {
    if (isReadOnly(error)) {
      for (const client of open) stale.add(client)
      onReplica()
    }
    throw named(error)
  }
  const givenUp = (client: pg.PoolClient) => stale.has(client) || isStale(client)
  const connected = async (): Promise<pg.PoolClient> => {
    for (let moves = 0; ;)
      try {
        const client = await pool.connect()
        if (!givenUp(client)) return client
        client.release(true)
      } catch (error) {
        // Nothing was asked of it yet, and another has taken its place.
        if (!(error instanceof MovedError) || ++moves > movesAtMost) throw error
      }
  }
  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const guard = (client: pg.PoolClient): PostgresPoolClient => {
    // Overloads of the driver that a spread of arguments cannot choose from.
    const inner: { query: (...args: unknown[]) => unknown } = client
    const query = (...args: unknown[]) => {
      const answer = inner.query(...args)
      return answer instanceof Promise ? answer.catch(rethrow) : answer
    }
    const made = {
      query: query as PostgresPoolClient['query'],
      release: (destroy?: boolean) => client.release(destroy ?? givenUp(client)),
    }
    guarded.set(client, made)
    return made
  }
  return {
    options: pool.options,
    end,
    async connect() {
      const client = await connected().catch(rethrow)
      await setActor(client).catch((error: unknown) => {
        client.release(true)
        return rethrow(error)
      })
      return guarded.get(client) ?? guard(client)
    },
  }
}

const actorOf = new WeakMap<pg.PoolClient, string>()

/** Sets who acts by a connection from now on, when that is somebody else than before. */
async function setActor(client: pg.PoolClient): Promise<void> {
  const now = formatActorSetting()
  if ((actorOf.get(client) ?? '') === now) return
  // Forgotten until it is set: a connection on which this failed is thrown away.
  actorOf.delete(client)
  await client.query(`select set_config('clearway.actor', $1, false)`, [now])
  actorOf.set(client, now)
}
