import { type Kysely, sql } from 'kysely'
import type { IdpTables } from '../table.ts'

type Db = { db: Kysely<IdpTables> }

/** Records the device of a session. Each sign-in of another application in the session updates it. */
export async function saveDevice(
  { db }: Db,
  device: { uid: string; personId: string; agent: string; address: string },
): Promise<void> {
  const { uid, personId, agent, address } = device
  await db
    .insertInto('device')
    .values({ uid, person_id: personId, agent, address })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet({ agent, address, seen_at: sql<Date>`now()` }))
    .execute()
}

export const touchDevice = ({ db }: Db, uid: string): Promise<unknown> =>
  db
    .updateTable('device')
    .set({ seen_at: sql<Date>`now()` })
    .where('uid', '=', uid)
    .execute()
