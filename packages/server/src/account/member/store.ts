import type { Account } from '@clearway/contract/account/member/provider/schema.ts'
import type { Colleague, Member, MemberRole, Person, PersonListQuery } from '@clearway/contract/account/member/schema.ts'
import { systemRoles } from '@clearway/contract/kit/permission.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { inTransaction } from '../../kit/database.ts'
import { joinConditions, buildContainsPattern, buildLimitClause, buildOrderClause, toRequestedOrder } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }

type MemberAgreement = { agreedAt: Date | null; agreedVersion: string | null; teams: Member['teams'] }

/** Creates or updates the member with the data of the token. Returns the agreement and the member's teams. */
export async function recordMember(
  { db }: Db,
  tokenProfile: Colleague & { role: MemberRole; isManaged: boolean },
): Promise<MemberAgreement> {
  const memberRow = {
    username: tokenProfile.username,
    first_name: tokenProfile.firstName,
    last_name: tokenProfile.lastName,
    email: tokenProfile.email,
    role: tokenProfile.role,
    is_managed: tokenProfile.isManaged,
    seen_at: new Date(),
  }
  const { agreed_at: agreedAt, agreed_version: agreedVersion } = await db
    .insertInto('member')
    .values({ id: tokenProfile.id, ...memberRow })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(memberRow))
    .returning(['agreed_at', 'agreed_version'])
    .executeTakeFirstOrThrow()
  const memberTeams = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select(['team.id', 'team.name'])
    .where('member_id', '=', tokenProfile.id)
    .orderBy('team.name')
    .execute()
  return { agreedAt, agreedVersion, teams: memberTeams }
}

/** One page of members by name or email address, and the number of matches. */
export async function listMembers(
  { db }: Db,
  query: { page: number; size: number; search?: string | undefined },
): Promise<{ rows: Colleague[]; total: number }> {
  const searchPattern = buildContainsPattern(query.search ?? '')
  const searchFilter = sql`(username ilike ${searchPattern} or first_name || ' ' || last_name ilike ${searchPattern} or email ilike ${searchPattern})`
  const { rows: memberRows } = await sql<Colleague>`
    select id, username, first_name as "firstName", last_name as "lastName", email
    from member where ${searchFilter} order by lower(username), id ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total from member where ${searchFilter}`.execute(db)
  return { rows: memberRows, total: countResult.rows[0]?.total ?? 0 }
}

export async function recordAgreement({ db }: Db, memberId: string, version: string): Promise<void> {
  await db.updateTable('member').set({ agreed_at: new Date(), agreed_version: version }).where('id', '=', memberId).execute()
}

type PersonRow = Omit<Person, 'seenAt'> & { seenAt: Date | null }
const memberNameSql = sql`coalesce(nullif(lower(trim(m.first_name || ' ' || m.last_name)), ''), lower(m.username))`
/** Sort order of roles: administrators first. */
const roleOrderSql = sql`array_position(${[...systemRoles]}::text[], m.role)`
const sortColumns = {
  name: memberNameSql,
  email: sql`lower(m.email)`,
  role: roleOrderSql,
  state: sql`m.state`,
  seenAt: sql`m.seen_at`,
}

export async function listPeople(
  { db }: Db,
  query: z.output<typeof PersonListQuery>,
): Promise<{ rows: Person[]; total: number }> {
  const searchPattern = buildContainsPattern(query.search ?? '')
  const personFilter = joinConditions([
    sql`(m.username ilike ${searchPattern} or m.first_name || ' ' || m.last_name ilike ${searchPattern} or m.email ilike ${searchPattern})`,
    query.state && sql`m.state = ${query.state}`,
  ])
  const orderClause = buildOrderClause(
    sortColumns,
    toRequestedOrder(query),
    sql`${memberNameSql} ${sql.raw(query.order)}`,
    sql`${memberNameSql}, m.id`,
  )
  const { rows: personRows } = await sql<PersonRow>`
    select m.id, m.username, m.first_name as "firstName", m.last_name as "lastName", m.email, m.role, m.state,
      m.seen_at as "seenAt", m.two_factor as "twoFactor",
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by lower(t.name))
        from team_member tm join team t on t.id = tm.team_id where tm.member_id = m.id), '[]') as teams
    from member m where ${personFilter} ${orderClause} ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*)::int as total from member m where ${personFilter}`.execute(db)
  const people = personRows.map((row) => ({ ...row, seenAt: row.seenAt?.toISOString() ?? null }))
  return { rows: people, total: countResult.rows[0]!.total }
}

/** Copies all accounts of the embedded provider. Members that are no longer among them are removed, also from teams. */
export async function storeAccounts({ db }: Db, accounts: readonly Account[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`insert into member (id, username, first_name, last_name, email, role, state, two_factor, is_managed)
      select a.id, a.username, a."firstName", a."lastName", a.email, a.role, a.state, a."twoFactor", true
      from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as a (id text, username text, "firstName" text,
        "lastName" text, email text, role text, state text, "twoFactor" boolean) order by 1
      on conflict (id) do update set username = excluded.username, first_name = excluded.first_name,
        last_name = excluded.last_name, email = excluded.email, role = excluded.role, state = excluded.state,
        two_factor = excluded.two_factor, is_managed = true`.execute(trx)
    const accountIds = accounts.map(({ id }) => id)
    await sql`delete from member where is_managed and id <> all(${accountIds}::text[])`.execute(trx)
  })
}
