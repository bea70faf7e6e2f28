import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { actorSetting } from './actor.ts'
import { ClusterError } from './postgres/cluster.ts'
import { boundedCursor, silenceMsOf } from './postgres/cursor.ts'
import { addressOf, clientOf, forgetPrimary, isStale, MovedError } from './postgres/primary.ts'
import { followingPool, openRest } from './postgres/replica.ts'
import { readElsewhere } from './read.ts'

// Counts are bigint in PostgreSQL; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export const oldestPostgres = 15

/** Each service has its own schema in the database, and sees no other. */
export const serviceSchemas = ['monitor', 'account', 'idp'] as const
export type ServiceSchema = (typeof serviceSchemas)[number]
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Opens a pool on one service's schema.
 * @param options.onError is called for connections that broke while idle; the pool makes new ones
 */
export function openDatabase<Tables>(url: string, options: PoolOptions): Kysely<Tables> {
  const pool = poolOf(url, options)
  // Whoever reads a download as slowly as he likes keeps none of the connections that everything else needs.
  const streams = poolOf(url, { ...options, connections: Math.min(streamsAtOnce, options.connections) })
  const copies = options.replicaUrl ? copiesOf(options.replicaUrl, options) : null
  const all = [pool, streams, ...(copies ? [copies.pool, copies.streams] : [])]
  const end = async () => void (await Promise.all(all.map((one) => one.end())))
  const over = (one: pg.Pool) =>
    new PostgresDialect({
      pool: namingLosses(one, end, () => forgetPrimary(url)),
      cursor: boundedCursor(0),
    })
  const db = new Kysely<Tables>({ dialect: over(pool) })
  const rest = openRest(options.onReplica ?? (() => undefined))
  const following = (one: pg.Pool) => {
    const named = namingLosses(one, end, () => undefined)
    return new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: followingPool(named, db, rest),
        cursor: boundedCursor(silenceMsOf(options.statementSeconds)),
      }),
    })
  }
  const replica = copies && following(copies.pool)
  if (replica) readElsewhere(replica, { streams: following(copies.streams), replica: null })
  readElsewhere(db, { streams: new Kysely<Tables>({ dialect: over(streams) }), replica })
  return db
}

/** The same two pools on a copy. */
function copiesOf(url: string, options: PoolOptions) {
  const { connections } = options
  const own = { ...options, waitMs: 3000 }
  return {
    pool: poolOf(url, { ...own, silenceMs: silenceMsOf(options.statementSeconds) }),
    streams: poolOf(url, { ...own, connections: Math.min(streamsAtOnce, connections) }),
  }
}

/** Connections for what is sent on as it comes, in each process. */
const streamsAtOnce = 8

type PoolOptions = {
  schema: ServiceSchema
  connections: number
  /** A statement that takes longer is ended; left out, none is. */
  statementSeconds?: number
  /** A copy of the same database, for `readMuch` and streams. */
  replicaUrl?: string | null
  /** Hears when the copy is not read from, and when it is again. */
  onReplica?: (message: string) => void
  /** How long is waited for an answer; 0 for as long as it takes. Streams are one question to the driver: their cursor does it. */
  silenceMs?: number
  /** How long is waited for a connection. */
  waitMs?: number
  onError?: (error: Error) => void
}

function poolOf(
  url: string,
  { schema, connections, statementSeconds = 0, waitMs = 15_000, silenceMs = 0, onError }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...addressOf(url),
    Client: clientOf(url),
    max: connections,
    connectionTimeoutMillis: waitMs,
    query_timeout: silenceMs,
    // Pages of memory and of fast disks: an index is worth its jumps. Compiling takes longer than our statements do.
    options: `-c search_path=${schema} -c random_page_cost=1.1 -c jit=off -c statement_timeout=${statementSeconds * 1000}`,
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
const pools = new Map<pg.Pool, ServiceSchema>()

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
function namingLosses(pool: pg.Pool, end: () => Promise<void>, onReplica: () => void): PostgresPool {
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
  const now = actorSetting()
  if ((actorOf.get(client) ?? '') === now) return
  // Forgotten until it is set: a connection on which this failed is thrown away.
  actorOf.delete(client)
  await client.query(`select set_config('clearway.actor', $1, false)`, [now])
  actorOf.set(client, now)
}

/** True when the database answers a question; rejects when it cannot be asked. */
export const answers = async <T>(db: Kysely<T>): Promise<boolean> => {
  await sql`select 1`.execute(db)
  return true
}

/** The server's version as people say it, and its major number. */
export async function databaseVersion<T>(db: Kysely<T>): Promise<{ text: string; major: number }> {
  const { rows } = await sql<{ text: string; number: number }>`
    select current_setting('server_version') as text, current_setting('server_version_num')::int as number
  `.execute(db)
  const row = rows[0]!
  return { text: row.text, major: Math.floor(row.number / 10_000) }
}

/** Makes the schemas of the services; somebody else may do the same at this moment. */
export async function makeSchemas(url: string): Promise<void> {
  const db = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(7265501)`.execute(trx)
      for (const schema of serviceSchemas)
        await sql`create schema if not exists ${sql.id(schema)}`.execute(trx)
    })
  } finally {
    await db.destroy()
  }
}

const migratorOf = <T>(db: Kysely<T>, schema: ServiceSchema, migrations: Migrations) =>
  new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableSchema: schema,
  })

/** The database through one connection that somebody else opened, and whose transaction it works in. */
export function onClient(client: pg.Client): Kysely<Record<string, never>> {
  const only: PostgresPoolClient = {
    query: client.query.bind(client) as PostgresPoolClient['query'],
    release: () => undefined,
  }
  const pool: PostgresPool = {
    options: {},
    connect: () => Promise.resolve(only),
    end: () => Promise.resolve(),
  }
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Makes a schema as it was after these migrations, in the transaction that the connection is in. What is written down of
 * them is left to whoever calls: its tables are there, and empty.
 */
export async function makeAt(
  db: Kysely<Record<string, never>>,
  migrations: Migrations,
  names: readonly string[],
): Promise<void> {
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  )
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(
    db,
  )
  for (const name of names) await migrations[name]!.up(db)
}

/** Brings a schema up to date. Several processes may call it at once: one works, the others wait. Throws on failure. */
export async function migrate<T>(
  db: Kysely<T>,
  schema: ServiceSchema,
  migrations: Migrations,
): Promise<void> {
  // Who has nothing to do does not wait for a process that works on another schema.
  const state = await migrationState(db, schema, migrations)
  await refuseNewer(db, schema, migrations)
  if (state.every(({ appliedAt }) => appliedAt !== null)) return
  const { error } = await migratorOf(db, schema, migrations).migrateToLatest()
  if (error) throw error
}

/**
 * A program must not write to a schema that a newer one made: it does not know what that expects.
 * @throws ClusterError that names the first migration which this program lacks
 */
async function refuseNewer<T>(db: Kysely<T>, schema: ServiceSchema, migrations: Migrations): Promise<void> {
  const table = sql.id(schema, 'kysely_migration')
  const there = await sql<{
    there: boolean
  }>`select to_regclass(${`${schema}.kysely_migration`}) is not null as there`.execute(db)
  if (!there.rows[0]?.there) return
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  const unknown = rows.find(({ name }) => !(name in migrations))
  if (unknown)
    throw new ClusterError(
      `This program is older than its database: it lacks the change ${unknown.name} of ${schema}. ` +
        'Start the version that made it, or a newer one; or restore a backup of before.',
    )
}

/** Each migration with the moment at which it was applied, or null. */
export async function migrationState<T>(
  db: Kysely<T>,
  schema: ServiceSchema,
  migrations: Migrations,
): Promise<{ file: string; appliedAt: Date | null }[]> {
  const found = await migratorOf(db, schema, migrations).getMigrations()
  return found.map(({ name, executedAt }) => ({ file: name, appliedAt: executedAt ?? null }))
}

/** What a database error means to the caller, by its SQLSTATE or system code; null for one that is nobody's doing. */
export function databaseProblem(error: unknown): 'disk-full' | 'database-unavailable' | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? (problemOfCode[code] ?? null) : null
}
const problemOfCode: Readonly<Record<string, 'disk-full' | 'database-unavailable'>> = {
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  '53200': 'database-unavailable',
  '53300': 'database-unavailable',
  // It took too long, which the database does when too much is asked of it.
  '57014': 'database-unavailable',
  '57P01': 'database-unavailable',
  '57P02': 'database-unavailable',
  '57P03': 'database-unavailable',
  '08000': 'database-unavailable',
  '08001': 'database-unavailable',
  '08003': 'database-unavailable',
  '08006': 'database-unavailable',
  ECONNREFUSED: 'database-unavailable',
  ECONNRESET: 'database-unavailable',
  ETIMEDOUT: 'database-unavailable',
  // A replica, to which one can connect but not write.
  '25006': 'database-unavailable',
  ENOTFOUND: 'database-unavailable',
  EAI_AGAIN: 'database-unavailable',
  EHOSTUNREACH: 'database-unavailable',
  ENETUNREACH: 'database-unavailable',
}

/**
 * `deadlock_detected` and `serialization_failure`: another transaction won, and nothing is wrong with this one. And
 * `read_only_sql_transaction`: it came to what was the primary, and wrote nothing.
 */
const lostToAnother = new Set<unknown>(['40P01', '40001', '25006'])
const attempts = 5

/**
 * Does `work` in a transaction, and again when it lost to another one; after five times it is a failure. `work` must do
 * nothing that its transaction does not take back.
 */
export async function inTransaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!lostToAnother.has((error as { code?: unknown }).code) || attempt >= attempts) throw error
      // Who comes back at once meets the same other one.
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
}

/**
 * A version of something that several calls write, made of what is stored (texts, listed): none of them can forget to
 * count. A number that fits JSON.
 */
export const versionOf = (texts: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(hashtextextended(jsonb_build_array(${texts})::text, 1) & 2147483647)::int`

/** Whether an error is a broken unique constraint of that name. */
export const isTaken = (error: unknown, constraint: string): boolean =>
  (error as { code?: unknown }).code === '23505' &&
  (error as { constraint?: unknown }).constraint === constraint

/** Words that are stored as their index, each as a literal of SQL. */
export const numbered = <T extends string>(words: readonly T[]): Readonly<Record<T, RawBuilder<number>>> =>
  Object.fromEntries(words.map((word, index) => [word, sql.lit(index)])) as Record<T, RawBuilder<number>>
