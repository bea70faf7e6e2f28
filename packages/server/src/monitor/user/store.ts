import { inTransaction } from '../../kit/database.ts'
import { sql } from 'kysely'
import { isListedTeam } from '../access/table.ts'
import type { MonitorDb } from '../database.ts'

type DatabaseDeps = { db: MonitorDb }
export type KnownTeam = { id: string; name: string }
export type KnownPerson = { id: string; username: string; firstName: string; lastName: string; email: string | null }

export async function findOwnSettings(
  { db }: DatabaseDeps,
  personId: string,
): Promise<{ mentionMails: boolean; email: string | null }> {
  const personRow = await db.selectFrom('person').select(['mention_mails', 'email']).where('id', '=', personId).executeTakeFirst()
  return { mentionMails: personRow?.mention_mails ?? true, email: personRow?.email ?? null }
}

export async function storeOwnSettings(
  { db }: DatabaseDeps,
  personId: string,
  { mentionMails }: { mentionMails: boolean },
): Promise<void> {
  await db.updateTable('person').set({ mention_mails: mentionMails }).where('id', '=', personId).execute()
}

const teamValues = (teams: readonly KnownTeam[]) => sql`
  select * from unnest(${teams.map((t) => t.id)}::text[], ${teams.map((t) => t.name)}::text[]) as given (id, name)`

const upsertTeams = (db: MonitorDb, teams: readonly KnownTeam[]) =>
  sql`insert into team (id, name) ${teamValues(teams)} order by 1
    on conflict (id) do update set name = excluded.name where team.name <> excluded.name`.execute(db)

export async function storeMembership({ db }: DatabaseDeps, personId: string, teams: readonly KnownTeam[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    const teamIds = teams.map((team) => team.id)
    if (teamIds.length > 0) await upsertTeams(trx, teams)
    await sql`delete from team_member where person_id = ${personId} and team_id <> all(${teamIds}::text[])`.execute(trx)
    await sql`insert into team_member (team_id, person_id)
      select id, ${personId} from unnest(${teamIds}::text[]) as given (id) on conflict do nothing`.execute(trx)
  })
}

/** Time for which a team keeps its grants after the account service stopped listing it. */
const staleTeamDays = 30

/** Copies teams with their members. One missing in a complete reply keeps its grants for a month, in case of a fault. */
export async function storeTeams(
  { db }: DatabaseDeps,
  teams: readonly (KnownTeam & { members: readonly KnownPerson[] })[],
  isComplete: boolean,
): Promise<void> {
  const teamIds = teams.map((team) => team.id)
  const teamMembers = [...new Map(teams.flatMap((t) => t.members).map((m) => [m.id, m])).values()]
  const memberPairs = teams.flatMap((team) => team.members.map((member) => ({ team: team.id, person: member.id })))
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(7265502)`.execute(trx)
    if (isComplete)
      await sql`update team set stale_since = now() where id <> all(${teamIds}::text[]) and stale_since is null`.execute(trx)
    await sql`update team set stale_since = null where id = any(${teamIds}::text[]) and stale_since is not null`.execute(trx)
    await sql`delete from team where stale_since < now() - make_interval(days => ${staleTeamDays})`.execute(trx)
    if (teamIds.length > 0) await upsertTeams(trx, teams)
    // Names from people's own tokens take precedence over the copy.
    await sql`insert into person (id, username, first_name, last_name, email)
      select p.id, p.username, p."firstName", p."lastName", p.email from jsonb_to_recordset(${JSON.stringify(teamMembers)}::jsonb)
        as p (id text, username text, "firstName" text, "lastName" text, email text)
      on conflict (id) do update set email = coalesce(person.email, excluded.email)`.execute(trx)
    await sql`create temporary table pairs on commit drop as
      select * from jsonb_to_recordset(${JSON.stringify(memberPairs)}::jsonb) as p (team text, person text)`.execute(trx)
    await sql`delete from team_member m where team_id = any(${teamIds}::text[]) and not exists
      (select from pairs p where p.team = m.team_id and p.person = m.person_id)`.execute(trx)
    await sql`insert into team_member (team_id, person_id) select team, person from pairs on conflict do nothing`.execute(trx)
  })
}

/** Removes a team that the account service has deleted, with the access that it gave. */
export async function removeTeam({ db }: DatabaseDeps, teamId: string): Promise<void> {
  await db.deleteFrom('team').where('id', '=', teamId).execute()
}

export const listKnownTeams = ({ db }: DatabaseDeps): Promise<KnownTeam[]> =>
  db
    .selectFrom('team')
    .select(['id', 'name'])
    .where(isListedTeam())
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
