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
import { ClusterError } from './postgres/cluster.ts'
import { namingLosses, poolOf, type PoolOptions } from './postgres/pool.ts'
import { forgetPrimary } from './postgres/primary.ts'
import { followingPool, openRest } from './postgres/replica.ts'
import { registerReadConnections } from './large-read.ts'

// Counts are bigint in PostgreSQL; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export const oldestPostgres = 15

/** Each service has its own schema in the database, and sees no other. */
export const serviceSchemas = ['monitor', 'account', 'idp'] as const
export type ServiceSchema = (typeof serviceSchemas)[number]
export type Migrations = Readonly<Record<string, Migration>>

type DatabaseOptions = Omit<PoolOptions, 'streamSeconds' | 'silenceMs'> & {
  schema: ServiceSchema
  /** How long an export may be read; left out, for any time. */
  downloadSeconds?: number
  /** A copy of the same database, for `preferReplica` and streams. */
  replicaUrl?: string | null
  /** Called when the copy is not read from, and when it is again. */
  onReplica?: (message: string) => void
}

/**
 * Opens a pool on one service's schema.
 * @param options.onError is called for connections that broke while idle; the pool makes new ones
 */
export function openDatabase<Tables>(url: string, options: DatabaseOptions): Kysely<Tables> {
  const pool = poolOf(url, options)
  const streams = poolOf(url, streaming(options))
  const copies = options.replicaUrl ? copiesOf(options.replicaUrl, options) : null
  const all = [pool, streams, ...(copies ? [copies.pool, copies.streams] : [])]
  const end = async () => void (await Promise.all(all.map((one) => one.end())))
  const over = (one: pg.Pool) =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: namingLosses(one, end, () => forgetPrimary(url)) }),
    })
  const db = over(pool)
  const rest = openRest(options.onReplica ?? (() => undefined))
  const following = (one: pg.Pool) => {
    const named = namingLosses(one, end, () => undefined)
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: followingPool(named, db, rest) }) })
  }
  const replica = copies && following(copies.pool)
  if (replica) registerReadConnections(replica, { streams: following(copies.streams), replica: null })
  registerReadConnections(db, { streams: over(streams), replica })
  return db
}

/** The same two pools on a copy. One that goes silent has a question given up a little after it should have ended it. */
function copiesOf(url: string, options: DatabaseOptions) {
  const { statementSeconds = 0 } = options
  const own = {
    ...options,
    waitMs: 3000,
    silenceMs: statementSeconds === 0 ? 0 : (statementSeconds + 5) * 1000,
  }
  return { pool: poolOf(url, own), streams: poolOf(url, streaming(own)) }
}

/** A slow reader of a download takes none of the connections that everything else needs. */
const streaming = ({ downloadSeconds, ...options }: DatabaseOptions): PoolOptions => ({
  ...options,
  connections: Math.min(streamsAtOnce, options.connections),
  streamSeconds: downloadSeconds === undefined ? 0 : downloadSeconds + (options.statementSeconds ?? 0),
})

/** Connections for what is sent on as it comes, in each process. */
const streamsAtOnce = 8

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

/** So long a change of a table waits for whoever reads from it: all others who want that table wait behind it. */
const lockMs = 4000
/** And so often it is tried again: an export may be read for a quarter of an hour. */
const lockTries = 240

/** Changes that give up when somebody reads the table for longer than `lockMs`. */
const impatient = (migrations: Migrations): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      {
        up: async (db: Kysely<unknown>) => {
          await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(db)
          await migration.up(db)
        },
      },
    ]),
  )

const migratorOf = <T>(db: Kysely<T>, schema: ServiceSchema, migrations: Migrations) =>
  new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(impatient(migrations)) },
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
  // A process with nothing to do does not wait for one that works on another schema.
  const state = await migrationState(db, schema, migrations)
  await refuseNewer(db, schema, migrations)
  if (state.every(({ appliedAt }) => appliedAt !== null)) return
  for (let tries = 1; ; tries++) {
    const { error } = await migratorOf(db, schema, migrations).migrateToLatest()
    if (!error) return
    if ((error as { code?: unknown }).code !== '55P03' || tries >= lockTries) throw error
    await sleep(lockMs)
  }
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
      // An immediate retry would meet the same other transaction.
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
}

/**
 * A version of something that several calls write, made of what is stored (texts, listed): none of them can forget to
 * count. A number that fits JSON.
 */
export const versionOf = (texts: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(hashtextextended(jsonb_build_array(${texts})::text, 1) & 2147483647)::int`

/**
 * The condition that a column has one of the ids that are in `column` of `rows`. The ids are given as values: the planner knows
 * how many rows have one of some values, and only guesses for a subquery.
 */
export async function amongIds<Tables>(
  db: Kysely<Tables>,
  column: string,
  rows: RawBuilder<unknown>,
): Promise<(column: RawBuilder<unknown>) => RawBuilder<boolean>> {
  const found = await sql<{ ids: string[] }>`
    select coalesce(array_agg(distinct ${sql.ref(column)}), '{}') as ids from ${rows} t`.execute(db)
  const { ids } = found.rows[0]!
  return (sought) => sql`${sought} = any(${ids}::uuid[])`
}

/** Whether an error is a broken unique constraint of that name. */
export const isTaken = (error: unknown, constraint: string): boolean =>
  (error as { code?: unknown }).code === '23505' &&
  (error as { constraint?: unknown }).constraint === constraint

/** Words that are stored as their index, each as a literal of SQL. */
export const numbered = <T extends string>(words: readonly T[]): Readonly<Record<T, RawBuilder<number>>> =>
  Object.fromEntries(words.map((word, index) => [word, sql.lit(index)])) as Record<T, RawBuilder<number>>
