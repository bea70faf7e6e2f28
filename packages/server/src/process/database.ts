import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { restoreBackup } from '../kit/backup/read.ts'
import { writeBackup } from '../kit/backup/write.ts'
import {
  databaseProblem,
  databaseVersion,
  makeSchemas,
  migrate,
  oldestPostgres,
  openDatabase,
} from '../kit/database.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'
import { startEmbedded } from '../kit/postgres/embedded.ts'
import type { CopyDatabase } from '../kit/postgres/upgrade.ts'
import { sealKeyOf } from '../kit/seal.ts'
import { accountMigrations } from '../migrations/account.ts'
import { idpMigrations } from '../migrations/idp.ts'
import { monitorMigrations } from '../migrations/monitor.ts'
import { productVersion } from './version.ts'
import type { MonitorDb, MonitorTables } from '../monitor/database.ts'

export const allMigrations = { monitor: monitorMigrations, account: accountMigrations, idp: idpMigrations }

export type Databases = { url: string; version: string; embedded: boolean; stop: () => Promise<void> }

/** The URL without its password, for messages. */
function withoutPassword(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return 'DATABASE_URL'
  parsed.password = ''
  return parsed.href
}

function unusable(url: string, error: unknown): ClusterError {
  const { message, code } = error as { message?: string; code?: string }
  const reason = message || code || 'no answer'
  return new ClusterError(`The database of DATABASE_URL (${withoutPassword(url)}) cannot be used: ${reason}.`)
}

async function checkExternal(url: string): Promise<string> {
  const db = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
  try {
    const version = await databaseVersion(db)
    if (version.major < oldestPostgres)
      throw new ClusterError(
        `DATABASE_URL leads to PostgreSQL ${version.text}; Clearway needs ${oldestPostgres} or newer.`,
      )
    return version.text
  } catch (error) {
    throw error instanceof ClusterError ? error : unusable(url, error)
  } finally {
    await db.destroy()
  }
}

/** Copies a database into another by way of a backup, whose counts and checksums are compared. */
const copyDatabase =
  (config: Config): CopyDatabase =>
  async (from, to) => {
    const folder = await mkdtemp(join(config.CLEARWAY_DATA, 'upgrade-'))
    const file = join(folder, 'whole.backup')
    const key = sealKeyOf({ setting: config.CLEARWAY_SECRET_KEY, folder: config.CLEARWAY_DATA })
    try {
      await writeBackup({ url: from, file, product: productVersion(), key, passphrase: null })
      await restoreBackup({ url: to, file, migrations: allMigrations, replace: false })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

/**
 * The database: that of the settings, else the embedded one, started.
 * @throws ClusterError with what a person must do
 */
export async function startDatabase(config: Config): Promise<Databases> {
  const external = config.DATABASE_URL
  const report = (message: string) => console.error(message)
  const embedded =
    external === null
      ? await startEmbedded({ data: config.CLEARWAY_DATA, report, copy: copyDatabase(config) })
      : null
  const url = external ?? embedded!.url
  const version = await checkExternal(url)
  await makeSchemas(url).catch((error: unknown) => {
    throw databaseProblem(error) ? unusable(url, error) : error
  })
  return { url, version, embedded: embedded !== null, stop: () => embedded?.stop() ?? Promise.resolve() }
}

/** Opens the monitor's part of the database, as it is. */
export const openMonitor = (config: Config, url: string): MonitorDb =>
  openDatabase<MonitorTables>(url, { schema: 'monitor', connections: config.CLEARWAY_DATABASE_CONNECTIONS })

/** The same for calls: somebody waits for their answers, and many call. */
export const openMonitorForCalls = (
  config: Config,
  url: string,
  onReplica: (message: string) => void = () => undefined,
): MonitorDb =>
  openDatabase<MonitorTables>(url, {
    schema: 'monitor',
    connections: config.CLEARWAY_DATABASE_CONNECTIONS,
    statementSeconds: config.CLEARWAY_STATEMENT_SECONDS,
    downloadSeconds: config.CLEARWAY_DOWNLOAD_SECONDS,
    replicaUrl: config.DATABASE_REPLICA_URL,
    onReplica,
  })

export const migrateMonitor = (db: MonitorDb): Promise<void> => migrate(db, 'monitor', monitorMigrations)

/** Opens the monitor's part of the database, up to date. */
export async function openMonitorDatabase(config: Config, url: string): Promise<MonitorDb> {
  const db = openMonitor(config, url)
  await migrateMonitor(db)
  return db
}
