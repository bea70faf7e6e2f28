import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type {
  Colleague,
  Member,
  MemberRole,
  Person,
  PersonListQuery,
} from '@clearway/contract/account/member/schema.ts'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { inTransaction } from '../../kit/database.ts'
import { allOf, containing, limits } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }

type Met = { agreedAt: Date | null; agreedVersion: string | null; teams: Member['teams'] }

/** The member that a token names, kept up to date with what the token says, and the member's teams. */
export async function meet(
  { db }: Db,
  known: Colleague & { role: MemberRole; isManaged: boolean },
): Promise<Met> {
  const row = {
    username: known.username,
    first_name: known.firstName,
    last_name: known.lastName,
    email: known.email,
    role: known.role,
    is_managed: known.isManaged,
    seen_at: new Date(),
  }
  const { agreed_at, agreed_version } = await db
    .insertInto('member')
    .values({ id: known.id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .returning(['agreed_at', 'agreed_version'])
    .executeTakeFirstOrThrow()
  const teams = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select(['team.id', 'team.name'])
    .where('member_id', '=', known.id)
    .orderBy('team.name')
    .execute()
  return { agreedAt: agreed_at, agreedVersion: agreed_version, teams }
}

/** People by name or address, one page of them, and how many match. */
export async function listMembers(
  { db }: Db,
  query: { page: number; size: number; search?: string | undefined },
): Promise<{ rows: Colleague[]; total: number }> {
  const like = containing(query.search ?? '')
  const where = sql`(username ilike ${like} or first_name || ' ' || last_name ilike ${like} or email ilike ${like})`
  const { rows } = await sql<Colleague>`
    select id, username, first_name as "firstName", last_name as "lastName", email
    from member where ${where} order by lower(username), id ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from member where ${where}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Keeps when somebody agreed to which terms. */
export async function agree({ db }: Db, memberId: string, version: string): Promise<void> {
  await db
    .updateTable('member')
    .set({ agreed_at: new Date(), agreed_version: version })
    .where('id', '=', memberId)
    .execute()
}

type PersonRow = Omit<Person, 'seenAt'> & { seenAt: Date | null }
const name = sql`coalesce(nullif(lower(trim(m.first_name || ' ' || m.last_name)), ''), lower(m.username))`
/** The order of the table of roles: administrators first. */
const roleOrder = sql`array_position(${[...systemRoles]}::text[], m.role)`
const sortColumns = {
  name,
  email: sql`lower(m.email)`,
  role: roleOrder,
  state: sql`m.state`,
  seenAt: sql`m.seen_at`,
}

/** One page of everybody who has an account, and how many match. */
export async function listPeople(
  { db }: Db,
  query: z.output<typeof PersonListQuery>,
): Promise<{ rows: Person[]; total: number }> {
  const like = containing(query.search ?? '')
  const where = allOf([
    sql`(m.username ilike ${like} or m.first_name || ' ' || m.last_name ilike ${like} or m.email ilike ${like})`,
    query.state && sql`m.state = ${query.state}`,
  ])
  const order = sql`order by ${sortColumns[query.sortBy ?? 'name']} ${sql.raw(query.order)} nulls last, ${name}, m.id`
  const { rows } = await sql<PersonRow>`
    select m.id, m.username, m.first_name as "firstName", m.last_name as "lastName", m.email, m.role, m.state,
      m.seen_at as "seenAt", m.two_factor as "twoFactor",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by lower(t.name))
        from team_member tm join team t on t.id = tm.team_id where tm.member_id = m.id), '[]') as teams
    from member m where ${where} ${order} ${limits(query)}`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*)::int as total from member m where ${where}`.execute(db)
  const content = rows.map((row) => ({ ...row, seenAt: row.seenAt?.toISOString() ?? null }))
  return { rows: content, total: counted.rows[0]!.total }
}

/** Copies all accounts of the embedded provider: a member who is no longer among them is removed, from teams as well. */
export async function keepAccounts({ db }: Db, accounts: readonly Account[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`insert into member (id, username, first_name, last_name, email, role, state, two_factor, is_managed)
      select a.id, a.username, a."firstName", a."lastName", a.email, a.role, a.state, a."twoFactor", true
      from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as a (id text, username text, "firstName" text,
        "lastName" text, email text, role text, state text, "twoFactor" boolean) order by 1
      on conflict (id) do update set username = excluded.username, first_name = excluded.first_name,
        last_name = excluded.last_name, email = excluded.email, role = excluded.role, state = excluded.state,
        two_factor = excluded.two_factor, is_managed = true`.execute(trx)
    const ids = accounts.map(({ id }) => id)
    await sql`delete from member where is_managed and id <> all(${ids}::text[])`.execute(trx)
  })
}
