import { readFileSync } from 'node:fs'
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAlive } from './postgres/cluster.ts'

/** When a process began, as the system counts it: tells a process from a later one with its number. */
function beginning(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    // No /proc on this system: the number alone must do.
    return ''
  }
}

/**
 * Makes a folder with those above it. Step by step: Node's own way never ends where the system refuses a folder for not
 * being there, as in /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(folder)
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error
    await makeFolder(parent)
    await mkdir(folder)
  }
}
const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

export type DataLock = { taken: true; release: () => Promise<void> } | { taken: false; pid: number }

/**
 * Takes a data folder for this process, so that two do not share an embedded database by mistake.
 * A lock that a killed process left is taken over.
 */
export async function lockData(folder: string): Promise<DataLock> {
  await makeFolder(folder)
  const file = join(folder, 'clearway.lock')
  const mine = `${file}.${process.pid}`
  await writeFile(mine, `${process.pid} ${beginning(process.pid)}\n`)
  try {
    for (;;) {
      try {
        // A link is made or not made, never half: two that start at once cannot both have it.
        await link(mine, file)
        return { taken: true, release: () => rm(file, { force: true }) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const [pid = '', began = ''] = (await readFile(file, 'utf8').catch(() => '')).trim().split(' ')
      const number = Number(pid)
      if (number && isAlive(number) && beginning(number) === began) return { taken: false, pid: number }
      await rename(file, `${mine}.stale`).catch(() => undefined)
      await rm(`${mine}.stale`, { force: true })
    }
  } finally {
    await rm(mine, { force: true })
  }
}
