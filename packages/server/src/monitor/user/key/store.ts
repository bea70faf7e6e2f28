import type { SystemRole } from '@clearway/contract/kit/permission.ts'
import type { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { type Selectable, sql } from 'kysely'
import { limits } from '../../../kit/paging.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import type { UserTables } from '../table.ts'

type Db = { db: MonitorDb }
export type KeyRow = Selectable<UserTables['api_key']>

export const keysOf = ({ db }: Db, personId: string): Promise<KeyRow[]> =>
  db
    .selectFrom('api_key')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .limit(500)
    .execute()

export const insertKey = ({ db }: Db, key: Omit<KeyRow, 'created_at' | 'used_at'>): Promise<KeyRow> =>
  db
    .insertInto('api_key')
    .values({ ...key, used_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()

/** One page of all keys, newest first, with whose they are. */
export async function everyKey(
  { db }: Db,
  query: { page: number; size: number },
): Promise<{ rows: (KeyRow & { person: string; role: SystemRole })[]; total: number }> {
  const { rows } = await sql<KeyRow & { person: string; role: SystemRole }>`
    select k.*, ${buildPersonName('p')} as person, p.role from api_key k join person p on p.id = k.person_id
    order by k.id desc ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from api_key`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

/** Removes a key; with `personId` only if it is that person's. */
export async function removeKey({ db }: Db, id: string, personId?: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('api_key')
    .where('id', '=', id)
    .$if(personId !== undefined, (query) => query.where('person_id', '=', personId!))
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

export type KeyHolder = {
  id: string
  person_id: string
  scopes: ApiScope[]
  expires_at: Date
  username: string
  first_name: string
  last_name: string
  email: string | null
  role: SystemRole
  seen_at: Date
  /** The moment by the clock that all processes share. */
  now: Date
}

/** Who a key acts for, with what their last token said; keeps, at most once a minute, that it was used. */
export async function holderOf({ db }: Db, hash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await sql<KeyHolder & { stale: boolean }>`
    select k.id, k.person_id, k.scopes, k.expires_at, p.username, p.first_name, p.last_name, p.email, p.role, p.seen_at,
      now() as now, k.used_at is null or k.used_at < now() - interval '1 minute' as stale
    from api_key k join person p on p.id = k.person_id
    where k.hash = ${hash} and p.deactivated_at is null`.execute(db)
  const row = rows[0]
  if (row?.stale) await sql`update api_key set used_at = now() where id = ${row.id}`.execute(db)
  return row ?? null
}
