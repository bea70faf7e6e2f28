import { syncBuiltinESMExports } from 'node:module'
import workerThreads from 'node:worker_threads'
import zlib from 'node:zlib'

// Functions of newer versions that Node 20 lacks. Loaded before everything else by the programs of the npm package.

/** Adds members that an object lacks. */
const addMissing = (target: object, members: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(members))
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true })
}

addMissing(Map, {
  groupBy<K, T>(items: Iterable<T>, getKey: (item: T, index: number) => K): Map<K, T[]> {
    const groups = new Map<K, T[]>()
    let index = 0
    for (const item of items) {
      const key = getKey(item, index++)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    return groups
  },
})

addMissing(Promise, {
  withResolvers<T>() {
    let settlers!: { resolve: (value: T | PromiseLike<T>) => void; reject: (reason?: unknown) => void }
    const promise = new Promise<T>((resolve, reject) => (settlers = { resolve, reject }))
    return { promise, ...settlers }
  },
})

addMissing(URL, {
  parse(url: string, base?: string | URL): URL | null {
    return URL.canParse(url, base) ? new URL(url, base) : null
  },
})

// Only an optimization of the HTTP client: its objects are never sent to threads.
addMissing(workerThreads, { markAsUncloneable: () => {} })
addMissing(zlib, {
  createZstdDecompress() {
    throw new Error('This version of Node cannot decompress Zstandard')
  },
})
syncBuiltinESMExports()
