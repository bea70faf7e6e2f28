import { mkdir, opendir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertObjectName, forEachConcurrently, isObjectName, type ObjectStore, ObjectStoreError } from './store.ts'

const batchSize = 1000
const getErrorCode = (error: unknown) => (error as NodeJS.ErrnoException).code
const isMissingFileError = (error: unknown): boolean => getErrorCode(error) === 'ENOENT'

async function wrapStoreErrors<T>(location: string, pending: Promise<T>): Promise<T> {
  try {
    return await pending
  } catch (error) {
    throw new ObjectStoreError(`${location}: ${(error as Error).message}`, { cause: error })
  }
}

async function* listNames(folderPath: string, prefix: string): AsyncGenerator<{ name: string; isFolder: boolean }> {
  const folderEntries = await wrapStoreErrors(folderPath, opendir(folderPath)).catch((error: unknown) => {
    if (isMissingFileError((error as Error).cause)) return []
    throw error
  })
  for await (const entry of folderEntries) {
    const objectName = prefix + entry.name
    // Ignores foreign files.
    if (isObjectName(objectName)) yield { name: objectName, isFolder: entry.isDirectory() }
  }
}

async function* listObjectNames(rootFolder: string): AsyncGenerator<string[]> {
  let batchNames: string[] = []
  for await (const { name, isFolder } of listNames(rootFolder, '')) {
    if (!isFolder) {
      batchNames.push(name)
      continue
    }
    let isEmpty = true
    for await (const file of listNames(join(rootFolder, name), `${name}/`)) {
      isEmpty = false
      if (batchNames.push(file.name) < batchSize) continue
      yield batchNames
      batchNames = []
    }
    // Removes the empty folder of a deleted scan. It stays if an object has been added since.
    if (isEmpty) await rmdir(join(rootFolder, name)).catch(() => undefined)
  }
  if (batchNames.length > 0) yield batchNames
}

/** A store of objects as files in a folder; several machines share it on a network disk. */
export function createFolderStore(rootFolder: string): ObjectStore {
  const getObjectPath = (objectName: string) => join(rootFolder, ...assertObjectName(objectName).split('/'))
  const withStoreErrors = <T>(pending: Promise<T>) => wrapStoreErrors(rootFolder, pending)

  async function writeObject(objectName: string, objectBytes: Uint8Array): Promise<void> {
    const objectPath = getObjectPath(objectName)
    // Flushed, so that the object is on disk before the row that references it.
    const writeOptions = { mode: 0o600, flush: true }
    try {
      await writeFile(objectPath, objectBytes, writeOptions).catch(async (error: unknown) => {
        if (!isMissingFileError(error)) throw error
        await mkdir(dirname(objectPath), { recursive: true, mode: 0o700 })
        await writeFile(objectPath, objectBytes, writeOptions)
      })
    } catch (error) {
      // Removes an incomplete file.
      await rm(objectPath, { force: true }).catch(() => undefined)
      throw error
    }
  }

  return {
    where: rootFolder,
    put: (name, bytes) => withStoreErrors(writeObject(name, bytes)),
    get: (name) =>
      withStoreErrors(
        readFile(getObjectPath(name)).catch((error: unknown) => {
          if (isMissingFileError(error)) return null
          throw error
        }),
      ),
    remove: (names) => withStoreErrors(forEachConcurrently(names, 8, (name) => rm(getObjectPath(name), { force: true }))),
    list: () => listObjectNames(rootFolder),
  }
}
