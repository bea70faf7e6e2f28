import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import { sql } from 'kysely'
import { inTransaction } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'

type DatabaseDeps = { db: MonitorDb }

/** Stores the data of an account; a deactivated one has no role. */
export async function upsertPerson({ db }: DatabaseDeps, account: Account): Promise<void> {
  const isDeactivated = account.state === 'deactivated'
  const personColumns = {
    username: account.username,
    first_name: account.firstName,
    last_name: account.lastName,
    email: account.email,
    role: isDeactivated ? 'outsider' : account.role,
    deactivated_at: isDeactivated ? sql<Date>`coalesce(person.deactivated_at, now())` : null,
  } as const
  await db
    .insertInto('person')
    .values({ id: account.id, ...personColumns, deactivated_at: isDeactivated ? new Date() : null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(personColumns))
    .execute()
}

export async function deleteRights({ db }: DatabaseDeps, personId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('api_key').where('person_id', '=', personId).execute()
    await trx.deleteFrom('subscriber').where('person_id', '=', personId).execute()
  })
}

/** Removes a person's name from their contributions, and all of their grants. People without a name are former members. */
export async function anonymizePerson({ db }: DatabaseDeps, personId: string): Promise<void> {
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
      .where('id', '=', personId)
      .execute()
    // Shared views are kept.
    await sql`delete from view where author_id = ${personId} and team_id is null and not for_everybody`.execute(trx)
    await trx.deleteFrom('default_view').where('person_id', '=', personId).execute()
    await trx.deleteFrom('scan_draft').where('person_id', '=', personId).execute()
    // Mails that quote the person.
    await sql`delete from delivery where comment_id in (select id from issue_comment where author_id = ${personId})`.execute(trx)
    await trx.deleteFrom('inbox_entry').where('person_id', '=', personId).execute()
    await trx.deleteFrom('team_member').where('person_id', '=', personId).execute()
    await trx.deleteFrom('scan_access').where('person_id', '=', personId).execute()
    await trx.deleteFrom('scan_group_admin').where('person_id', '=', personId).execute()
  })
}
