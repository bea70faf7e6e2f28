import { createHash } from 'node:crypto'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CopyDatabase, keepPrograms, upgradeCluster } from './upgrade.ts'
import { findBinaries, othersCanReach, runAs } from './binaries.ts'
import { type Cluster, ClusterError, keepRunning, startCluster, stopCluster } from './cluster.ts'

export type Embedded = { url: string; stop: () => Promise<void> }

/**
 * A folder that the user of PostgreSQL can reach. Root's data may be below a private home, which that user
 * cannot enter; its database is then below /var/lib, by a name made from the data folder's.
 */
async function homeOf(data: string): Promise<string> {
  const as = runAs()
  if (!as || (await othersCanReach(data))) return data
  const name = createHash('sha256').update(data).digest('hex').slice(0, 16)
  const home = join('/var/lib/clearway', name)
  await mkdir(home, { recursive: true, mode: 0o755 })
  return home
}

/**
 * Starts the PostgreSQL that comes with Clearway, or adopts the one that runs on this folder already. It stays up
 * until it is stopped: a server that ends by itself is started again, and reported by `report`.
 * @throws ClusterError with what a person must do
 */
export async function startEmbedded(options: {
  data: string
  throwAway?: boolean
  report?: (message: string) => void
  copy?: CopyDatabase
}): Promise<Embedded> {
  const as = runAs()
  await mkdir(options.data, { recursive: true, mode: 0o755 })
  if (as) await chmod(options.data, 0o755)
  const home = await homeOf(options.data)
  const runtime = join(home, 'runtime')
  const report = options.report ?? (() => undefined)
  const binaries = await findBinaries(runtime, as)
  if (!binaries)
    throw new ClusterError(
      `No embedded database comes for ${process.platform}-${process.arch}. ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  const folder = join(home, 'database')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (as) await chown(folder, as.uid, as.gid)
  const cluster: Cluster = {
    binaries,
    as,
    data: join(folder, 'cluster'),
    log: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'password'),
    throwAway: options.throwAway ?? false,
  }
  await upgradeCluster(cluster, { runtime, report, ...(options.copy && { copy: options.copy }) })
  if (!cluster.throwAway) await keepPrograms(binaries, runtime)
  const running = await startCluster(cluster)
  const letGo = keepRunning(cluster, running.port, report)
  const stop = () => {
    letGo()
    return stopCluster(cluster)
  }
  return { url: running.url, stop }
}
