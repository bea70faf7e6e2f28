import { inTransaction } from '../../kit/database.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
export type KnownTeam = { id: string; name: string }
export type KnownPerson = {
  id: string
  username: string
  firstName: string
  lastName: string
  email: string | null
}

/** A person's own settings, and their address. */
export async function findOwnSettings(
  { db }: Db,
  personId: string,
): Promise<{ mentionMails: boolean; email: string | null }> {
  const row = await db
    .selectFrom('person')
    .select(['mention_mails', 'email'])
    .where('id', '=', personId)
    .executeTakeFirst()
  return { mentionMails: row?.mention_mails ?? true, email: row?.email ?? null }
}

export async function keepOwnSettings(
  { db }: Db,
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

/** Copies which teams a person is in, as the account service says it. */
export async function keepMembership(
  { db }: Db,
  personId: string,
  teams: readonly KnownTeam[],
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const ids = teams.map((team) => team.id)
    if (ids.length > 0) await upsertTeams(trx, teams)
    await sql`delete from team_member where person_id = ${personId} and team_id <> all(${ids}::text[])`.execute(
      trx,
    )
    await sql`insert into team_member (team_id, person_id)
      select id, ${personId} from unnest(${ids}::text[]) as given (id) on conflict do nothing`.execute(trx)
  })
}

/** How long a team that the account service names no more keeps what it was assigned. */
const keptDays = 30

/**
 * Copies teams with everybody in them. One that an answer lacks is stale, and keeps what it was assigned: the service may
 * have answered to somebody who does not see it, or only in part. After a month without it, it is removed.
 */
export async function keepTeams(
  { db }: Db,
  teams: readonly (KnownTeam & { members: readonly KnownPerson[] })[],
): Promise<void> {
  const ids = teams.map((team) => team.id)
  const people = [...new Map(teams.flatMap((t) => t.members).map((m) => [m.id, m])).values()]
  const pairs = teams.flatMap((team) => team.members.map((member) => ({ team: team.id, person: member.id })))
  await inTransaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(7265502)`.execute(trx)
    await sql`update team set stale_since = now() where id <> all(${ids}::text[]) and stale_since is null`.execute(
      trx,
    )
    await sql`update team set stale_since = null where id = any(${ids}::text[]) and stale_since is not null`.execute(
      trx,
    )
    await sql`delete from team where stale_since < now() - make_interval(days => ${keptDays})`.execute(trx)
    if (ids.length > 0) await upsertTeams(trx, teams)
    // The token of somebody who comes in person says their name better than a copy does.
    await sql`insert into person (id, username, first_name, last_name, email)
      select p.id, p.username, p."firstName", p."lastName", p.email from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
        as p (id text, username text, "firstName" text, "lastName" text, email text)
      on conflict (id) do update set email = coalesce(person.email, excluded.email)`.execute(trx)
    await sql`create temporary table pairs on commit drop as
      select * from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p (team text, person text)`.execute(
      trx,
    )
    await sql`delete from team_member m where team_id = any(${ids}::text[]) and not exists
      (select from pairs p where p.team = m.team_id and p.person = m.person_id)`.execute(trx)
    await sql`insert into team_member (team_id, person_id) select team, person from pairs on conflict do nothing`.execute(
      trx,
    )
  })
}

/** The teams that can be given something: those that the account service named last, and those that have something. */
export const knownTeams = ({ db }: Db): Promise<KnownTeam[]> =>
  db
    .selectFrom('team')
    .select(['id', 'name'])
    .where(sql<boolean>`stale_since is null or exists (select from scan_access a where a.team_id = team.id)`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
