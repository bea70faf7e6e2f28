import type { Team, TeamListQuery, TeamWithMembers } from '@clearway/contract/account/team/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { isUniqueViolation, inTransaction } from '../../kit/database.ts'
import { buildContainsPattern, buildLimitClause, buildOrderClause, toRequestedOrder } from '../../kit/paging.ts'
import type { AccountDb } from '../database.ts'

type Db = { db: AccountDb }
type TeamRow = { id: string; name: string; memberCount: number; createdAt: Date }

const memberCountSql = sql`(select count(*)::int from team_member m where m.team_id = team.id)`
const teamColumns = sql`team.id, team.name, ${memberCountSql} as "memberCount", team.created_at as "createdAt"`
const sortColumns = {
  name: sql`lower(team.name)`,
  memberCount: memberCountSql,
  createdAt: sql`team.created_at`,
}

const toTeam = ({ id, name, memberCount, createdAt }: TeamRow): Team => ({
  id,
  name,
  memberCount,
  createdAt: createdAt.toISOString(),
})

/** Limits teams to those of one member; null for all teams. */
const buildMemberFilter = (memberId: string | null): RawBuilder<boolean> =>
  memberId === null
    ? sql`true`
    : sql`exists (select from team_member own where own.team_id = team.id and own.member_id = ${memberId})`

export async function listTeams(
  { db }: Db,
  query: z.output<typeof TeamListQuery>,
  memberId: string | null,
): Promise<{ rows: Team[]; total: number }> {
  const teamFilter = sql`team.name ilike ${buildContainsPattern(query.search ?? '')} and ${buildMemberFilter(memberId)}`
  const orderClause = buildOrderClause(
    sortColumns,
    toRequestedOrder(query),
    sql`${sortColumns.name} ${sql.raw(query.order)}`,
    sql`team.id`,
  )
  const { rows: teamRows } =
    await sql<TeamRow>`select ${teamColumns} from team where ${teamFilter} ${orderClause} ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{
    total: number
  }>`select count(*) as total from team where ${teamFilter}`.execute(db)
  return { rows: teamRows.map(toTeam), total: countResult.rows[0]?.total ?? 0 }
}

async function selectTeamsWithMembers(db: AccountDb, teamFilter: RawBuilder<unknown>): Promise<TeamWithMembers[]> {
  const { rows: teamRows } = await sql<TeamRow & { members: TeamWithMembers['members'] }>`
    select ${teamColumns}, coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'username', p.username,
        'firstName', p.first_name, 'lastName', p.last_name, 'email', p.email) order by lower(p.username))
      from team_member m join member p on p.id = m.member_id where m.team_id = team.id), '[]') as members
    from team where ${teamFilter} order by lower(team.name), team.id`.execute(db)
  return teamRows.map((row) => ({ ...toTeam(row), members: row.members }))
}

/** Teams with their members. Null `ids` are all teams, null `memberId` those of all members. */
export const listTeamsWithMembers = (
  { db }: Db,
  { ids, search = '', memberId }: { ids: readonly string[] | null; search?: string | undefined; memberId: string | null },
): Promise<TeamWithMembers[]> =>
  selectTeamsWithMembers(
    db,
    sql`${ids === null ? sql`true` : sql`team.id = any(${[...ids]}::text[])`}
      and team.name ilike ${buildContainsPattern(search)} and ${buildMemberFilter(memberId)}`,
  )

export async function findTeam(deps: Db, id: string, memberId: string | null): Promise<TeamWithMembers | null> {
  return (await listTeamsWithMembers(deps, { ids: [id], memberId }))[0] ?? null
}

export async function findUnknownMemberIds({ db }: Db, ids: readonly string[]): Promise<string[]> {
  const { rows: unknownIdRows } = await sql<{ id: string }>`
    select wanted.id from unnest(${[...ids]}::text[]) as wanted (id)
    where not exists (select from member where member.id = wanted.id)`.execute(db)
  return unknownIdRows.map((row) => row.id)
}

export type TeamState = { name: string; members: string[] }

/** Locks a team until the end of the transaction. Returns it with sorted member ids; null if it does not exist. */
async function lockTeam(trx: AccountDb, id: string): Promise<TeamState | null> {
  const { rows: teamRows } = await sql<TeamState>`
    select name, array(select member_id from team_member m where m.team_id = team.id) as members
    from team where id = ${id} for update`.execute(trx)
  const lockedTeam = teamRows[0]
  return lockedTeam ? { ...lockedTeam, members: lockedTeam.members.toSorted() } : null
}

/** Stores a new or changed team with exactly these members. Returns its previous state; null for a new team. */
export async function saveTeam(
  { db }: Db,
  team: { id: string; name: string; members: readonly string[]; isNew: boolean },
): Promise<{ before: TeamState | null } | 'name-taken' | 'not-found'> {
  try {
    return await inTransaction(db, async (trx) => {
      const previousTeam = team.isNew ? null : await lockTeam(trx, team.id)
      if (team.isNew) await trx.insertInto('team').values({ id: team.id, name: team.name }).execute()
      else if (previousTeam === null) return 'not-found'
      else await trx.updateTable('team').set({ name: team.name }).where('id', '=', team.id).execute()
      await trx.deleteFrom('team_member').where('team_id', '=', team.id).execute()
      await sql`insert into team_member (team_id, member_id)
        select distinct ${team.id}, id from unnest(${[...team.members]}::text[]) as wanted (id)`.execute(trx)
      return { before: previousTeam }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'team_name')) return 'name-taken'
    throw error
  }
}

export const removeTeam = ({ db }: Db, id: string): Promise<TeamState | null> =>
  inTransaction(db, async (trx) => {
    const deletedTeam = await lockTeam(trx, id)
    await trx.deleteFrom('team').where('id', '=', id).execute()
    return deletedTeam
  })
