import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type Transaction,
} from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { ClusterError } from './postgres/cluster.ts'
import { withErrorCodes, createPool, type PoolOptions } from './postgres/pool.ts'
import { forgetPrimary } from './postgres/primary.ts'
import { createReplicaPool, createReplicaBackOff } from './postgres/replica.ts'
import { registerReadConnections } from './large-read.ts'
import type { LogFunction } from './log.ts'

// Counts are bigint in PostgreSQL; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export const minPostgresMajor = 15

/** Each service has its own database schema, and sees no other. */
export const serviceSchemas = ['monitor', 'account', 'idp'] as const
export type ServiceSchema = (typeof serviceSchemas)[number]
export type Migrations = Readonly<Record<string, Migration>>

export const runStatements = (statements: readonly string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

type DatabaseOptions = Omit<PoolOptions, 'streamSeconds' | 'silenceMs'> & {
  schema: ServiceSchema
  /** Maximum duration of an export; unlimited if omitted. */
  downloadSeconds?: number
  /** A read replica, for `preferReplica` and streams. */
  replicaUrl?: string | null
  /** Called when the replica is no longer used, and when it is used again. */
  onReplica?: (message: string) => void
}

/**
 * Opens a pool on one service's schema.
 * @param options.onError is called for connections that broke while idle; the pool replaces them
 */
export function openDatabase<Tables>(url: string, options: DatabaseOptions): Kysely<Tables> {
  const mainPool = createPool(url, options)
  const streamPool = createPool(url, getStreamOptions(options))
  const replicaPools = options.replicaUrl ? createReplicaPools(options.replicaUrl, options) : null
  const allPools = [mainPool, streamPool, ...(replicaPools ? [replicaPools.pool, replicaPools.streams] : [])]
  const endPools = async () => void (await Promise.all(allPools.map((databasePool) => databasePool.end())))
  const createKysely = (databasePool: pg.Pool) =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: withErrorCodes(databasePool, endPools, () => forgetPrimary(url), options.statementSeconds),
      }),
    })
  const db = createKysely(mainPool)
  const replicaState = createReplicaBackOff(options.onReplica ?? (() => undefined))
  const createReplicaKysely = (databasePool: pg.Pool) => {
    const namedPool = withErrorCodes(databasePool, endPools, () => undefined, options.statementSeconds)
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createReplicaPool(namedPool, db, replicaState) }) })
  }
  const replicaDb = replicaPools && createReplicaKysely(replicaPools.pool)
  if (replicaDb) registerReadConnections(replicaDb, { streams: createReplicaKysely(replicaPools.streams), replica: null })
  registerReadConnections(db, { streams: createKysely(streamPool), replica: replicaDb })
  return db
}

/** The same two pools on a replica. A query on a silent connection is abandoned shortly after its statement time-out. */
function createReplicaPools(url: string, options: DatabaseOptions) {
  const { statementSeconds = 0 } = options
  const replicaOptions = { ...options, waitMs: 3000, silenceMs: statementSeconds === 0 ? 0 : (statementSeconds + 5) * 1000 }
  return { pool: createPool(url, replicaOptions), streams: createPool(url, getStreamOptions(replicaOptions)) }
}

/** Options of the pool for streams: slow readers of downloads must not occupy the connections of other work. */
const getStreamOptions = ({ downloadSeconds, ...options }: DatabaseOptions): PoolOptions => ({
  ...options,
  connections: Math.min(maxStreamConnections, options.connections),
  streamSeconds: downloadSeconds === undefined ? 0 : downloadSeconds + (options.statementSeconds ?? 0),
})

/** Maximum number of connections for streams, per process. */
const maxStreamConnections = 8

/** A connection apart from all others, for checks that must not wait for one. `ping` rejects if the database does not respond. */
export function openPing(url: string): { ping: () => Promise<void>; end: () => Promise<void> } {
  const pingPool = createPool(url, { schema: 'monitor', connections: 1, waitMs: maxPingMs, silenceMs: maxPingMs })
  return { ping: async () => void (await pingPool.query('select 1')), end: () => pingPool.end() }
}
const maxPingMs = 10_000

/** Resolves to true if the database executes a query; rejects otherwise. */
export const isDatabaseReachable = async <T>(db: Kysely<T>): Promise<boolean> => {
  await sql`select 1`.execute(db)
  return true
}

export async function readDatabaseVersion<T>(db: Kysely<T>): Promise<{ text: string; major: number }> {
  const { rows: versionRows } = await sql<{ text: string; number: number }>`
    select current_setting('server_version') as text, current_setting('server_version_num')::int as number
  `.execute(db)
  const versionRow = versionRows[0]!
  return { text: versionRow.text, major: Math.floor(versionRow.number / 10_000) }
}

/** Creates the schemas of the services. Safe to call from several processes at once. */
export async function createSchemas(url: string): Promise<void> {
  const db = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
  try {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(7265501)`.execute(trx)
      for (const schema of serviceSchemas) await sql`create schema if not exists ${sql.id(schema)}`.execute(trx)
    })
  } finally {
    await db.destroy()
  }
}

/** Maximum time for which a migration waits for readers of a table, since all later queries on the table wait behind it. */
const lockTimeoutMs = 4000
/** Maximum number of attempts: an export may read for a quarter of an hour. */
const maxLockAttempts = 240

/** Adds a lock time-out to migrations, so that they give up if a table is read for longer than `lockTimeoutMs`. */
const withLockTimeout = (migrations: Migrations): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([migrationName, migration]) => [
      migrationName,
      {
        up: async (db: Kysely<unknown>) => {
          await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db)
          await migration.up(db)
        },
      },
    ]),
  )

const createMigrator = <T>(db: Kysely<T>, schema: ServiceSchema, migrations: Migrations) =>
  new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(withLockTimeout(migrations)) },
    migrationTableSchema: schema,
  })

/** A Kysely instance on a single existing connection, within its transaction. */
export function createKyselyOnClient(client: pg.Client): Kysely<Record<string, never>> {
  const singleClient: PostgresPoolClient = {
    query: client.query.bind(client) as PostgresPoolClient['query'],
    release: () => undefined,
  }
  const singlePool: PostgresPool = { options: {}, connect: () => Promise.resolve(singleClient), end: () => Promise.resolve() }
  return new Kysely({ dialect: new PostgresDialect({ pool: singlePool }) })
}

/** Creates a schema as of the given migrations, in the connection's transaction. The caller fills the migration tables. */
export async function createSchemaAt(
  db: Kysely<Record<string, never>>,
  migrations: Migrations,
  migrationNames: readonly string[],
): Promise<void> {
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0)`.execute(db)
  for (const migrationName of migrationNames) await migrations[migrationName]!.up(db)
}

/**
 * Migrates a schema to the latest version. Of several concurrent processes, one works and the others wait. Throws on failure.
 * @param log notes the migrations that this process applied
 */
export async function migrate<T>(
  db: Kysely<T>,
  schema: ServiceSchema,
  migrations: Migrations,
  log: LogFunction = () => undefined,
): Promise<void> {
  const startedAt = performance.now()
  // A process with nothing to do must not wait for another schema's migration.
  const migrationStates = await readMigrationStates(db, schema, migrations)
  await refuseNewerSchema(db, schema, migrations)
  if (migrationStates.every(({ appliedAt }) => appliedAt !== null)) return
  for (let attempt = 1; ; attempt++) {
    const { error, results = [] } = await createMigrator(db, schema, migrations).migrateToLatest()
    if (!error) {
      const applied = results.map(({ migrationName }) => migrationName)
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10
      if (applied.length > 0) log('info', 'database migrated', { schema, migrations: applied, seconds })
      return
    }
    if ((error as { code?: unknown }).code !== '55P03' || attempt >= maxLockAttempts) throw error
    await sleep(lockTimeoutMs)
  }
}

/**
 * Refuses a schema that a newer program migrated: this program does not know its constraints.
 * @throws ClusterError that names the first unknown migration
 */
async function refuseNewerSchema<T>(db: Kysely<T>, schema: ServiceSchema, migrations: Migrations): Promise<void> {
  const migrationTable = sql.id(schema, 'kysely_migration')
  const tableExistence = await sql<{
    there: boolean
  }>`select to_regclass(${`${schema}.kysely_migration`}) is not null as there`.execute(db)
  if (!tableExistence.rows[0]?.there) return
  const { rows: migrationRows } = await sql<{ name: string }>`select name from ${migrationTable} order by name`.execute(db)
  const unknownMigration = migrationRows.find(({ name }) => !(name in migrations))
  if (unknownMigration)
    throw new ClusterError(
      `This program is older than its database: it lacks the change ${unknownMigration.name} of ${schema}. ` +
        'Start the version that made it, or a newer one; or restore an earlier backup.',
    )
}

export async function readMigrationStates<T>(
  db: Kysely<T>,
  schema: ServiceSchema,
  migrations: Migrations,
): Promise<{ file: string; appliedAt: Date | null }[]> {
  const migrationInfos = await createMigrator(db, schema, migrations).getMigrations()
  return migrationInfos.map(({ name, executedAt }) => ({ file: name, appliedAt: executedAt ?? null }))
}

/** Classifies a database error by its SQLSTATE or system code; null for a programming error. */
export function classifyDatabaseError(error: unknown): 'disk-full' | 'database-unavailable' | null {
  const errorCode = (error as { code?: unknown } | null)?.code
  return typeof errorCode === 'string' ? (problemsByErrorCode.get(errorCode) ?? null) : null
}
const problemsByErrorCode: ReadonlyMap<string, 'disk-full' | 'database-unavailable'> = new Map(
  Object.entries({
    '53100': 'disk-full',
    ENOSPC: 'disk-full',
    '53200': 'database-unavailable',
    '53300': 'database-unavailable',
    // Statement time-out, which indicates an overloaded database.
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
    // A replica, which accepts connections but no writes.
    '25006': 'database-unavailable',
    ENOTFOUND: 'database-unavailable',
    EAI_AGAIN: 'database-unavailable',
    EHOSTUNREACH: 'database-unavailable',
    ENETUNREACH: 'database-unavailable',
  }),
)

/** After a deadlock or a serialization failure, a retry may succeed; 25006 is a former primary, which wrote nothing. */
const retryableCodes = new Set<unknown>(['40P01', '40001', '25006'])
const maxAttempts = 5

/** Runs `work` in a transaction, and retries it up to five times after conflicts: it must have no other side effects. */
export async function inTransaction<Tables, T>(db: Kysely<Tables>, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!retryableCodes.has((error as { code?: unknown }).code) || attempt >= maxAttempts) throw error
      // An immediate retry would meet the same other transaction.
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
}

/** A version number of stored data (a list of text expressions) that no writer can forget to increment. It fits a JSON number. */
export const buildVersionSql = (textExpressions: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(hashtextextended(jsonb_build_array(${textExpressions})::text, 1) & 2147483647)::int`

/** Builds the condition that a column has an id in `column` of `rows`, passed as values, for which the planner has statistics. */
export async function buildIdFilter<Tables>(
  db: Kysely<Tables>,
  column: string,
  rows: RawBuilder<unknown>,
): Promise<(column: RawBuilder<unknown>) => RawBuilder<boolean>> {
  const idResult = await sql<{ ids: string[] }>`
    select array(select distinct ${sql.ref(column)} from ${rows} t) as ids`.execute(db)
  const { ids } = idResult.rows[0]!
  return (searchedColumn) => sql`${searchedColumn} = any(${ids}::uuid[])`
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  (error as { code?: unknown }).code === '23505' && (error as { constraint?: unknown }).constraint === constraint

/** SQL literals for words that are stored as their index. */
export const toIndexLiterals = <T extends string>(words: readonly T[]): Readonly<Record<T, RawBuilder<number>>> =>
  Object.fromEntries(words.map((word, index) => [word, sql.lit(index)])) as Record<T, RawBuilder<number>>

/** Raises the memory of sorts and hashes to at least so many megabytes for the rest of a transaction. */
export const raiseWorkMemory = (trx: QueryExecutorProvider, megabytes: number) =>
  sql`select set_config('work_mem',
    greatest(pg_size_bytes(current_setting('work_mem')), ${megabytes * 2 ** 20}::bigint) / 1024 || 'kB', true)`.execute(trx)
