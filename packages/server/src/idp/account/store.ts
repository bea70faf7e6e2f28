import { getRoleClaims, roles, getSystemRole } from '@clearway/contract/kit/permission.ts'
import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../kit/database.ts'
import { limits } from '../../kit/paging.ts'
import type { IdpTables } from '../table.ts'
import { endSessions, type Person } from '../store.ts'

type Db = { db: Kysely<IdpTables> }
type Row = Omit<Account, 'role' | 'state'> & { roles: string[]; deactivated: boolean; invited: boolean }

const columns = sql`id, username, first_name as "firstName", last_name as "lastName", email, roles,
  deactivated_at is not null as deactivated, password = '' as invited,
  totp is not null or exists (select from passkey k where k.person_id = person.id) as "twoFactor"`

const accountOf = ({ roles: claims, deactivated, invited, ...row }: Row): Account => ({
  ...row,
  role: getSystemRole(claims),
  state: deactivated ? 'deactivated' : invited ? 'invited' : 'active',
})

/** One page of the accounts, oldest first, and how many there are. */
export async function listAccounts(
  { db }: Db,
  asked: { page: number; size: number },
): Promise<{ rows: Account[]; total: number }> {
  const { rows } = await sql<Row>`select ${columns} from person order by id ${limits(asked)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from person`.execute(db)
  return { rows: rows.map(accountOf), total: counted.rows[0]!.total }
}

export async function findAccount({ db }: Db, id: string): Promise<Account | null> {
  const { rows } = await sql<Row>`select ${columns} from person where id::text = ${id}`.execute(db)
  return rows[0] ? accountOf(rows[0]) : null
}

const isAdmin = sql<boolean>`(${roles.admin.claim} = any(roles) and deactivated_at is null and password <> '')`

/** Whether anybody can sign in as an administrator. */
export async function hasAdmin({ db }: Db): Promise<boolean> {
  const { rows } = await sql<{
    has: boolean
  }>`select exists (select from person where ${isAdmin}) as has`.execute(db)
  return rows[0]!.has
}

export type Changed = 'changed' | 'not-found' | 'last-admin'

/** Changes an account, unless nobody who can sign in would be administrator after it. */
async function keepingAdmin(
  db: Db['db'],
  id: string,
  work: (trx: Db['db']) => Promise<unknown>,
): Promise<Changed> {
  return inTransaction(db, async (trx) => {
    // Two who take the role from each other at once wait here.
    await sql`select pg_advisory_xact_lock(7265503)`.execute(trx)
    const { rows } = await sql<{ own: boolean; others: boolean }>`select ${isAdmin} as own,
      exists (select from person o where o.id <> person.id and ${roles.admin.claim} = any(o.roles)
        and o.deactivated_at is null and o.password <> '') as others
      from person where id::text = ${id}`.execute(trx)
    const row = rows[0]
    if (!row) return 'not-found'
    await work(trx)
    if (!row.own || row.others) return 'changed'
    if (await hasAdmin({ db: trx })) return 'changed'
    throw lastAdmin
  }).catch((error: unknown) => {
    if (error === lastAdmin) return 'last-admin'
    throw error
  })
}
/** Takes the transaction back. */
const lastAdmin = new Error('last admin')

/** Changes a person's role; with `signOut` it takes a new sign-in to get it. */
export const keepRole = (
  { db }: Db,
  id: string,
  { role, signOut }: { role: MemberRole; signOut: boolean },
): Promise<Changed> =>
  keepingAdmin(db, id, async (trx) => {
    await trx
      .updateTable('person')
      .set({ roles: getRoleClaims(role) })
      .where('id', '=', id)
      .execute()
    if (signOut) await endSessions(trx, id)
  })

/** Deactivates a person: their sessions, tokens and links end. */
export const deactivate = ({ db }: Db, id: string): Promise<Changed> =>
  keepingAdmin(db, id, async (trx) => {
    await sql`update person set deactivated_at = coalesce(deactivated_at, now()) where id = ${id}`.execute(
      trx,
    )
    await trx.deleteFrom('ticket').where('person_id', '=', id).execute()
    await endSessions(trx, id)
  })

export async function reactivate({ db }: Db, id: string): Promise<boolean> {
  const query = db.updateTable('person').set({ deactivated_at: null }).where('id', '=', id)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

export const removeAccount = ({ db }: Db, id: string): Promise<Changed> =>
  keepingAdmin(db, id, async (trx) => {
    await endSessions(trx, id)
    await trx.deleteFrom('person').where('id', '=', id).execute()
  })

/** Those of the addresses that somebody has already, `except` one, in lower case. */
export async function takenEmails(
  { db }: Db,
  emails: readonly string[],
  except: string | null = null,
): Promise<Set<string>> {
  const { rows } = await sql<{
    email: string
  }>`select lower(w.email) as email from unnest(${[...emails]}::text[]) w (email)
    where exists (select from person p where (lower(p.email) = lower(w.email) or lower(p.username) = lower(w.email))
      and p.id is distinct from ${except}::uuid)`.execute(db)
  return new Set(rows.map(({ email }) => email))
}

/** Stores a person's new address, and ends their sessions. A user name that was the old address becomes the new one. */
export async function keepEmail(trx: Db['db'], before: Person, email: string): Promise<void> {
  const isName = before.username.toLowerCase() === before.email?.toLowerCase()
  const own = { email, ...(isName && { username: email }) }
  await trx.updateTable('person').set(own).where('id', '=', before.id).execute()
  await endSessions(trx, before.id)
}

/** Stores the name and password that somebody enters on accepting an invitation. Part of a transaction. */
export async function keepOwn(
  trx: Db['db'],
  id: string,
  own: { firstName: string; lastName: string; password: string },
): Promise<void> {
  await trx
    .updateTable('person')
    .set({ first_name: own.firstName, last_name: own.lastName, password: own.password })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('ticket').where('person_id', '=', id).execute()
  await endSessions(trx, id)
}
