import { sql } from 'kysely'
import { acquireAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { sweepLockName } from '../../../kit/object-store/store.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredBytes, StoredBlob } from './model.ts'

type DatabaseDeps = { db: MonitorDb }
/** Updates the mark of the store of this kind under a lock. `decide` receives the known mark, and returns the one to store. */
export async function updateMark(
  { db }: DatabaseDeps,
  storeIndex: number,
  decide: (knownMark: string | null) => Promise<string | null>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await acquireAdvisoryLock(trx, `object store ${storeIndex}`)
    const markRow = await trx.selectFrom('object_store').select('mark').where('store', '=', storeIndex).executeTakeFirst()
    const newMark = await decide(markRow?.mark ?? null)
    if (newMark !== null && !markRow) await trx.insertInto('object_store').values({ store: storeIndex, mark: newMark }).execute()
  })
}

/** The mark of the store of this kind; null if there is none, or if the database is older than stores. */
export async function readStoredMark({ db }: DatabaseDeps, storeIndex: number): Promise<string | null> {
  const tableResult = await sql<{ is: boolean }>`select to_regclass('monitor.object_store') is not null as is`.execute(db)
  if (!tableResult.rows[0]!.is) return null
  const markRow = await db.selectFrom('object_store').select('mark').where('store', '=', storeIndex).executeTakeFirst()
  return markRow?.mark ?? null
}

/** Starts the daily sweep of a store; true in only one of all processes. */
export async function claimSweep({ db }: DatabaseDeps, storeIndex: number): Promise<boolean> {
  const { rows: claimedRows } = await sql`update object_store set swept_at = now()
    where store = ${storeIndex} and (swept_at is null or swept_at < now() - interval '23 hours') returning 1`.execute(db)
  return claimedRows.length > 0
}

/** Allows an unfinished sweep to restart at once. */
export async function releaseSweep({ db }: DatabaseDeps, storeIndex: number): Promise<void> {
  await sql`update object_store set swept_at = null where store = ${storeIndex}`.execute(db)
}

/** Runs `work` unless a backup is in progress. @returns false when it was not run */
export const runOutsideBackups = ({ db }: DatabaseDeps, work: (trx: MonitorDb) => Promise<void>): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const { rows: lockRows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${sweepLockName}, 0)) as free`.execute(trx)
    if (lockRows[0]!.free) await work(trx)
    return lockRows[0]!.free
  })

/** Ids of those of the given objects that the database references. */
export async function findReferencedIds(
  { db }: DatabaseDeps,
  storeIndex: number,
  objects: readonly { hash: Buffer; object: string }[],
): Promise<Set<string>> {
  const { rows: objectRows } = await sql<{ object: string }>`select object from blob
    where hash = any(${objects.map(({ hash }) => hash)}::bytea[]) and store = ${storeIndex}`.execute(db)
  return new Set(objectRows.map(({ object }) => object))
}

/** Blobs in the order of their hashes, after the given one, including bytes stored in rows. */
export async function listBlobsAfter({ db }: DatabaseDeps, afterHash: Buffer, limit: number): Promise<StoredBlob[]> {
  return db
    .selectFrom('blob')
    .select(['hash', 'scan_id', 'encoding', 'bytes', 'store', 'object'])
    .where('hash', '>', afterHash)
    .orderBy('hash')
    .limit(limit)
    .execute()
}

/** Records the new location of bytes, unless they were moved in the meantime. */
export async function recordMovedBlob(
  { db }: DatabaseDeps,
  { hash, object }: StoredBlob,
  newLocation: StoredBytes,
): Promise<boolean> {
  const { rows: updatedRows } =
    await sql`update blob set bytes = ${newLocation.bytes}, store = ${newLocation.store}, object = ${newLocation.object}
    where hash = ${hash} and object is not distinct from ${object}::uuid returning 1`.execute(db)
  return updatedRows.length > 0
}
