import type { OwnSession } from '@clearway/contract/account/member/provider/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { type IdpTables, isLive } from '../table.ts'

type Db = { db: Kysely<IdpTables> }
type DeviceRow = { id: string; agent: string; address: string; startedAt: Date; seenAt: Date }

/** The sessions of a person, most recently used first. @param currentSessionId marks the caller's session */
export async function listSessions({ db }: Db, personId: string, currentSessionId: string): Promise<OwnSession[]> {
  const { rows: deviceRows } = await sql<DeviceRow>`select d.uid as id, d.agent, d.address, d.started_at as "startedAt",
      d.seen_at as "seenAt" from device d
    where d.person_id::text = ${personId} and exists (select from artifact where kind = 'Session'
      and artifact.uid = d.uid and ${isLive})
    order by d.seen_at desc limit 100`.execute(db)
  return deviceRows.map((row) => ({
    ...row,
    startedAt: row.startedAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
    isCurrent: row.id === currentSessionId,
  }))
}

export async function saveName(
  { db }: Db,
  id: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): Promise<void> {
  const nameColumns = { first_name: firstName, last_name: lastName }
  await db.updateTable('person').set(nameColumns).where('id', '=', id).execute()
}

/** Ends one session of a person; false if there is none. The row expires, so that a request in flight cannot store it again. */
export const endSession = ({ db }: Db, personId: string, uid: string): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    await trx.deleteFrom('device').where('uid', '=', uid).where('person_id', '=', personId).execute()
    const updateQuery = trx.updateTable('artifact').set({ expires_at: sql<Date>`now()` })
    const sessionQuery = updateQuery.where('kind', '=', 'Session').where('uid', '=', uid).where('account_id', '=', personId)
    return (await sessionQuery.where(isLive).executeTakeFirst()).numUpdatedRows > 0n
  })
