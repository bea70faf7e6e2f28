import type { Team, TeamListQuery, TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isTaken, inTransaction } from '../../kit/database.ts'
import { containing, limits } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }
type Row = { id: string; name: string; memberCount: number; createdAt: Date }

const members = sql`(select count(*)::int from team_member m where m.team_id = team.id)`
const columns = sql`team.id, team.name, ${members} as "memberCount", team.created_at as "createdAt"`
const sortColumns = {
  name: sql`lower(team.name)`,
  memberCount: members,
  createdAt: sql`team.created_at`,
}

const teamOf = ({ id, name, memberCount, createdAt }: Row): Team => ({
  id,
  name,
  memberCount,
  createdAt: createdAt.toISOString(),
})

/** One page of teams, and how many match. */
export async function listTeams(
  { db }: Db,
  query: z.output<typeof TeamListQuery>,
): Promise<{ rows: Team[]; total: number }> {
  const like = containing(query.search ?? '')
  const order = sql`order by ${sortColumns[query.sortBy ?? 'name']} ${sql.raw(query.order)}, team.id`
  const { rows } =
    await sql<Row>`select ${columns} from team where name ilike ${like} ${order} ${limits(query)}`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*) as total from team where name ilike ${like}`.execute(db)
  return { rows: rows.map(teamOf), total: counted.rows[0]?.total ?? 0 }
}

async function withMembers(db: AccountDb, where: RawBuilder<unknown>): Promise<TeamWithMembers[]> {
  const { rows } = await sql<Row & { members: TeamWithMembers['members'] }>`
    select ${columns}, coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'username', p.username,
        'firstName', p.first_name, 'lastName', p.last_name, 'email', p.email) order by lower(p.username))
      from team_member m join member p on p.id = m.member_id where m.team_id = team.id), '[]') as members
    from team where ${where} order by lower(team.name), team.id`.execute(db)
  return rows.map((row) => ({ ...teamOf(row), members: row.members }))
}

/** Several teams with who is in them; `ids` null for all. */
export const teamsWithMembers = (
  { db }: Db,
  ids: readonly string[] | null,
  search = '',
): Promise<TeamWithMembers[]> =>
  withMembers(
    db,
    sql`${ids === null ? sql`true` : sql`team.id = any(${[...ids]}::text[])`} and team.name ilike ${containing(search)}`,
  )

export async function findTeam(deps: Db, id: string): Promise<TeamWithMembers | null> {
  return (await teamsWithMembers(deps, [id]))[0] ?? null
}

/** The ids among `ids` that are nobody's. */
export async function unknownMembers({ db }: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select wanted.id from unnest(${[...ids]}::text[]) as wanted (id)
    where not exists (select from member where member.id = wanted.id)`.execute(db)
  return rows.map((row) => row.id)
}

export type TeamState = { name: string; members: string[] }

/** A team as it is until the end of the transaction, with the ids of its members; null where there is none. */
async function lockTeam(trx: AccountDb, id: string): Promise<TeamState | null> {
  const { rows } = await sql<TeamState>`
    select name, array(select member_id from team_member m where m.team_id = team.id) as members
    from team where id = ${id} for update`.execute(trx)
  const team = rows[0]
  return team ? { ...team, members: team.members.toSorted() } : null
}

/** Stores a team, new or changed, with exactly these members; answers how it was before, null for a new one. */
export async function saveTeam(
  { db }: Db,
  team: { id: string; name: string; members: readonly string[]; isNew: boolean },
): Promise<{ before: TeamState | null } | 'name-taken' | 'not-found'> {
  try {
    return await inTransaction(db, async (trx) => {
      const before = team.isNew ? null : await lockTeam(trx, team.id)
      if (team.isNew) await trx.insertInto('team').values({ id: team.id, name: team.name }).execute()
      else if (before === null) return 'not-found'
      else await trx.updateTable('team').set({ name: team.name }).where('id', '=', team.id).execute()
      await trx.deleteFrom('team_member').where('team_id', '=', team.id).execute()
      await sql`insert into team_member (team_id, member_id)
        select distinct ${team.id}, id from unnest(${[...team.members]}::text[]) as wanted (id)`.execute(trx)
      return { before }
    })
  } catch (error) {
    if (isTaken(error, 'team_name')) return 'name-taken'
    throw error
  }
}

/** Answers what the team was; null when there was none. */
export const removeTeam = ({ db }: Db, id: string): Promise<TeamState | null> =>
  inTransaction(db, async (trx) => {
    const before = await lockTeam(trx, id)
    await trx.deleteFrom('team').where('id', '=', id).execute()
    return before
  })
