import { type Kysely, sql } from 'kysely'
import type { IdpTables } from '../table.ts'

type Db = { db: Kysely<IdpTables> }

/** Keeps with what a session was begun; each sign-in of another application in it is a sign of life. */
export async function keepDevice(
  { db }: Db,
  device: { uid: string; personId: string; agent: string; address: string },
): Promise<void> {
  const { uid, personId, agent, address } = device
  await db
    .insertInto('device')
    .values({ uid, person_id: personId, agent, address })
    .onConflict((conflict) =>
      conflict.column('uid').doUpdateSet({ agent, address, seen_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Keeps that a session is in use. */
export const touchDevice = ({ db }: Db, uid: string): Promise<unknown> =>
  db
    .updateTable('device')
    .set({ seen_at: sql<Date>`now()` })
    .where('uid', '=', uid)
    .execute()
