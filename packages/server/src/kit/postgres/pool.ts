import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { formatActorSetting } from '../actor.ts'
import { getStatementLimitMs } from '../statement-limit.ts'
import { toPreparedQuery } from './prepared.ts'
import { getConnectionOptions, getClientClass, isStaleClient, PrimaryMovedError } from './primary.ts'

export type PoolOptions = {
  /** Schema of the service, which sees no other. */
  schema: string
  connections: number
  /** Statement time-out in seconds; none if omitted or 0. */
  statementSeconds?: number
  /** Set for pools of streams: maximum duration of a transaction in seconds; 0 for no limit. */
  streamSeconds?: number
  /** Maximum time to wait for a reply of the server; 0 for no limit. */
  silenceMs?: number
  /** Maximum time to wait for a connection. */
  waitMs?: number
  onError?: (error: Error) => void
}

/**
 * Session options for streams. All rows will be read, and the reader may pause between two batches. This process ends
 * a read in time; the database does if the process is gone. Memoization is disabled: the planner expects keys to
 * repeat and caches each row, which takes a fifth of the time, but in a run no key repeats.
 */
const buildStreamOptions = (maxIdleSeconds: number) =>
  `-c cursor_tuple_fraction=1 -c enable_memoize=off -c idle_in_transaction_session_timeout=${maxIdleSeconds * 1000}`

/** How long a connection is used. Then it is closed as soon as it is free. */
const maxLifetimeSeconds = 600

export function createPool(
  url: string,
  { schema, connections, statementSeconds = 0, streamSeconds, waitMs = 15_000, silenceMs = 0, onError }: PoolOptions,
): pg.Pool {
  const connectionPool = new pg.Pool({
    ...getConnectionOptions(url),
    Client: getClientClass(url),
    max: connections,
    connectionTimeoutMillis: waitMs,
    // Longer than the interval of periodic work: otherwise, each of its rounds opens a new connection.
    idleTimeoutMillis: 30_000,
    // The last connection is never idle for so long. Its process in the database has cached what migrations and runs needed.
    maxLifetimeSeconds,
    query_timeout: silenceMs,
    // Assumes cached pages and fast disks, so that indexes pay off. JIT compilation takes longer than our statements.
    // A bulk change reads tables of its transaction of some 15 MB several times.
    options: [
      `-c temp_buffers=32MB -c search_path=${schema} -c random_page_cost=1.1 -c jit=off -c statement_timeout=${statementSeconds * 1000}`,
      ...(streamSeconds === undefined ? [] : [buildStreamOptions(streamSeconds)]),
    ].join(' '),
    application_name: `clearway ${schema}`,
  })
  // Without listeners a restart of the database would end the process. The pool's listener covers idle connections
  // only; one in use fails at its next statement.
  connectionPool.on('error', (error) => onError?.(error))
  connectionPool.on('connect', (client) => client.on('error', () => undefined))
  servicesByPool.set(connectionPool, schema)
  const endPool = connectionPool.end.bind(connectionPool)
  connectionPool.end = () => {
    servicesByPool.delete(connectionPool)
    return endPool()
  }
  return connectionPool
}

/** The open pools of this process, by service. */
const servicesByPool = new Map<pg.Pool, string>()

/** The current state of this process's pools. */
export const listOpenPools = () =>
  [...servicesByPool].map(([pool, service]) => ({
    service,
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    maxConnections: pool.options.max,
  }))

/** `connection_failure` of the SQL standard, since the driver's error for a broken connection has no code. */
const connectionFailureCode = '08006'

/** Adds the code to errors of broken connections: all errors except those of the database and programming errors. */
function withErrorCode(error: unknown): unknown {
  const isConnectionError = error instanceof Error && !(error instanceof pg.DatabaseError) && !(error instanceof TypeError)
  if (isConnectionError && (error as { code?: string }).code === undefined) Object.assign(error, { code: connectionFailureCode })
  return error
}

/** Maximum number of attempts to follow the primary to another server. */
const maxMoves = 3

/** `read_only_sql_transaction`: after a failover, a connection to the former primary. */
const isReadOnlyError = (error: unknown): boolean => (error as { code?: unknown }).code === '25006'

/**
 * A pool whose errors all have codes, including those of broken connections. If the server has become a replica, all
 * connections are discarded: new ones lead to the primary.
 */
export function withErrorCodes(
  pool: pg.Pool,
  endPools: () => Promise<void>,
  onReplica: () => void,
  statementSeconds = 0,
): PostgresPool {
  const staleClients = new WeakSet<pg.PoolClient>()
  const openClients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => openClients.add(client))
  pool.on('remove', (client) => openClients.delete(client))
  const rethrowWithCode = (error: unknown): never => {
    if (isReadOnlyError(error)) {
      for (const client of openClients) staleClients.add(client)
      onReplica()
    }
    throw withErrorCode(error)
  }
  const isDiscarded = (client: pg.PoolClient) => staleClients.has(client) || isStaleClient(client)
  const connectToPrimary = async (): Promise<pg.PoolClient> => {
    for (let moveCount = 0; ;)
      try {
        const client = await pool.connect()
        if (!isDiscarded(client)) return client
        client.release(true)
      } catch (error) {
        // No query was sent yet, and another server has become the primary.
        if (!(error instanceof PrimaryMovedError) || ++moveCount > maxMoves) throw error
      }
  }
  const guardedClients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const createGuardedClient = (client: pg.PoolClient): PostgresPoolClient => {
    // The driver's overloads cannot be called with spread arguments.
    const untypedClient: { query: (...args: unknown[]) => unknown } = client
    const queryWithCodes = (...args: unknown[]) => {
      const queryResult = untypedClient.query(...toPreparedQuery(args))
      return queryResult instanceof Promise ? queryResult.catch(rethrowWithCode) : queryResult
    }
    const guardedClient = {
      query: queryWithCodes as PostgresPoolClient['query'],
      release: (destroy?: boolean) => client.release(destroy ?? isDiscarded(client)),
    }
    guardedClients.set(client, guardedClient)
    return guardedClient
  }
  return {
    options: pool.options,
    end: endPools,
    async connect() {
      const pooledClient = await connectToPrimary().catch(rethrowWithCode)
      await syncSession(pooledClient, statementSeconds * 1000).catch((error: unknown) => {
        pooledClient.release(true)
        return rethrowWithCode(error)
      })
      return guardedClients.get(pooledClient) ?? createGuardedClient(pooledClient)
    },
  }
}

type SessionSettings = { actor: string; limitMs: number }
const settingsByClient = new WeakMap<pg.PoolClient, SessionSettings>()

/** Sets the actor and the statement limit of a connection, if they have changed. */
async function syncSession(client: pg.PoolClient, poolLimitMs: number): Promise<void> {
  const previous = settingsByClient.get(client) ?? { actor: '', limitMs: poolLimitMs }
  const current: SessionSettings = { actor: formatActorSetting(), limitMs: getStatementLimitMs(poolLimitMs) }
  if (previous.actor === current.actor && previous.limitMs === current.limitMs) return
  // Cleared until the query succeeds: a connection on which it fails is discarded.
  settingsByClient.delete(client)
  await client.query(`select set_config('clearway.actor', $1, false), set_config('statement_timeout', $2, false)`, [
    current.actor,
    String(current.limitMs),
  ])
  settingsByClient.set(client, current)
}
