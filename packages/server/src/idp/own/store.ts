import type { OwnSession } from '@clearway/contract/account/member/provider/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { type IdpTables, isLive } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
type Row = { id: string; agent: string; address: string; startedAt: Date; seenAt: Date }

/** Where somebody is signed in, newest first. @param current the session of whoever asks */
export async function devicesOf({ db }: Db, personId: string, current: string): Promise<OwnSession[]> {
  const { rows } = await sql<Row>`select d.uid as id, d.agent, d.address, d.started_at as "startedAt",
      d.seen_at as "seenAt" from device d
    where d.person_id::text = ${personId} and exists (select from artifact where kind = 'Session'
      and artifact.uid = d.uid and ${isLive})
    order by d.seen_at desc limit 100`.execute(db)
  return rows.map((row) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    isCurrent: row.id === current,
  }))
}

export async function keepName(
  { db }: Db,
  id: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<void> {
  const names = { first_name: firstName, last_name: lastName }
  await db.updateTable('person').set(names).where('id', '=', id).execute()
}

/**
 * Ends one session of a person; false when they have none of that id. What is left of it is swept later: a request on the way
 * does not store it anew.
 */
export const endSession = ({ db }: Db, personId: string, uid: string): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await trx.deleteFrom('device').where('uid', '=', uid).where('person_id', '=', personId).execute()
    const query = trx.updateTable('artifact').set({ expires_at: sql<Date>`now()` })
    const own = query.where('kind', '=', 'Session').where('uid', '=', uid).where('account_id', '=', personId)
    return (await own.where(isLive).executeTakeFirst()).numUpdatedRows > 0n
  })
