import { copyFile, link, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PostgresBinaries, pathExists } from './binaries.ts'
import { type DatabaseCluster, ClusterError, getMajorVersion, readMajorOnDisk, startCluster, stopCluster } from './cluster.ts'

/** Copies a whole database into an empty one. */
export type CopyDatabase = (from: string, to: string) => Promise<void>

const getProgramsFolder = (runtimeFolder: string, major: string) => join(runtimeFolder, `postgres-${major}`)

/** Hard-links each file, which needs no space; copies it if the target is on another disk. */
async function linkFolder(sourceFolder: string, targetFolder: string): Promise<void> {
  await mkdir(targetFolder, { recursive: true, mode: 0o755 })
  for (const entry of await readdir(sourceFolder, { withFileTypes: true })) {
    const [source, target] = [join(sourceFolder, entry.name), join(targetFolder, entry.name)]
    if (entry.isDirectory()) await linkFolder(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await link(source, target).catch(() => copyFile(source, target))
  }
}

/** Keeps the old PostgreSQL programs next to the data, which the next major version cannot read; package updates remove them. */
export async function keepPrograms({ folder, version }: PostgresBinaries, runtimeFolder: string): Promise<void> {
  const programsFolder = getProgramsFolder(runtimeFolder, getMajorVersion(version))
  if (folder === programsFolder || (await pathExists(programsFolder))) return
  const partialFolder = `${programsFolder}.part`
  await rm(partialFolder, { recursive: true, force: true })
  await linkFolder(folder, partialFolder)
  await rename(partialFolder, programsFolder)
}

const getNextFolder = ({ data }: DatabaseCluster): string => `${data}.next`
const getCompletePath = (cluster: DatabaseCluster): string => `${getNextFolder(cluster)}.complete`

/** Replaces the old cluster with the new one, and keeps the old one. Safe to interrupt at any point. */
async function replaceCluster(cluster: DatabaseCluster, major: string): Promise<void> {
  if (await pathExists(cluster.data)) await rename(cluster.data, `${cluster.data}-${major}`)
  await rename(getNextFolder(cluster), cluster.data)
  await rm(getCompletePath(cluster))
}

/**
 * Upgrades a cluster of an older major version: copies all rows and swaps the folders. The old one stays for the operator.
 * @throws ClusterError if the old programs were not kept
 */
export async function upgradeCluster(
  cluster: DatabaseCluster,
  options: { runtime: string; copy?: CopyDatabase; report: (message: string) => void },
): Promise<void> {
  const wasInterrupted = await pathExists(getCompletePath(cluster))
  const diskMajor = await readMajorOnDisk(cluster)
  const ourMajor = getMajorVersion(cluster.binaries.version)
  if (wasInterrupted && diskMajor !== ourMajor) return replaceCluster(cluster, diskMajor ?? 'old')
  if (diskMajor === null || diskMajor === ourMajor) return
  const programsFolder = getProgramsFolder(options.runtime, diskMajor)
  const { copy: copyDatabase } = options
  if (!copyDatabase || !(await pathExists(programsFolder)))
    throw new ClusterError(
      `The database in ${cluster.data} is of PostgreSQL ${diskMajor}, this Clearway comes with ${ourMajor}, and the older programs ` +
        `were not kept. Start the Clearway that made it, call \`clearway backup FILE\`, move ${cluster.data} away, and call ` +
        '`clearway restore FILE` with this one.',
    )
  options.report(
    `Copying the database from PostgreSQL ${diskMajor} to ${ourMajor}. This takes a while; nothing is lost if it is stopped.`,
  )
  const oldCluster: DatabaseCluster = { ...cluster, binaries: { folder: programsFolder, version: diskMajor } }
  const nextCluster: DatabaseCluster = { ...cluster, data: getNextFolder(cluster) }
  await rm(nextCluster.data, { recursive: true, force: true })
  try {
    const [sourceServer, targetServer] = [await startCluster(oldCluster), await startCluster(nextCluster)]
    await copyDatabase(sourceServer.url, targetServer.url)
  } finally {
    await Promise.all([stopCluster(oldCluster), stopCluster(nextCluster)])
  }
  await writeFile(getCompletePath(cluster), '')
  await replaceCluster(cluster, diskMajor)
  options.report(
    `The database is of PostgreSQL ${ourMajor} now. The older files are in ${cluster.data}-${diskMajor}: delete them when all is well.`,
  )
}
