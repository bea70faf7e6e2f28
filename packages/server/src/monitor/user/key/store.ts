import type { SystemRole } from '@clearway/contract/kit/permission.ts'
import type { ApiScope } from '@clearway/contract/monitor/user/key/schema.ts'
import { type Selectable, sql } from 'kysely'
import { buildLimitClause } from '../../../kit/paging.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import type { UserTables } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }
export type KeyRow = Selectable<UserTables['api_key']>

export const listKeys = ({ db }: DatabaseDeps, personId: string): Promise<KeyRow[]> =>
  db.selectFrom('api_key').selectAll().where('person_id', '=', personId).orderBy('id', 'desc').limit(500).execute()

export const insertKey = ({ db }: DatabaseDeps, key: Omit<KeyRow, 'created_at' | 'used_at'>): Promise<KeyRow> =>
  db
    .insertInto('api_key')
    .values({ ...key, used_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()

/** One page of all keys with their owners, newest first. */
export async function listAllKeys(
  { db }: DatabaseDeps,
  query: { page: number; size: number },
): Promise<{ rows: (KeyRow & { person: string; role: SystemRole })[]; total: number }> {
  const { rows: keyRows } = await sql<KeyRow & { person: string; role: SystemRole }>`
    select k.*, ${buildPersonName('p')} as person, p.role from api_key k join person p on p.id = k.person_id
    order by k.id desc ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*)::int as total from api_key`.execute(db)
  return { rows: keyRows, total: countResult.rows[0]!.total }
}

/** Deletes a key; with `personId`, only that person's. */
export async function removeKey({ db }: DatabaseDeps, keyId: string, personId?: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('api_key')
    .where('id', '=', keyId)
    .$if(personId !== undefined, (query) => query.where('person_id', '=', personId!))
    .executeTakeFirst()
  return deleteResult.numDeletedRows > 0n
}

export type KeyHolder = {
  id: string
  name: string
  person_id: string
  scopes: ApiScope[]
  expires_at: Date
  username: string
  first_name: string
  last_name: string
  email: string | null
  role: SystemRole
  seen_at: Date
  /** Current time of the database's clock, which all processes share. */
  now: Date
}

/** The owner of a key with the data of their last token; records the use of the key at most once a minute. */
export async function findKeyHolder({ db }: DatabaseDeps, keyHash: Buffer): Promise<KeyHolder | null> {
  const { rows: holderRows } = await sql<KeyHolder & { stale: boolean }>`
    select k.id, k.name, k.person_id, k.scopes, k.expires_at, p.username, p.first_name, p.last_name, p.email, p.role, p.seen_at,
      now() as now, k.used_at is null or k.used_at < now() - interval '1 minute' as stale
    from api_key k join person p on p.id = k.person_id
    where k.hash = ${keyHash} and p.deactivated_at is null`.execute(db)
  const holderRow = holderRows[0]
  if (holderRow?.stale) await sql`update api_key set used_at = now() where id = ${holderRow.id}`.execute(db)
  return holderRow ?? null
}
