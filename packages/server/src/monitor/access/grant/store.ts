import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { TeamAccessQuery } from '@clearway/contract/monitor/access/schema.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { versionOf, inTransaction } from '../../../kit/database.ts'
import { allOf, containing, limits, orderBy } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { personName, rankOfRole } from '../table.ts'

type Db = { db: MonitorDb }

/** A role of a team on a scan or on a group; a role of null takes it away. */
export type Grant = { teamId: string; scanId: string | null; groupId: string | null; role: ScanRole | null }

/** What grants are of, with the role `a.role` that each has now. */
const grantsNow = (grants: readonly Grant[]) => sql`unnest(${grants.map(({ teamId }) => teamId)}::text[],
    ${grants.map(({ scanId, groupId }) => scanId ?? groupId)}::uuid[]) with ordinality as g (team, target, place)
  left join scan_access a on a.team_id = g.team and coalesce(a.scan_id, a.group_id) = g.target`

/** Locks scans and groups, as those do who change the teams of one: what teams have there stays so until the transaction ends. */
async function lockTargets(trx: MonitorDb, grants: readonly Grant[]): Promise<void> {
  const scans = grants.flatMap(({ scanId }) => scanId ?? [])
  const groups = grants.flatMap(({ groupId }) => groupId ?? [])
  await sql`select from scan where id = any(${scans}::uuid[]) order by id for no key update`.execute(trx)
  await sql`select from scan_group where id = any(${groups}::uuid[]) order by id for no key update`.execute(
    trx,
  )
}

/** Gives and takes roles, all of them or none; with a version, when what there is is still that of `rolesNow`. */
export async function writeGrants(
  { db }: Db,
  grants: readonly Grant[],
  version: number | undefined,
): Promise<'saved' | 'edit-conflict'> {
  const rows = JSON.stringify(
    grants.map(({ teamId, scanId, groupId, role }) => ({ team: teamId, scan: scanId, grp: groupId, role })),
  )
  return inTransaction(db, async (trx) => {
    await lockTargets(trx, grants)
    // Only the next statement sees what somebody wrote who had the locks before.
    if (version !== undefined && (await rolesNow({ db: trx }, grants)).version !== version)
      return 'edit-conflict'
    await sql`delete from scan_access a using jsonb_to_recordset(${rows}::jsonb)
        as g (team text, scan uuid, grp uuid, role text)
      where a.team_id = g.team and coalesce(a.scan_id, a.group_id) = coalesce(g.scan, g.grp)`.execute(trx)
    await sql`insert into scan_access (id, scan_id, group_id, team_id, role)
      select new_id(), g.scan, g.grp, g.team, g.role from jsonb_to_recordset(${rows}::jsonb)
        as g (team text, scan uuid, grp uuid, role text) where g.role is not null`.execute(trx)
    return 'saved'
  })
}

/** The role that each of these has now, in their order, null for none; and the version of that. */
export async function rolesNow(
  { db }: Db,
  grants: readonly Grant[],
): Promise<{ roles: (ScanRole | null)[]; version: number }> {
  const { rows } = await sql<{ roles: (ScanRole | null)[]; version: number }>`
    select coalesce(jsonb_agg(a.role order by g.place), '[]') as roles,
      ${versionOf(sql`string_agg(concat_ws(' ', g.team, g.target, a.role), ',' order by g.team, g.target)`)} as version
    from ${grantsNow(grants)}`.execute(db)
  return rows[0]!
}

type TeamRole = { teamId: string; role: ScanRole }

/** Sets exactly these teams on a scan or a group; roles of people stay. */
export async function replaceTeams(
  db: MonitorDb,
  target: { scanId: string } | { groupId: string },
  teams: readonly TeamRole[],
): Promise<void> {
  const [scan, group] = 'scanId' in target ? [target.scanId, null] : [null, target.groupId]
  await sql`delete from scan_access where team_id is not null
    and coalesce(scan_id, group_id) = ${scan ?? group}::uuid`.execute(db)
  if (teams.length > 0)
    await sql`insert into scan_access (id, scan_id, group_id, team_id, role)
      select new_id(), ${scan}::uuid, ${group}::uuid, t.team, t.role from unnest(
        ${teams.map((t) => t.teamId)}::text[], ${teams.map((t) => t.role)}::text[]) as t (team, role)`.execute(
      db,
    )
}

/** Puts a scan into exactly these groups. */
export async function replaceGroups(db: MonitorDb, scanId: string, groups: readonly string[]): Promise<void> {
  await sql`delete from scan_group_scan where scan_id = ${scanId} and group_id <> all(${[...groups]}::uuid[])`.execute(
    db,
  )
  await sql`insert into scan_group_scan (group_id, scan_id)
    select id, ${scanId}::uuid from unnest(${[...groups]}::uuid[]) as g (id) on conflict do nothing`.execute(
    db,
  )
}

/** Version of a scan's own teams and of the groups that it is in. */
const accessVersion = (scanId: string) =>
  versionOf(sql`(select bit_xor(hashtextextended(team_id || ' ' || role, 1)) from scan_access
      where team_id is not null and scan_id = ${scanId}::uuid)::text,
    (select bit_xor(uuid_hash_extended(group_id, 1)) from scan_group_scan where scan_id = ${scanId}::uuid)::text`)

/** Whether teams and groups of a scan are still those of a version. They stay so until the transaction ends. */
export async function accessIsStill(
  trx: MonitorDb,
  scanId: string,
  version: number | undefined,
): Promise<boolean> {
  // One after the other; and only the next statement sees what the one before has written.
  await sql`select from scan where id = ${scanId} for update`.execute(trx)
  if (version === undefined) return true
  const { rows } = await sql<{ version: number }>`select ${accessVersion(scanId)} as version`.execute(trx)
  return rows[0]?.version === version
}

/** Sets teams, and groups when they are given, of one scan, when these are still those of `version`. */
export async function writeScanAccess(
  { db }: Db,
  scanId: string,
  access: {
    teams: readonly TeamRole[]
    groups?: readonly string[] | undefined
    version?: number | undefined
  },
): Promise<'saved' | 'edit-conflict'> {
  return inTransaction(db, async (trx) => {
    if (!(await accessIsStill(trx, scanId, access.version))) return 'edit-conflict'
    await replaceTeams(trx, { scanId }, access.teams)
    if (access.groups) await replaceGroups(trx, scanId, access.groups)
    return 'saved'
  })
}

type NamedRole = { teamId: string; teamName: string; role: ScanRole }
export type ScanAccessRows = {
  teams: NamedRole[]
  groups: { scanGroupId: string; scanGroupName: string; teams: NamedRole[] }[]
  people: { id: string; name: string; role: ScanRole }[]
  version: number
}

const namedRoles = sql`coalesce(jsonb_agg(jsonb_build_object('teamId', t.id, 'teamName', t.name, 'role', a.role)
  order by lower(t.name)), '[]')`

/** The roles on a scan, and what gives them. */
export async function accessOfScan({ db }: Db, scanId: string): Promise<ScanAccessRows> {
  const { rows } = await sql<ScanAccessRows>`select
    (select ${namedRoles} from scan_access a join team t on t.id = a.team_id where a.scan_id = ${scanId}) as teams,
    (select coalesce(jsonb_agg(jsonb_build_object('scanGroupId', g.id, 'scanGroupName', g.name, 'teams',
        (select ${namedRoles} from scan_access a join team t on t.id = a.team_id where a.group_id = g.id))
        order by lower(g.name)), '[]')
      from scan_group_scan gs join scan_group g on g.id = gs.group_id where gs.scan_id = ${scanId}) as groups,
    (select coalesce(jsonb_agg(jsonb_build_object('id', a.person_id, 'role', a.role, 'name',
        coalesce(${personName('p')}, a.person_id))), '[]')
      from scan_access a left join person p on p.id = a.person_id
      where a.scan_id = ${scanId} and a.person_id is not null) as people, ${accessVersion(scanId)} as version`.execute(
    db,
  )
  return rows[0]!
}

export type TeamAccessRow = {
  teamId: string
  teamName: string
  role: ScanRole
  scan: { id: string; name: string } | null
  scanGroup: { id: string; name: string } | null
}

const listFrom = sql`from scan_access a join team t on t.id = a.team_id
  left join scan s on s.id = a.scan_id left join scan_group g on g.id = a.group_id`
const sortColumns = {
  team: sql`lower(t.name)`,
  target: sql`lower(coalesce(s.name, g.name))`,
  role: rankOfRole(sql`a.role`),
}

/** Every role that a team has, one page of it. */
export async function listGrants(
  { db }: Db,
  query: z.output<typeof TeamAccessQuery>,
): Promise<{ rows: TeamAccessRow[]; total: number }> {
  const like = query.search && containing(query.search)
  const where = allOf([
    sql`s.deleted_at is null`,
    like && sql`(t.name ilike ${like} or s.name ilike ${like} or g.name ilike ${like})`,
    query.teamId.length > 0 && sql`a.team_id = any(${query.teamId}::text[])`,
    query.scanId && sql`a.scan_id = ${query.scanId}`,
    query.scanGroupId && sql`a.group_id = ${query.scanGroupId}`,
  ])
  const order = orderBy(
    sortColumns,
    query.sort,
    sql`lower(t.name), lower(coalesce(s.name, g.name))`,
    sql`a.id`,
  )
  const { rows } = await sql<TeamAccessRow>`
    select t.id as "teamId", t.name as "teamName", a.role,
      case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end as scan,
      case when g.id is not null then jsonb_build_object('id', g.id, 'name', g.name) end as "scanGroup"
    ${listFrom} where ${where} ${order} ${limits(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${listFrom} where ${where}`.execute(
    db,
  )
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

type Named = { id: string; name: string }

/** Scans and groups by id or, whatever the case, by name: what an import or an assignment may speak of. */
export async function targetsNamed(
  { db }: Db,
  words: { scans: readonly string[]; groups: readonly string[] },
): Promise<{ scans: Named[]; groups: Named[] }> {
  const [scans, groups] = await Promise.all([
    sql<Named>`select id, name from scan where deleted_at is null
      and (lower(name) = any(${words.scans.map((w) => w.toLowerCase())}::text[]) or id::text = any(${[...words.scans]}::text[]))`.execute(
      db,
    ),
    sql<Named>`select id, name from scan_group
      where lower(name) = any(${words.groups.map((w) => w.toLowerCase())}::text[]) or id::text = any(${[...words.groups]}::text[])`.execute(
      db,
    ),
  ])
  return { scans: scans.rows, groups: groups.rows }
}
