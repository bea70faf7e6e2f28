/**
 * Keeps bytes under names. A name is `folder/file` or `file`, of lower-case letters, digits, `-` and `.`; what it names
 * never changes, but for being removed.
 */
export type ObjectStore = {
  /** Where it is, for messages. */
  where: string
  put: (name: string, bytes: Uint8Array) => Promise<void>
  /** Null when there is nothing of that name. */
  get: (name: string) => Promise<Buffer | null>
  /** Removes what is there of these. */
  remove: (names: readonly string[]) => Promise<void>
  /** All names, in portions of some thousand at most. What comes or goes meanwhile may be among them or not. */
  list: () => AsyncGenerator<string[]>
}

/** What a backup holds while it reads objects, and a sweep while it removes some: words of a lock of the database. */
export const sweepLock = 'sweep of objects'

/** The store does not do what it is asked: it does not answer, refuses, or is full. */
export class ObjectStoreError extends Error {}

const nameShape = /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9.-]*$/
export const isName = (name: string): boolean => name.length <= 200 && nameShape.test(name)
/** @throws when it is not a name: none may lead out of the store */
export function checkName(name: string): string {
  if (!isName(name)) throw new Error(`Not the name of an object: ${name}`)
  return name
}

/** No object is larger: one is kept in memory as it comes and goes. */
export const mostBytes = 64 * 1024 * 1024

/** Does something with each of a list, some at once. */
export async function eachOf<T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const rest = list[Symbol.iterator]()
  const next = async (): Promise<void> => {
    for (const one of rest) await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, next))
}
