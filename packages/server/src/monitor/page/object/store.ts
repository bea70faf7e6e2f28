import { sql } from 'kysely'
import { takeAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { inTransaction } from '../../../kit/database.ts'
import { sweepLock } from '../../../kit/object-store/store.ts'
import type { MonitorDb } from '../../database.ts'
import type { StoredBytes, StoredBlob } from './model.ts'

type Db = { db: MonitorDb }
/**
 * Which database a store of this kind belongs to, by its mark. `decide` gets the mark that the database knows, and answers
 * the one that it shall know; one process at a time.
 */
export async function withMark(
  { db }: Db,
  store: number,
  decide: (known: string | null) => Promise<string | null>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await takeAdvisoryLock(trx, `object store ${store}`)
    const row = await trx
      .selectFrom('object_store')
      .select('mark')
      .where('store', '=', store)
      .executeTakeFirst()
    const mark = await decide(row?.mark ?? null)
    if (mark !== null && !row) await trx.insertInto('object_store').values({ store, mark }).execute()
  })
}

/** The mark of the database's store of this kind; null when it never had one, or is of a version before stores. */
export async function markOf({ db }: Db, store: number): Promise<string | null> {
  const there = await sql<{
    is: boolean
  }>`select to_regclass('monitor.object_store') is not null as is`.execute(db)
  if (!there.rows[0]!.is) return null
  const row = await db.selectFrom('object_store').select('mark').where('store', '=', store).executeTakeFirst()
  return row?.mark ?? null
}

/** True once a day, in one of all processes: then what nobody refers to is looked for in that store. */
export async function takeSweep({ db }: Db, store: number): Promise<boolean> {
  const { rows } = await sql`update object_store set swept_at = now()
    where store = ${store} and (swept_at is null or swept_at < now() - interval '23 hours') returning 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Lets the sweep of a store begin again at once: this one did not come to its end. */
export async function giveSweepBack({ db }: Db, store: number): Promise<void> {
  await sql`update object_store set swept_at = null where store = ${store}`.execute(db)
}

/** Does something while no backup is being written. @returns false when one is: nothing was done */
export const outsideBackups = ({ db }: Db, work: (trx: MonitorDb) => Promise<void>): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${sweepLock}, 0)) as free`.execute(trx)
    if (rows[0]!.free) await work(trx)
    return rows[0]!.free
  })

/** Which of these objects of a store the database refers to. */
export async function referredTo(
  { db }: Db,
  store: number,
  objects: readonly { hash: Buffer; object: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ object: string }>`select object from blob
    where hash = any(${objects.map(({ hash }) => hash)}::bytea[]) and store = ${store}`.execute(db)
  return new Set(rows.map(({ object }) => object))
}

/** Bytes in the order of their hashes, after one of them; with what the rows hold themselves. */
export async function blobsAfter({ db }: Db, after: Buffer, limit: number): Promise<StoredBlob[]> {
  return db
    .selectFrom('blob')
    .select(['hash', 'scan_id', 'encoding', 'bytes', 'store', 'object'])
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(limit)
    .execute()
}

/** Says where bytes are now, if they are still where they were. */
export async function movedBlob(
  { db }: Db,
  { hash, object }: StoredBlob,
  moved: StoredBytes,
): Promise<boolean> {
  const { rows } =
    await sql`update blob set bytes = ${moved.bytes}, store = ${moved.store}, object = ${moved.object}
    where hash = ${hash} and object is not distinct from ${object}::uuid returning 1`.execute(db)
  return rows.length > 0
}
