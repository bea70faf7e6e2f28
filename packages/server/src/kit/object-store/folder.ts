import { mkdir, opendir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkName, eachOf, isName, type ObjectStore, ObjectStoreError } from './store.ts'

const portion = 1000
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** What a file system does not do is an error of the store. */
async function inStore<T>(where: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ObjectStoreError(`${where}: ${(error as Error).message}`, { cause: error })
  }
}

async function* namesIn(path: string, prefix: string): AsyncGenerator<{ name: string; isFolder: boolean }> {
  const entries = await inStore(path, opendir(path)).catch((error: unknown) => {
    if (isMissing((error as Error).cause)) return []
    throw error
  })
  for await (const entry of entries) {
    const name = prefix + entry.name
    // Other files are not ours.
    if (isName(name)) yield { name, isFolder: entry.isDirectory() }
  }
}

async function* listFolder(root: string): AsyncGenerator<string[]> {
  let names: string[] = []
  for await (const { name, isFolder } of namesIn(root, '')) {
    if (!isFolder) {
      names.push(name)
      continue
    }
    let isEmpty = true
    for await (const file of namesIn(join(root, name), `${name}/`)) {
      isEmpty = false
      if (names.push(file.name) < portion) continue
      yield names
      names = []
    }
    // Of a scan that is gone. When something has come into it meanwhile it stays.
    if (isEmpty) await rmdir(join(root, name)).catch(() => undefined)
  }
  if (names.length > 0) yield names
}

/** Objects as files of a folder. Machines that share it have a network disk. */
export function folderStore(root: string): ObjectStore {
  const pathOf = (name: string) => join(root, ...checkName(name).split('/'))
  const guarded = <T>(work: Promise<T>) => inStore(root, work)

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(name)
    // On the disk before the row that names it is.
    const options = { mode: 0o600, flush: true }
    try {
      await writeFile(path, bytes, options).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeFile(path, bytes, options)
      })
    } catch (error) {
      // A part of it is nobody's.
      await rm(path, { force: true }).catch(() => undefined)
      throw error
    }
  }

  return {
    where: root,
    put: (name, bytes) => guarded(write(name, bytes)),
    get: (name) =>
      guarded(
        readFile(pathOf(name)).catch((error: unknown) => {
          if (isMissing(error)) return null
          throw error
        }),
      ),
    remove: (names) => guarded(eachOf(names, 8, (name) => rm(pathOf(name), { force: true }))),
    list: () => listFolder(root),
  }
}
