import { copyFile, link, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, exists } from './binaries.ts'
import { type Cluster, ClusterError, majorOf, majorOnDisk, startCluster, stopCluster } from './cluster.ts'

/** Copies the whole of one database into another, which is empty. */
export type CopyDatabase = (from: string, to: string) => Promise<void>

const keptFolder = (runtime: string, major: string) => join(runtime, `postgres-${major}`)

/** A second name for each file, which costs no room; a copy where the other folder is on another disk. */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await link(source, target).catch(() => copyFile(source, target))
  }
}

/**
 * Keeps the programs of this PostgreSQL beside the data: the next major version cannot read the files, and the package
 * manager will have taken these away.
 */
export async function keepPrograms({ folder, version }: Binaries, runtime: string): Promise<void> {
  const kept = keptFolder(runtime, majorOf(version))
  if (folder === kept || (await exists(kept))) return
  const part = `${kept}.part`
  await rm(part, { recursive: true, force: true })
  await linkTree(folder, part)
  await rename(part, kept)
}

const nextOf = ({ data }: Cluster): string => `${data}.next`
/** Says that the new cluster has all that the old one had. */
const completeOf = (cluster: Cluster): string => `${nextOf(cluster)}.complete`

/** Puts the new cluster in the place of the old one, which is kept. May be interrupted anywhere. */
async function takePlace(cluster: Cluster, major: string): Promise<void> {
  if (await exists(cluster.data)) await rename(cluster.data, `${cluster.data}-${major}`)
  await rename(nextOf(cluster), cluster.data)
  await rm(completeOf(cluster))
}

/**
 * Brings a cluster of an older major version to the one that we come with: both servers run, all rows are copied, and the
 * folders change places. The old one stays where it is until somebody deletes it.
 * @throws ClusterError when its programs were not kept
 */
export async function upgradeCluster(
  cluster: Cluster,
  options: { runtime: string; copy?: CopyDatabase; report: (message: string) => void },
): Promise<void> {
  const interrupted = await exists(completeOf(cluster))
  const onDisk = await majorOnDisk(cluster)
  const ours = majorOf(cluster.binaries.version)
  if (interrupted && onDisk !== ours) return takePlace(cluster, onDisk ?? 'old')
  if (onDisk === null || onDisk === ours) return
  const folder = keptFolder(options.runtime, onDisk)
  const { copy } = options
  if (!copy || !(await exists(folder)))
    throw new ClusterError(
      `The database in ${cluster.data} is of PostgreSQL ${onDisk}, this Clearway comes with ${ours}, and the older programs ` +
        `were not kept. Start the Clearway that made it, call \`clearway backup FILE\`, move ${cluster.data} away, and call ` +
        '`clearway restore FILE` with this one.',
    )
  options.report(
    `Copying the database from PostgreSQL ${onDisk} to ${ours}. This takes a while; nothing is lost if it is stopped.`,
  )
  const old: Cluster = { ...cluster, binaries: { folder, version: onDisk } }
  const next: Cluster = { ...cluster, data: nextOf(cluster) }
  await rm(next.data, { recursive: true, force: true })
  try {
    const [from, to] = [await startCluster(old), await startCluster(next)]
    await copy(from.url, to.url)
  } finally {
    await Promise.all([stopCluster(old), stopCluster(next)])
  }
  await writeFile(completeOf(cluster), '')
  await takePlace(cluster, onDisk)
  options.report(
    `The database is of PostgreSQL ${ours} now. The older files are in ${cluster.data}-${onDisk}: delete them when all is well.`,
  )
}
