import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import { sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'

type Db = { db: MonitorDb }

/** Keeps what an account says; who is deactivated has no role meanwhile. */
export async function keepPerson({ db }: Db, account: Account): Promise<void> {
  const isOff = account.state === 'deactivated'
  const row = {
    username: account.username,
    first_name: account.firstName,
    last_name: account.lastName,
    email: account.email,
    role: isOff ? 'outsider' : account.role,
    deactivated_at: isOff ? sql<Date>`coalesce(person.deactivated_at, now())` : null,
  } as const
  await db
    .insertInto('person')
    .values({ id: account.id, ...row, deactivated_at: isOff ? new Date() : null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Ends the keys and the mails of somebody. */
export async function endRights({ db }: Db, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('api_key').where('person_id', '=', id).execute()
    await trx.deleteFrom('subscriber').where('person_id', '=', id).execute()
  })
}

/** Removes a person's name from everything they did, and every grant. Somebody without a name is a former member. */
export async function losePerson({ db }: Db, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('person')
      .set({
        username: '',
        first_name: '',
        last_name: '',
        email: null,
        language: null,
        role: 'outsider',
        deactivated_at: sql<Date>`now()`,
      })
      .where('id', '=', id)
      .execute()
    // Views that others can see stay with them.
    await sql`delete from view where author_id = ${id} and team_id is null and not for_everybody`.execute(trx)
    await trx.deleteFrom('default_view').where('person_id', '=', id).execute()
    await trx.deleteFrom('scan_draft').where('person_id', '=', id).execute()
    // Mails that quote the person.
    await sql`delete from delivery where comment_id in (select id from issue_comment where author_id = ${id})`.execute(
      trx,
    )
    await trx.deleteFrom('inbox_entry').where('person_id', '=', id).execute()
    await trx.deleteFrom('team_member').where('person_id', '=', id).execute()
    await trx.deleteFrom('scan_access').where('person_id', '=', id).execute()
    await trx.deleteFrom('scan_group_admin').where('person_id', '=', id).execute()
  })
}
