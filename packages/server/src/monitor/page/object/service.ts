import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { newId } from '../../../kit/id.ts'
import { eachOf, mostBytes, type ObjectStore, ObjectStoreError } from '../../../kit/object-store/store.ts'
import { ClusterError } from '../../../kit/postgres/cluster.ts'
import type { MonitorDb } from '../../database.ts'
import { blobHash } from '../model.ts'
import {
  inRow,
  markName,
  nameOf,
  type Objects,
  type StoredBytes,
  readName,
  type StoredBlob,
  storeKinds,
  type StoreKind,
} from './model.ts'
import {
  blobsAfter,
  giveSweepBack,
  markOf,
  movedBlob,
  outsideBackups,
  referredTo,
  takeSweep,
  withMark,
} from './store.ts'

type Deps = { db: MonitorDb; objects: OpenObjects }
export type Stores = Readonly<Partial<Record<StoreKind, ObjectStore>>>
export type OpenObjects = Objects & { stores: Stores }

/** A store that did not take something is left alone for so long: each page would wait for it. */
const restMs = 30_000
const unpack = promisify(zstdDecompress)

export function openObjects(options: {
  target: StoreKind | null
  stores: Stores
  log: (message: string) => void
}): OpenObjects {
  const { target, stores, log } = options
  let restUntil = 0
  let silentUntil = 0

  async function keep(scanId: string, hash: Buffer, bytes: Uint8Array): Promise<StoredBytes> {
    const store = target === null ? undefined : stores[target]
    if (target === null || !store || bytes.length > mostBytes || performance.now() < restUntil)
      return inRow(bytes)
    const object = newId()
    try {
      await store.put(nameOf({ scan_id: scanId, hash, object }), bytes)
      return { bytes: null, store: storeKinds.indexOf(target), object }
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      // Pages that were written at the same time say it once.
      if (performance.now() >= restUntil)
        log(
          `The object store takes nothing (${error.message}): for ${restMs / 1000} s what is to be kept goes into the database. \`clearway objects move\` brings it to the store.`,
        )
      restUntil = performance.now() + restMs
      return inRow(bytes)
    }
  }

  async function read(row: Omit<StoredBlob, 'encoding'>): Promise<Buffer | null> {
    if (row.store === null || row.object === null) return row.bytes
    const kind = storeKinds[row.store]
    const store = kind && stores[kind]
    if (!store)
      throw new ObjectStoreError(`The settings name no object store of the kind ${kind ?? row.store}.`)
    return store.get(nameOf({ ...row, object: row.object })).catch((error: unknown) => {
      // Whoever asks is told only that it cannot be had now.
      if (error instanceof ObjectStoreError && performance.now() >= silentUntil) {
        silentUntil = performance.now() + restMs
        log(`The object store does not answer: ${error.message}`)
      }
      throw error
    })
  }
  return { target, stores, keep, read }
}

/** The one store that this database has: two folders on two machines would each have a half of the pictures. */
const otherStore = (store: ObjectStore, mark: string) =>
  `${store.where} is not the object store of this database. Where several machines work, all of them need the same one: a ` +
  'shared folder (CLEARWAY_OBJECTS_FOLDER), S3 (CLEARWAY_S3_URL), or CLEARWAY_OBJECTS=database. ' +
  `If it is the right one after all, and was copied without it, put a file ${markName} with the text ${mark} into it.`

const markIn = async (store: ObjectStore): Promise<string | null> =>
  (await store.get(markName))?.toString('utf8').trim() ?? null

/**
 * Looks whether the store for new bytes is the one of this database, and makes it so at the first start.
 * @throws ClusterError with what a person must do
 */
export async function checkStore({ db, objects }: Deps): Promise<void> {
  const { target } = objects
  const store = target === null ? undefined : objects.stores[target]
  if (target === null || !store) return
  const own = randomUUID()
  try {
    await withMark({ db }, storeKinds.indexOf(target), async (known) => {
      const there = await markIn(store)
      if (known !== null && known !== there) throw new ClusterError(otherStore(store, known))
      if (known !== null) return null
      // Its own one, when this is done again after a lost connection.
      if (there !== null && there !== own)
        throw new ClusterError(
          `${store.where} is the object store of another database. Each needs its own. If that one is gone for good, remove ${markName} there.`,
        )
      await store.put(markName, Buffer.from(`${own}\n`))
      return own
    })
  } catch (error) {
    if (error instanceof ObjectStoreError)
      throw new ClusterError(`The object store cannot be used: ${error.message}.`)
    throw error
  }
}

/** What was written for a page that is being recorded is older than that when it is still nobody's. */
const graceMs = 24 * 3_600_000

/** The names of a store that nobody refers to, in portions; but for those of the last day. */
async function* unreferred({ db }: { db: MonitorDb }, kind: StoreKind, store: ObjectStore, grace: number) {
  const before = Date.now() - grace
  for await (const names of store.list()) {
    const old = names.map((name) => readName(name)).filter((one) => one !== null && one.writtenAt < before)
    const known = await referredTo({ db }, storeKinds.indexOf(kind), old as NonNullable<(typeof old)[0]>[])
    yield {
      seen: names.length,
      names: old.flatMap((one) => (one && !known.has(one.object) ? [nameOf(one)] : [])),
    }
  }
}

/** Answers how many it removed, and whether it came to the end: it stops while a backup is being written. */
async function sweepStore(deps: Deps, kind: StoreKind, store: ObjectStore, grace: number) {
  let removed = 0
  for await (const { names } of unreferred(deps, kind, store, grace)) {
    if (names.length === 0) continue
    if (!(await outsideBackups(deps, () => store.remove(names)))) return { removed, whole: false }
    removed += names.length
  }
  return { removed, whole: true }
}

/**
 * Removes what nobody refers to any more from the stores: once a day, whichever process asks. Answers how many. What is not
 * swept to its end begins anew at the next call.
 * @throws ObjectStoreError when a store does not do its part; the others are swept all the same
 */
export async function sweepObjects(deps: Deps, grace = graceMs): Promise<number> {
  let total = 0
  const failed: unknown[] = []
  for (const [kind, store] of Object.entries(deps.objects.stores) as [StoreKind, ObjectStore][]) {
    const index = storeKinds.indexOf(kind)
    if (!(await takeSweep(deps, index))) continue
    const { removed, whole } = await sweepStore(deps, kind, store, grace).catch((error: unknown) => {
      failed.push(error)
      return { removed: 0, whole: false }
    })
    total += removed
    if (!whole) await giveSweepBack(deps, index)
  }
  if (failed.length > 0) throw failed[0]
  return total
}

/**
 * Looks whether a folder is the one of this database, if it has any: of another one nothing is to be read.
 * @throws ClusterError with what a person must do
 */
export async function checkFolder({ db }: Pick<Deps, 'db'>, store: ObjectStore): Promise<void> {
  const known = await markOf({ db }, storeKinds.indexOf('folder'))
  if (known === null) return
  if ((await markIn(store)) !== known) throw new ClusterError(otherStore(store, known))
}

const atOnce = 8
const perPortion = 16

async function* allBlobs({ db }: { db: MonitorDb }): AsyncGenerator<StoredBlob[]> {
  let after: Buffer = Buffer.alloc(0)
  for (;;) {
    const rows = await blobsAfter({ db }, after, perPortion)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.hash
  }
}

/**
 * Brings all bytes to where new ones go. What they leave behind in a store is removed when that is swept.
 * @throws ObjectStoreError when a store does not do its part; what has been moved stays moved
 */
export async function moveObjects(deps: Deps): Promise<{ moved: number; lost: number }> {
  const { objects } = deps
  const kind = objects.target === null ? null : storeKinds.indexOf(objects.target)
  const done = { moved: 0, lost: 0 }
  const move = async (row: StoredBlob) => {
    const bytes = await objects.read(row)
    if (bytes === null) return void done.lost++
    const kept = await objects.keep(row.scan_id, row.hash, bytes)
    if (kept.store !== kind) throw new ObjectStoreError('The object store takes nothing')
    if (await movedBlob(deps, row, kept)) done.moved++
  }
  for await (const rows of allBlobs(deps))
    await eachOf(
      rows.filter(({ store, bytes }) => store !== kind && (bytes?.length ?? 0) <= mostBytes),
      atOnce,
      move,
    )
  return done
}

export type Verified = {
  whole: number
  lost: number
  changed: number
  /** What is in a store for longer than a day, and is nobody's. */
  unreferred: number
  /** The first hundred that are lost or changed. */
  names: string[]
}

/** Reads everything, and looks whether it is what was stored. */
export async function verifyObjects(deps: Deps): Promise<Verified> {
  const { objects } = deps
  const found: Verified = { whole: 0, lost: 0, changed: 0, unreferred: 0, names: [] }
  const look = async (row: StoredBlob) => {
    const bytes = await objects.read(row)
    const state = bytes === null ? 'lost' : (await isWhole(row, bytes)) ? 'whole' : 'changed'
    found[state]++
    if (state !== 'whole' && found.names.length < 100) found.names.push(describe(row))
  }
  for await (const rows of allBlobs(deps)) await eachOf(rows, atOnce, look)
  for (const [kind, store] of Object.entries(objects.stores) as [StoreKind, ObjectStore][])
    for await (const { names } of unreferred(deps, kind, store, graceMs)) found.unreferred += names.length
  return found
}

const describe = (row: StoredBlob): string =>
  row.object === null
    ? `${row.hash.toString('hex')} of scan ${row.scan_id}, in the database`
    : nameOf({ ...row, object: row.object })

async function isWhole(row: StoredBlob, bytes: Buffer): Promise<boolean> {
  try {
    const content = row.encoding === 'zstd' ? (await unpack(bytes)).toString('utf8') : bytes
    return blobHash(row.scan_id, content).equals(row.hash)
  } catch {
    return false
  }
}
