import type { Colleague, Member } from '@clearway/contract/account/member/schema.ts'
import { sql } from 'kysely'
import { containing, limits } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }

type Met = { agreedAt: Date | null; agreedVersion: string | null; teams: Member['teams'] }

/** The member that a token names, kept up to date with what the token says, and his teams. */
export async function meet({ db }: Db, known: Colleague): Promise<Met> {
  const row = {
    username: known.username,
    first_name: known.firstName,
    last_name: known.lastName,
    email: known.email,
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
