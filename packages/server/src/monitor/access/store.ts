import {
  hasPermission,
  type Role,
  type ScanPermission,
  type ScanRole,
  allScanRoles,
  type SubjectRole,
  subjectRoles,
  type SystemRole,
} from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import { getRoleRank, buildRoleRank } from './table.ts'

type DatabaseDeps = { db: MonitorDb }
/** A viewer's role and, for a guest, the one scan of the share link. */
export type Viewer = { id: string; role: Role; guestOf?: string }

/** All grants of a person, direct or through a team: (scan or group, role). */
const selectGrants = (personId: string) => sql`
  select scan_id, group_id, role from scan_access where person_id = ${personId}
  union all
  select a.scan_id, a.group_id, a.role from scan_access a
    join team_member m on m.team_id = a.team_id where m.person_id = ${personId}`

/** The scans that a person has a role on, with the rank of the best role (a lower rank allows more). */
const selectScanRanks = (personId: string) => sql`
  select g.scan_id, min(g.rank)::int as rank from (
    select coalesce(given.scan_id, s.scan_id) as scan_id, ${buildRoleRank(sql.ref('role'))} as rank
    from (${selectGrants(personId)}) given
    left join scan_group_scan s on s.group_id = given.group_id
  ) g where g.scan_id is not null group by g.scan_id`

/** A table expression `(scan_id, rank)` of visible scans. A role on all scans applies unless a team grants a better one. */
export function visibleScans(viewer: Viewer): RawBuilder<{ scan_id: string; rank: number }> {
  const viewerRank = sql.lit(getRoleRank(viewer.role))
  if (viewer.guestOf !== undefined)
    return sql`(select id as scan_id, ${viewerRank} as rank from scan
      where id = ${viewer.guestOf} and deleted_at is null)`
  if (getRoleRank(viewer.role) === 0) return sql`(select id as scan_id, ${viewerRank} as rank from scan where deleted_at is null)`
  if ((allScanRoles as readonly Role[]).includes(viewer.role))
    return sql`(select scan.id as scan_id, least(r.rank, ${viewerRank}) as rank from scan
      left join (${selectScanRanks(viewer.id)}) r on r.scan_id = scan.id where scan.deleted_at is null)`
  return sql`(select r.scan_id, r.rank from (${selectScanRanks(viewer.id)}) r
    join scan on scan.id = r.scan_id and scan.deleted_at is null)`
}

/** The highest rank of `visibleScans` that has a permission. */
export const getMaxRank = (permission: ScanPermission): number =>
  subjectRoles.findLastIndex((role) => hasPermission(role, permission))

/** The visible scans on which a viewer has a permission. */
export const allowedScans = (viewer: Viewer, permission: ScanPermission): RawBuilder<{ scan_id: string; rank: number }> =>
  sql`(select * from ${visibleScans(viewer)} v where v.rank <= ${sql.lit(getMaxRank(permission))})`

export const getRoleByRank = (rankNumber: number): SubjectRole => subjectRoles[rankNumber]!

/** A viewer's role on one scan; null both for no scan and for no access, so that replies do not reveal its existence. */
export async function findRoleOnScan({ db }: DatabaseDeps, viewer: Viewer, scanId: string): Promise<SubjectRole | null> {
  const { rows: rankRows } = await sql<{ rank: number }>`
    select rank from ${visibleScans(viewer)} v where v.scan_id = ${scanId}`.execute(db)
  return rankRows[0] ? getRoleByRank(rankRows[0].rank) : null
}

const scanSources = {
  pages: sql`select scan_id from page where id = `,
  issues: sql`select scan_id from issue where id = `,
}
export async function findScanOf(
  { db }: DatabaseDeps,
  sourceTable: keyof typeof scanSources,
  id: string,
): Promise<string | null> {
  const { rows: scanRows } = await sql<{ scan_id: string }>`${scanSources[sourceTable]}${id}`.execute(db)
  return scanRows[0]?.scan_id ?? null
}

/** The roles of a person on any scans, each once, and the number of groups that they administer. */
export async function findRolesAnywhere({ db }: DatabaseDeps, personId: string): Promise<{ roles: ScanRole[]; groups: number }> {
  const { rows: roleRows } = await sql<{ ranks: number[] | null; groups: number }>`
    select (select array_agg(distinct ${buildRoleRank(sql.ref('role'))}::int) from (${selectGrants(personId)}) given) as ranks,
           (select count(*)::int from scan_group_admin where person_id = ${personId}) as groups`.execute(db)
  const roleRow = roleRows[0]
  return { roles: (roleRow?.ranks ?? []).map((rank) => getRoleByRank(rank) as ScanRole), groups: roleRow?.groups ?? 0 }
}

/** A viewer's role on a group; null for a missing group. */
export async function findRoleOnGroup({ db }: DatabaseDeps, viewer: Viewer, groupId: string): Promise<Role | null> {
  const { rows: ownershipRows } = await sql<{ own: boolean }>`select exists (select from scan_group_admin a
      where a.group_id = g.id and a.person_id = ${viewer.id}) as own
    from scan_group g where g.id = ${groupId}`.execute(db)
  if (!ownershipRows[0]) return null
  return ownershipRows[0].own && !hasPermission(viewer.role, 'group.manage') ? 'groupAdmin' : viewer.role
}

export async function canManageGroup(deps: DatabaseDeps, viewer: Viewer, groupId: string): Promise<boolean> {
  const groupRole = await findRoleOnGroup(deps, viewer, groupId)
  return groupRole !== null && hasPermission(groupRole, 'group.manage')
}

/** Stores names for lists of owners; called for each signed-in caller. */
export async function rememberPerson(
  { db }: DatabaseDeps,
  person: {
    id: string
    username: string
    firstName: string
    lastName: string
    email: string | null
    language: string | null
    role: SystemRole
  },
): Promise<void> {
  const personRow = {
    username: person.username,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    ...(person.language !== null && { language: person.language }),
    // Used by the person's API keys and by the list of assignees.
    role: person.role,
    seen_at: sql<Date>`now()`,
  }
  await db
    .insertInto('person')
    .values({ id: person.id, ...personRow })
    // A token issued before an account's deactivation does not restore its role.
    .onConflict((conflict) => conflict.column('id').doUpdateSet(personRow).where('person.deactivated_at', 'is', null))
    .execute()
}

export const forgetAccess = ({ db }: DatabaseDeps, personId: string): Promise<unknown> =>
  db
    .updateTable('person')
    .set({ role: 'outsider', seen_at: sql<Date>`now()` })
    .where('id', '=', personId)
    .execute()
