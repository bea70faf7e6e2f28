import { sql } from 'kysely'
import { alone } from '../../../kit/alone.ts'
import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import type { Place, StoredBlob } from './model.ts'

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
    await alone(trx, `object store ${store}`)
    const row = await trx
      .selectFrom('object_store')
      .select('mark')
      .where('store', '=', store)
      .executeTakeFirst()
    const mark = await decide(row?.mark ?? null)
    if (mark !== null && !row) await trx.insertInto('object_store').values({ store, mark }).execute()
  })
}

/** True once a day, in one of all processes: then what nobody refers to is looked for in that store. */
export async function takeSweep({ db }: Db, store: number): Promise<boolean> {
  const { rows } = await sql`update object_store set swept_at = now()
    where store = ${store} and (swept_at is null or swept_at < now() - interval '23 hours') returning 1`.execute(
    db,
  )
  return rows.length > 0
}

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
export async function movedBlob({ db }: Db, { hash, object }: StoredBlob, place: Place): Promise<boolean> {
  const { rows } =
    await sql`update blob set bytes = ${place.bytes}, store = ${place.store}, object = ${place.object}
    where hash = ${hash} and object is not distinct from ${object}::uuid returning 1`.execute(db)
  return rows.length > 0
}
