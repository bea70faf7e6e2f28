/** Stores bytes by `folder/file` or `file`, of lower-case letters, digits, `-` and `.`. Objects never change until removed. */
export type ObjectStore = {
  /** Location of the store, for messages. */
  where: string
  put: (name: string, bytes: Uint8Array) => Promise<void>
  /** Null if the object does not exist. */
  get: (name: string) => Promise<Buffer | null>
  /** Removes the objects that exist. */
  remove: (names: readonly string[]) => Promise<void>
  /** All names, in batches of at most some thousand. Concurrent changes may or may not be included. */
  list: () => AsyncGenerator<string[]>
}

/** The name of the database lock that backups share while they read objects, and sweeps hold while they remove some. */
export const sweepLockName = 'sweep of objects'

/** The object store failed: it does not respond, refuses, or is full. */
export class ObjectStoreError extends Error {}

const objectNamePattern = /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9.-]*$/
export const isObjectName = (name: string): boolean => name.length <= 200 && objectNamePattern.test(name)
/** @throws if it is not a valid name: no name may lead out of the store */
export function assertObjectName(name: string): string {
  if (!isObjectName(name)) throw new Error(`Not the name of an object: ${name}`)
  return name
}

/** Maximum size of an object, in bytes: each is kept in memory while it is read or written. */
export const maxObjectBytes = 64 * 1024 * 1024

export async function forEachConcurrently<T>(
  items: readonly T[],
  maxConcurrent: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const remainingItems = items[Symbol.iterator]()
  const processNext = async (): Promise<void> => {
    for (const item of remainingItems) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrent, items.length) }, processNext))
}
