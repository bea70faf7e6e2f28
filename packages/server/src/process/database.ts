import type { Config } from '../config.ts'
import {
  classifyDatabaseError,
  readDatabaseVersion,
  createSchemas,
  migrate,
  minPostgresMajor,
  openDatabase,
} from '../kit/database.ts'
import type { LogFunction } from '../kit/log.ts'
import { ClusterError } from '../kit/postgres/cluster.ts'
import { monitorMigrations } from '../migrations/monitor.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import type { MonitorDb, MonitorTables } from '../monitor/database.ts'

export type RunningDatabase = { url: string; version: string; embedded: boolean; stop: () => Promise<void> }

/** Removes the password from a database URL, for messages. */
function removePassword(url: string): string {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl) return 'DATABASE_URL'
  parsedUrl.password = ''
  return parsedUrl.href
}

function createUnusableError(url: string, error: unknown): ClusterError {
  const { message: errorMessage, code: errorCode } = error as { message?: string; code?: string }
  const failureReason = errorMessage || errorCode || 'no answer'
  return new ClusterError(`The database of DATABASE_URL (${removePassword(url)}) cannot be used: ${failureReason}.`)
}

async function checkExternal(url: string): Promise<string> {
  const testDb = openDatabase<Record<string, never>>(url, { schema: 'monitor', connections: 1 })
  try {
    const serverVersion = await readDatabaseVersion(testDb)
    if (serverVersion.major < minPostgresMajor)
      throw new ClusterError(
        `DATABASE_URL points to PostgreSQL ${serverVersion.text}; Clearway needs ${minPostgresMajor} or newer.`,
      )
    return serverVersion.text
  } catch (error) {
    throw error instanceof ClusterError ? error : createUnusableError(url, error)
  } finally {
    await testDb.destroy()
  }
}

/**
 * Starts the database: the configured one, or else the embedded one.
 * @param report notes what the embedded database does, and takes long or is unexpected
 * @throws ClusterError with instructions for the operator
 */
export async function startDatabase(
  config: Config,
  report: (message: string) => void = (message) => console.error(message),
): Promise<RunningDatabase> {
  const externalUrl = config.DATABASE_URL
  const embeddedDatabase = externalUrl === null ? await startEmbeddedDatabase(config, report) : null
  const databaseUrl = externalUrl ?? embeddedDatabase!.url
  const databaseVersionText = await checkExternal(databaseUrl)
  await createSchemas(databaseUrl).catch((error: unknown) => {
    throw classifyDatabaseError(error) ? createUnusableError(databaseUrl, error) : error
  })
  return {
    url: databaseUrl,
    version: databaseVersionText,
    embedded: embeddedDatabase !== null,
    stop: () => embeddedDatabase?.stop() ?? Promise.resolve(),
  }
}

/** Opens the monitor's schema without migrations. */
export const openMonitor = (config: Config, url: string): MonitorDb =>
  openDatabase<MonitorTables>(url, { schema: 'monitor', connections: config.CLEARWAY_DATABASE_CONNECTIONS })

/** The same for calls, with time limits, since users wait for replies and there may be many calls. */
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

export const migrateMonitor = (db: MonitorDb, log?: LogFunction): Promise<void> => migrate(db, 'monitor', monitorMigrations, log)

/** Opens the monitor's schema, migrated. */
export async function openMonitorDatabase(config: Config, url: string): Promise<MonitorDb> {
  const monitorDb = openMonitor(config, url)
  await migrateMonitor(monitorDb)
  return monitorDb
}
