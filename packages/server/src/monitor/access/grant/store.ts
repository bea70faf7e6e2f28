import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { TeamAccessQuery } from '@clearway/contract/monitor/access/schema.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { buildVersionSql, inTransaction } from '../../../kit/database.ts'
import { joinConditions, buildContainsPattern, buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { buildPersonName, buildRoleRank, isListedTeam } from '../table.ts'

type DatabaseDeps = { db: MonitorDb }

/** A team's role on a scan or a group; a null role removes it. */
export type Grant = { teamId: string; scanId: string | null; groupId: string | null; role: ScanRole | null }

/** Team and target of each grant, joined with its current role `a.role`. */
const joinCurrentRoles = (grants: readonly Grant[]) => sql`unnest(${grants.map(({ teamId }) => teamId)}::text[],
    ${grants.map(({ scanId, groupId }) => scanId ?? groupId)}::uuid[]) with ordinality as g (team, target, place)
  left join scan_access a on a.team_id = g.team and coalesce(a.scan_id, a.group_id) = g.target`

/** Locks scans and groups like every change to their teams, so that team access stays unchanged until the transaction ends. */
async function lockTargets(trx: MonitorDb, grants: readonly Grant[]): Promise<void> {
  const scanIds = grants.flatMap(({ scanId }) => scanId ?? [])
  const groupIds = grants.flatMap(({ groupId }) => groupId ?? [])
  await sql`select from scan where id = any(${scanIds}::uuid[]) order by id for no key update`.execute(trx)
  await sql`select from scan_group where id = any(${groupIds}::uuid[]) order by id for no key update`.execute(trx)
}

/** Writes all role changes or none. With a version, only while the current version of `readCurrentRoles` equals it. */
export async function writeGrants(
  { db }: DatabaseDeps,
  grants: readonly Grant[],
  version: number | undefined,
): Promise<'saved' | 'edit-conflict'> {
  const grantsJson = JSON.stringify(
    grants.map(({ teamId, scanId, groupId, role }) => ({ team: teamId, scan: scanId, grp: groupId, role })),
  )
  return inTransaction(db, async (trx) => {
    await lockTargets(trx, grants)
    // Only a new statement sees the commits of the previous lock holder.
    if (version !== undefined && (await readCurrentRoles({ db: trx }, grants)).version !== version) return 'edit-conflict'
    await sql`delete from scan_access a using jsonb_to_recordset(${grantsJson}::jsonb)
        as g (team text, scan uuid, grp uuid, role text)
      where a.team_id = g.team and coalesce(a.scan_id, a.group_id) = coalesce(g.scan, g.grp)`.execute(trx)
    await sql`insert into scan_access (id, scan_id, group_id, team_id, role)
      select new_id(), g.scan, g.grp, g.team, g.role from jsonb_to_recordset(${grantsJson}::jsonb)
        as g (team text, scan uuid, grp uuid, role text)
      -- A target deleted since it was checked is left out, as if it were deleted a moment later.
      where g.role is not null and (exists (select from scan s where s.id = g.scan)
        or exists (select from scan_group sg where sg.id = g.grp))`.execute(trx)
    return 'saved'
  })
}

/** The current role of each target in the given order, null for none; and the version of that state. */
export async function readCurrentRoles(
  { db }: DatabaseDeps,
  grants: readonly Grant[],
): Promise<{ roles: (ScanRole | null)[]; version: number }> {
  const { rows: currentRoleRows } = await sql<{ roles: (ScanRole | null)[]; version: number }>`
    select coalesce(jsonb_agg(a.role order by g.place), '[]') as roles,
      ${buildVersionSql(sql`string_agg(concat_ws(' ', g.team, g.target, a.role), ',' order by g.team, g.target)`)} as version
    from ${joinCurrentRoles(grants)}`.execute(db)
  return currentRoleRows[0]!
}

type TeamRole = { teamId: string; role: ScanRole }

/** Replaces all team roles of a scan or a group; direct roles of people stay. */
export async function replaceTeams(
  db: MonitorDb,
  target: { scanId: string } | { groupId: string },
  teams: readonly TeamRole[],
): Promise<void> {
  const [scanId, groupId] = 'scanId' in target ? [target.scanId, null] : [null, target.groupId]
  // Teams that are no longer listed were not shown, so that their absence decides nothing.
  await sql`delete from scan_access a where team_id is not null
    and coalesce(scan_id, group_id) = ${scanId ?? groupId}::uuid
    and exists (select from team t where t.id = a.team_id and ${isListedTeam('t')})`.execute(db)
  if (teams.length > 0)
    await sql`insert into scan_access (id, scan_id, group_id, team_id, role)
      select new_id(), ${scanId}::uuid, ${groupId}::uuid, t.team, t.role from unnest(
        ${teams.map((t) => t.teamId)}::text[], ${teams.map((t) => t.role)}::text[]) as t (team, role)`.execute(db)
}

export async function replaceGroups(db: MonitorDb, scanId: string, groupIds: readonly string[]): Promise<void> {
  await sql`delete from scan_group_scan where scan_id = ${scanId} and group_id <> all(${[...groupIds]}::uuid[])`.execute(db)
  // A group deleted since it was checked is left out, as if it were deleted a moment later.
  await sql`insert into scan_group_scan (group_id, scan_id)
    select id, ${scanId}::uuid from scan_group where id = any(${[...groupIds]}::uuid[]) order by id for key share
    on conflict do nothing`.execute(db)
}

/** Version of a scan's direct teams and of the groups that contain it. */
const buildAccessVersion = (scanId: string) =>
  buildVersionSql(sql`(select bit_xor(hashtextextended(team_id || ' ' || role, 1)) from scan_access
      where team_id is not null and scan_id = ${scanId}::uuid)::text,
    (select bit_xor(uuid_hash_extended(group_id, 1)) from scan_group_scan where scan_id = ${scanId}::uuid)::text`)

/** Checks that a scan's teams and groups still have this version. They stay unchanged until the transaction ends. */
export async function isAccessUnchanged(trx: MonitorDb, scanId: string, version: number | undefined): Promise<boolean> {
  // Serializes writers; only a new statement sees the commit of the previous one.
  const { rows: scanRows } = await sql`select from scan where id = ${scanId} for no key update`.execute(trx)
  if (scanRows.length === 0) return false
  if (version === undefined) return true
  const { rows: versionRows } = await sql<{ version: number }>`select ${buildAccessVersion(scanId)} as version`.execute(trx)
  return versionRows[0]?.version === version
}

/** Sets the teams, and the groups if given, of one scan while they still have `version`. */
export async function writeScanAccess(
  { db }: DatabaseDeps,
  scanId: string,
  access: { teams: readonly TeamRole[]; groups?: readonly string[] | undefined; version?: number | undefined },
): Promise<'saved' | 'edit-conflict'> {
  return inTransaction(db, async (trx) => {
    if (!(await isAccessUnchanged(trx, scanId, access.version))) return 'edit-conflict'
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

const namedRolesJson = sql`coalesce(jsonb_agg(jsonb_build_object('teamId', t.id, 'teamName', t.name, 'role', a.role)
  order by lower(t.name)), '[]')`

export async function readScanAccess({ db }: DatabaseDeps, scanId: string): Promise<ScanAccessRows> {
  const { rows: accessRows } = await sql<ScanAccessRows>`select
    (select ${namedRolesJson} from scan_access a join team t on t.id = a.team_id
      where a.scan_id = ${scanId} and ${isListedTeam('t')}) as teams,
    (select coalesce(jsonb_agg(jsonb_build_object('scanGroupId', g.id, 'scanGroupName', g.name, 'teams',
        (select ${namedRolesJson} from scan_access a join team t on t.id = a.team_id
          where a.group_id = g.id and ${isListedTeam('t')}))
        order by lower(g.name)), '[]')
      from scan_group_scan gs join scan_group g on g.id = gs.group_id where gs.scan_id = ${scanId}) as groups,
    (select coalesce(jsonb_agg(jsonb_build_object('id', a.person_id, 'role', a.role, 'name',
        coalesce(${buildPersonName('p')}, a.person_id))), '[]')
      from scan_access a left join person p on p.id = a.person_id
      where a.scan_id = ${scanId} and a.person_id is not null) as people, ${buildAccessVersion(scanId)} as version`.execute(db)
  return accessRows[0]!
}

export type TeamAccessRow = {
  teamId: string
  teamName: string
  role: ScanRole
  scan: { id: string; name: string } | null
  scanGroup: { id: string; name: string } | null
}

const grantsFromClause = sql`from scan_access a join team t on t.id = a.team_id
  left join scan s on s.id = a.scan_id left join scan_group g on g.id = a.group_id`
const sortColumns = {
  team: sql`lower(t.name)`,
  target: sql`lower(coalesce(s.name, g.name))`,
  role: buildRoleRank(sql`a.role`),
}

export async function listGrants(
  { db }: DatabaseDeps,
  query: z.output<typeof TeamAccessQuery>,
): Promise<{ rows: TeamAccessRow[]; total: number }> {
  const searchPattern = query.search && buildContainsPattern(query.search)
  const grantFilter = joinConditions([
    sql`s.deleted_at is null`,
    isListedTeam('t'),
    searchPattern && sql`(t.name ilike ${searchPattern} or s.name ilike ${searchPattern} or g.name ilike ${searchPattern})`,
    query.teamId.length > 0 && sql`a.team_id = any(${query.teamId}::text[])`,
    query.scanId && sql`a.scan_id = ${query.scanId}`,
    query.scanGroupId && sql`a.group_id = ${query.scanGroupId}`,
  ])
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`lower(t.name), lower(coalesce(s.name, g.name))`, sql`a.id`)
  const { rows: grantRows } = await sql<TeamAccessRow>`
    select t.id as "teamId", t.name as "teamName", a.role,
      case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end as scan,
      case when g.id is not null then jsonb_build_object('id', g.id, 'name', g.name) end as "scanGroup"
    ${grantsFromClause} where ${grantFilter} ${orderClause} ${buildLimitClause(query)}`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total ${grantsFromClause} where ${grantFilter}`.execute(db)
  return { rows: grantRows, total: countResult.rows[0]?.total ?? 0 }
}

type NamedTarget = { id: string; name: string }

/** Scans and groups by id or case-insensitive name, as an import or an assignment may refer to them. */
export async function findNamedTargets(
  { db }: DatabaseDeps,
  idsOrNames: { scans: readonly string[]; groups: readonly string[] },
): Promise<{ scans: NamedTarget[]; groups: NamedTarget[] }> {
  const [scanResult, groupResult] = await Promise.all([
    sql<NamedTarget>`select id, name from scan where deleted_at is null
      and (lower(name) = any(${idsOrNames.scans.map((w) => w.toLowerCase())}::text[]) or id::text = any(${[...idsOrNames.scans]}::text[]))`.execute(
      db,
    ),
    sql<NamedTarget>`select id, name from scan_group
      where lower(name) = any(${idsOrNames.groups.map((w) => w.toLowerCase())}::text[]) or id::text = any(${[...idsOrNames.groups]}::text[])`.execute(
      db,
    ),
  ])
  return { scans: scanResult.rows, groups: groupResult.rows }
}
