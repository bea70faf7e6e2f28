import { createHash } from 'node:crypto'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CopyDatabase, keepPrograms, upgradeCluster } from './upgrade.ts'
import { findBinaries, canOthersReach, getPostgresUser } from './binaries.ts'
import { type DatabaseCluster, ClusterError, superviseCluster, startCluster, stopCluster } from './cluster.ts'

export type EmbeddedDatabase = { url: string; stop: () => Promise<void> }

/** Mode of folders of root above the database: the user of PostgreSQL can enter them, but not list them. */
const passableMode = 0o711

/** A folder that PostgreSQL's user can reach: for data of root below a private home, one below /var/lib with a derived name. */
async function resolveDatabaseHome(dataFolder: string): Promise<string> {
  const postgresUser = getPostgresUser()
  if (!postgresUser || (await canOthersReach(dataFolder))) return dataFolder
  const folderName = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  const databaseHome = join('/var/lib/clearway', folderName)
  await mkdir(databaseHome, { recursive: true, mode: passableMode })
  return databaseHome
}

/**
 * Starts the PostgreSQL of Clearway, or adopts the one on this folder. Restarts it if it ends, and calls `report`.
 * @throws ClusterError with instructions for the operator
 */
export async function startEmbedded(options: {
  data: string
  throwAway?: boolean
  report?: (message: string) => void
  copy?: CopyDatabase
}): Promise<EmbeddedDatabase> {
  const postgresUser = getPostgresUser()
  await mkdir(options.data, { recursive: true, mode: 0o700 })
  if (postgresUser) await chmod(options.data, passableMode)
  const databaseHome = await resolveDatabaseHome(options.data)
  const runtimeFolder = join(databaseHome, 'runtime')
  const reportMessage = options.report ?? (() => undefined)
  const postgresBinaries = await findBinaries(runtimeFolder, postgresUser)
  if (!postgresBinaries)
    throw new ClusterError(
      `No embedded database comes for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  const databaseFolder = join(databaseHome, 'database')
  await mkdir(databaseFolder, { recursive: true, mode: 0o700 })
  // Also for folders of earlier versions.
  await chmod(databaseFolder, 0o700)
  if (postgresUser) await chown(databaseFolder, postgresUser.uid, postgresUser.gid)
  const databaseCluster: DatabaseCluster = {
    binaries: postgresBinaries,
    as: postgresUser,
    data: join(databaseFolder, 'cluster'),
    log: join(databaseFolder, 'postgres.log'),
    passwordFile: join(databaseFolder, 'password'),
    throwAway: options.throwAway ?? false,
  }
  await upgradeCluster(databaseCluster, {
    runtime: runtimeFolder,
    report: reportMessage,
    ...(options.copy && { copy: options.copy }),
  })
  if (!databaseCluster.throwAway) await keepPrograms(postgresBinaries, runtimeFolder)
  const runningCluster = await startCluster(databaseCluster)
  const stopSupervising = superviseCluster(databaseCluster, runningCluster.port, reportMessage)
  const stopDatabase = () => {
    stopSupervising()
    return stopCluster(databaseCluster)
  }
  return { url: runningCluster.url, stop: stopDatabase }
}
