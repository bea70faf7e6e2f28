import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { createId } from '../../../kit/id.ts'
import { forEachConcurrently, maxObjectBytes, type ObjectStore, ObjectStoreError } from '../../../kit/object-store/store.ts'
import { ClusterError } from '../../../kit/postgres/cluster.ts'
import type { MonitorDb } from '../../database.ts'
import { blobHash } from '../model.ts'
import {
  toRowBytes,
  markObjectName,
  getObjectName,
  type Objects,
  type StoredBytes,
  parseObjectName,
  type StoredBlob,
  storeKinds,
  type StoreKind,
} from './model.ts'
import {
  listBlobsAfter,
  releaseSweep,
  readStoredMark,
  recordMovedBlob,
  runOutsideBackups,
  findReferencedIds,
  claimSweep,
  updateMark,
} from './store.ts'

type ObjectDeps = { db: MonitorDb; objects: OpenObjects }
export type Stores = Readonly<Partial<Record<StoreKind, ObjectStore>>>
export type OpenObjects = Objects & { stores: Stores }

/** Pause after a failed write to the store, since each page would otherwise wait for it. */
const pauseMs = 30_000
const decompressZstd = promisify(zstdDecompress)

export function openObjects(options: { target: StoreKind | null; stores: Stores; log: (message: string) => void }): OpenObjects {
  const { target: targetKind, stores: objectStores, log: logMessage } = options
  let pausedUntil = 0
  let mutedUntil = 0

  async function keep(scanId: string, hash: Buffer, bytes: Uint8Array): Promise<StoredBytes> {
    const targetStore = targetKind === null ? undefined : objectStores[targetKind]
    if (targetKind === null || !targetStore || bytes.length > maxObjectBytes || performance.now() < pausedUntil)
      return toRowBytes(bytes)
    const objectId = createId()
    try {
      await targetStore.put(getObjectName({ scan_id: scanId, hash, object: objectId }), bytes)
      return { bytes: null, store: storeKinds.indexOf(targetKind), object: objectId }
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error
      // Logs once for concurrent writes.
      if (performance.now() >= pausedUntil)
        logMessage(
          `The object store is unavailable (${error.message}): for ${pauseMs / 1000} s new bytes go into the database. \`clearway objects move\` moves them to the store.`,
        )
      pausedUntil = performance.now() + pauseMs
      return toRowBytes(bytes)
    }
  }

  async function read(row: Omit<StoredBlob, 'encoding'>): Promise<Buffer | null> {
    if (row.store === null || row.object === null) return row.bytes
    const storeKind = storeKinds[row.store]
    const objectStore = storeKind && objectStores[storeKind]
    if (!objectStore) throw new ObjectStoreError(`The settings name no object store of the kind ${storeKind ?? row.store}.`)
    return objectStore.get(getObjectName({ ...row, object: row.object })).catch((error: unknown) => {
      // Callers only see that the object is currently unavailable.
      if (error instanceof ObjectStoreError && performance.now() >= mutedUntil) {
        mutedUntil = performance.now() + pauseMs
        logMessage(`The object store is unavailable: ${error.message}`)
      }
      throw error
    })
  }
  return { target: targetKind, stores: objectStores, keep, read }
}

/** Error for a store of another database: with two folders on two machines, each would have half of the pictures. */
const describeOtherStore = (store: ObjectStore, mark: string) =>
  `${store.where} is not the object store of this database. Where several machines work, all of them need the same one: a ` +
  'shared folder (CLEARWAY_OBJECTS_FOLDER), S3 (CLEARWAY_S3_URL), or CLEARWAY_OBJECTS=database. ' +
  `If it is the right one after all, and was copied without it, put a file ${markObjectName} with the text ${mark} into it.`

const readMark = async (store: ObjectStore): Promise<string | null> =>
  (await store.get(markObjectName))?.toString('utf8').trim() ?? null

/**
 * Checks that the store for new bytes belongs to this database, and marks it at the first start.
 * @throws ClusterError with instructions for the operator
 */
export async function assertOwnStore({ db, objects }: ObjectDeps): Promise<void> {
  const { target: targetKind } = objects
  const targetStore = targetKind === null ? undefined : objects.stores[targetKind]
  if (targetKind === null || !targetStore) return
  const newMark = randomUUID()
  try {
    await updateMark({ db }, storeKinds.indexOf(targetKind), async (knownMark) => {
      const storedMark = await readMark(targetStore)
      if (knownMark !== null && knownMark !== storedMark) throw new ClusterError(describeOtherStore(targetStore, knownMark))
      if (knownMark !== null) return null
      // The own mark may be there after a retry because of a lost connection.
      if (storedMark !== null && storedMark !== newMark)
        throw new ClusterError(
          `${targetStore.where} is the object store of another database. Each needs its own. If that database no longer exists, remove ${markObjectName} there.`,
        )
      await targetStore.put(markObjectName, Buffer.from(`${newMark}\n`))
      return newMark
    })
  } catch (error) {
    if (error instanceof ObjectStoreError) throw new ClusterError(`The object store is unusable: ${error.message}.`)
    throw error
  }
}

/** Minimum age of unreferenced objects before removal; newer ones may belong to a page that is being recorded. */
const gracePeriodMs = 24 * 3_600_000

/** Unreferenced names in a store, in chunks, except those younger than the grace period. */
async function* findUnreferenced({ db }: { db: MonitorDb }, kind: StoreKind, store: ObjectStore, gracePeriod: number) {
  const createdBefore = Date.now() - gracePeriod
  for await (const names of store.list()) {
    const oldNames = names.map((name) => parseObjectName(name)).filter((one) => one !== null && one.writtenAt < createdBefore)
    const referencedIds = await findReferencedIds(
      { db },
      storeKinds.indexOf(kind),
      oldNames as NonNullable<(typeof oldNames)[0]>[],
    )
    yield {
      seen: names.length,
      names: oldNames.flatMap((one) => (one && !referencedIds.has(one.object) ? [getObjectName(one)] : [])),
    }
  }
}

/** Removes unreferenced objects. Returns their number and whether it finished: a backup interrupts the sweep. */
async function sweepStore(deps: ObjectDeps, kind: StoreKind, store: ObjectStore, gracePeriod: number) {
  let removedCount = 0
  for await (const { names } of findUnreferenced(deps, kind, store, gracePeriod)) {
    if (names.length === 0) continue
    if (!(await runOutsideBackups(deps, () => store.remove(names)))) return { removed: removedCount, whole: false }
    removedCount += names.length
  }
  return { removed: removedCount, whole: true }
}

/**
 * Removes unreferenced objects, once a day over all processes; returns their number. An interrupted sweep restarts.
 * @throws ObjectStoreError when a store fails; the other stores are swept nevertheless
 */
export async function sweepObjects(deps: ObjectDeps, gracePeriod = gracePeriodMs): Promise<number> {
  let totalRemoved = 0
  const sweepErrors: unknown[] = []
  for (const [kind, store] of Object.entries(deps.objects.stores) as [StoreKind, ObjectStore][]) {
    const storeIndex = storeKinds.indexOf(kind)
    if (!(await claimSweep(deps, storeIndex))) continue
    const { removed: removedCount, whole: isFinished } = await sweepStore(deps, kind, store, gracePeriod).catch(
      (error: unknown) => {
        sweepErrors.push(error)
        return { removed: 0, whole: false }
      },
    )
    totalRemoved += removedCount
    if (!isFinished) await releaseSweep(deps, storeIndex)
  }
  if (sweepErrors.length > 0) throw sweepErrors[0]
  return totalRemoved
}

/**
 * Checks that the folder belongs to this database, if the database has one; a folder of another one must not be read.
 * @throws ClusterError with instructions for the operator
 */
export async function assertOwnFolder({ db }: Pick<ObjectDeps, 'db'>, store: ObjectStore): Promise<void> {
  const knownMark = await readStoredMark({ db }, storeKinds.indexOf('folder'))
  if (knownMark === null) return
  if ((await readMark(store)) !== knownMark) throw new ClusterError(describeOtherStore(store, knownMark))
}

const maxConcurrentObjects = 8
const chunkSize = 16

async function* streamBlobs({ db }: { db: MonitorDb }): AsyncGenerator<StoredBlob[]> {
  let lastHash: Buffer = Buffer.alloc(0)
  for (;;) {
    const blobRows = await listBlobsAfter({ db }, lastHash, chunkSize)
    if (blobRows.length === 0) return
    yield blobRows
    lastHash = blobRows.at(-1)!.hash
  }
}

/**
 * Moves all bytes to the store for new ones. The next sweep of the previous store removes the copies.
 * @throws ObjectStoreError when a store fails; bytes moved so far stay moved
 */
export async function moveObjects(deps: ObjectDeps): Promise<{ moved: number; lost: number }> {
  const { objects } = deps
  const targetIndex = objects.target === null ? null : storeKinds.indexOf(objects.target)
  const moveResult = { moved: 0, lost: 0 }
  const moveBlob = async (row: StoredBlob) => {
    const blobBytes = await objects.read(row)
    if (blobBytes === null) return void moveResult.lost++
    const storedBytes = await objects.keep(row.scan_id, row.hash, blobBytes)
    if (storedBytes.store !== targetIndex) throw new ObjectStoreError('The object store is unavailable')
    if (await recordMovedBlob(deps, row, storedBytes)) moveResult.moved++
  }
  for await (const rows of streamBlobs(deps))
    await forEachConcurrently(
      rows.filter(({ store, bytes }) => store !== targetIndex && (bytes?.length ?? 0) <= maxObjectBytes),
      maxConcurrentObjects,
      moveBlob,
    )
  return moveResult
}

export type ObjectVerification = {
  whole: number
  lost: number
  changed: number
  /** Objects that are unreferenced and older than a day. */
  unreferred: number
  /** The first hundred lost or changed objects. */
  names: string[]
}

/** Reads all objects, and checks that they match their hashes. */
export async function verifyObjects(deps: ObjectDeps): Promise<ObjectVerification> {
  const { objects } = deps
  const verification: ObjectVerification = { whole: 0, lost: 0, changed: 0, unreferred: 0, names: [] }
  const verifyBlob = async (row: StoredBlob) => {
    const blobBytes = await objects.read(row)
    const blobState = blobBytes === null ? 'lost' : (await isWhole(row, blobBytes)) ? 'whole' : 'changed'
    verification[blobState]++
    if (blobState !== 'whole' && verification.names.length < 100) verification.names.push(describeBlob(row))
  }
  for await (const rows of streamBlobs(deps)) await forEachConcurrently(rows, maxConcurrentObjects, verifyBlob)
  for (const [kind, store] of Object.entries(objects.stores) as [StoreKind, ObjectStore][])
    for await (const { names } of findUnreferenced(deps, kind, store, gracePeriodMs)) verification.unreferred += names.length
  return verification
}

const describeBlob = (row: StoredBlob): string =>
  row.object === null
    ? `${row.hash.toString('hex')} of scan ${row.scan_id}, in the database`
    : getObjectName({ ...row, object: row.object })

async function isWhole(row: StoredBlob, bytes: Buffer): Promise<boolean> {
  try {
    const blobContent = row.encoding === 'zstd' ? (await decompressZstd(bytes)).toString('utf8') : bytes
    return blobHash(row.scan_id, blobContent).equals(row.hash)
  } catch {
    return false
  }
}
