import { getRoleClaims, roles, getSystemRole } from '@clearway/contract/kit/permission.ts'
import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { buildLimitClause } from '../../kit/paging.ts'
import type { IdpTables } from '../table.ts'
import { endSessions, type Person } from '../store.ts'

type Db = { db: Kysely<IdpTables> }
type AccountRow = Omit<Account, 'role' | 'state'> & { roles: string[]; deactivated: boolean; invited: boolean }

const accountColumns = sql`id, username, first_name as "firstName", last_name as "lastName", email, roles,
  deactivated_at is not null as deactivated, password = '' as invited,
  totp is not null or exists (select from passkey k where k.person_id = person.id) as "twoFactor"`

const toAccount = ({ roles: roleClaims, deactivated, invited, ...accountFields }: AccountRow): Account => ({
  ...accountFields,
  role: getSystemRole(roleClaims),
  state: deactivated ? 'deactivated' : invited ? 'invited' : 'active',
})

export async function listAccounts(
  { db }: Db,
  pageQuery: { page: number; size: number },
): Promise<{ rows: Account[]; total: number }> {
  const { rows: accountRows } =
    await sql<AccountRow>`select ${accountColumns} from person order by id ${buildLimitClause(pageQuery)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*)::int as total from person`.execute(db)
  return { rows: accountRows.map(toAccount), total: countResult.rows[0]!.total }
}

export async function findAccount({ db }: Db, id: string): Promise<Account | null> {
  const { rows: accountRows } = await sql<AccountRow>`select ${accountColumns} from person where id::text = ${id}`.execute(db)
  return accountRows[0] ? toAccount(accountRows[0]) : null
}

const isAdminSql = sql<boolean>`(${roles.admin.claim} = any(roles) and deactivated_at is null and password <> '')`

/** True if at least one administrator can sign in. */
export async function hasAdmin({ db }: Db): Promise<boolean> {
  const { rows: adminRows } = await sql<{
    has: boolean
  }>`select exists (select from person where ${isAdminSql}) as has`.execute(db)
  return adminRows[0]!.has
}

export type AccountChangeResult = 'changed' | 'not-found' | 'last-admin'

/** Changes an account, unless no administrator who can sign in would remain. */
async function changeKeepingAdmin(
  db: Db['db'],
  id: string,
  applyChange: (trx: Db['db']) => Promise<unknown>,
): Promise<AccountChangeResult> {
  return inTransaction(db, async (trx) => {
    // Serializes administrators who remove each other's role at the same time.
    await sql`select pg_advisory_xact_lock(7265503)`.execute(trx)
    const { rows: adminRows } = await sql<{ own: boolean; others: boolean }>`select ${isAdminSql} as own,
      exists (select from person o where o.id <> person.id and ${roles.admin.claim} = any(o.roles)
        and o.deactivated_at is null and o.password <> '') as others
      from person where id::text = ${id}`.execute(trx)
    const adminRow = adminRows[0]
    if (!adminRow) return 'not-found'
    await applyChange(trx)
    if (!adminRow.own || adminRow.others) return 'changed'
    if (await hasAdmin({ db: trx })) return 'changed'
    throw lastAdminError
  }).catch((error: unknown) => {
    if (error === lastAdminError) return 'last-admin'
    throw error
  })
}
/** Sentinel that rolls the transaction back. */
const lastAdminError = new Error('last admin')

/** Changes a person's role. With `signOut` the sessions end, so that the new role requires a new sign-in. */
export const saveRole = (
  { db }: Db,
  id: string,
  { role, signOut }: { role: MemberRole; signOut: boolean },
): Promise<AccountChangeResult> =>
  changeKeepingAdmin(db, id, async (trx) => {
    await trx
      .updateTable('person')
      .set({ roles: getRoleClaims(role) })
      .where('id', '=', id)
      .execute()
    if (signOut) await endSessions(trx, id)
  })

export const deactivatePerson = ({ db }: Db, id: string): Promise<AccountChangeResult> =>
  changeKeepingAdmin(db, id, async (trx) => {
    await sql`update person set deactivated_at = coalesce(deactivated_at, now()) where id = ${id}`.execute(trx)
    await trx.deleteFrom('ticket').where('person_id', '=', id).execute()
    await endSessions(trx, id)
  })

export async function reactivatePerson({ db }: Db, id: string): Promise<boolean> {
  const updateQuery = db.updateTable('person').set({ deactivated_at: null }).where('id', '=', id)
  return (await updateQuery.executeTakeFirst()).numUpdatedRows > 0n
}

export const removeAccount = ({ db }: Db, id: string): Promise<AccountChangeResult> =>
  changeKeepingAdmin(db, id, async (trx) => {
    await endSessions(trx, id)
    await trx.deleteFrom('person').where('id', '=', id).execute()
  })

/** The addresses, in lower case, that are used by people other than `except`. */
export async function findUsedEmails(
  { db }: Db,
  emails: readonly string[],
  exceptPersonId: string | null = null,
): Promise<Set<string>> {
  const { rows: emailRows } = await sql<{
    email: string
  }>`select lower(w.email) as email from unnest(${[...emails]}::text[]) w (email)
    where exists (select from person p where (lower(p.email) = lower(w.email) or lower(p.username) = lower(w.email))
      and p.id is distinct from ${exceptPersonId}::uuid)`.execute(db)
  return new Set(emailRows.map(({ email }) => email))
}

/** Stores a new address and ends the person's sessions. A username that equals the old address follows it. */
export async function saveEmail(trx: Db['db'], previousPerson: Person, email: string): Promise<void> {
  const isEmailUsername = previousPerson.username.toLowerCase() === previousPerson.email?.toLowerCase()
  const emailColumns = { email, ...(isEmailUsername && { username: email }) }
  await trx.updateTable('person').set(emailColumns).where('id', '=', previousPerson.id).execute()
  await endSessions(trx, previousPerson.id)
}

/** Stores the name and password of a person who accepts an invitation. Runs in the caller's transaction. */
export async function saveOwnDetails(
  trx: Db['db'],
  id: string,
  ownDetails: { firstName: string; lastName: string; password: string },
): Promise<void> {
  await trx
    .updateTable('person')
    .set({ first_name: ownDetails.firstName, last_name: ownDetails.lastName, password: ownDetails.password })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('ticket').where('person_id', '=', id).execute()
  await endSessions(trx, id)
}
