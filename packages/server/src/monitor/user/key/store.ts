import type { SystemRole } from '@clearway/contract/kit/permission.ts'
import type { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { type Selectable, sql } from 'kysely'
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

export async function removeKey({ db }: Db, personId: string, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('api_key')
    .where('id', '=', id)
    .where('person_id', '=', personId)
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
}

/** Who a key acts for, with what his last token said of him; keeps, at most once a minute, that it was used. */
export async function holderOf({ db }: Db, hash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await sql<KeyHolder & { stale: boolean }>`
    select k.id, k.person_id, k.scopes, k.expires_at, p.username, p.first_name, p.last_name, p.email, p.role,
      k.used_at is null or k.used_at < now() - interval '1 minute' as stale
    from api_key k join person p on p.id = k.person_id where k.hash = ${hash}`.execute(db)
  const row = rows[0]
  if (row?.stale) await sql`update api_key set used_at = now() where id = ${row.id}`.execute(db)
  return row ?? null
}
