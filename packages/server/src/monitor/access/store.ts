import {
  roleMay,
  type Role,
  type ScanPermission,
  type ScanRole,
  rolesOnAllScans,
  type SubjectRole,
  subjectRoles,
  type SystemRole,
} from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import { rankOf, rankOfRole } from './table.ts'

type Db = { db: MonitorDb }
/** Whose view it is, by role and, for a guest, the one scan of the share link. */
export type Viewer = { id: string; role: Role; guestOf?: string }

/** Every grant of a person, direct or through a team: (scan or group, role). */
const given = (personId: string) => sql`
  select scan_id, group_id, role from scan_access where person_id = ${personId}
  union all
  select a.scan_id, a.group_id, a.role from scan_access a
    join team_member m on m.team_id = a.team_id where m.person_id = ${personId}`

/** The scans that a person has a role on, with the best of those roles as a rank (the lower, the more it may). */
const roleRows = (personId: string) => sql`
  select g.scan_id, min(g.rank)::int as rank from (
    select coalesce(given.scan_id, s.scan_id) as scan_id, ${rankOfRole(sql.ref('role'))} as rank
    from (${given(personId)}) given
    left join scan_group_scan s on s.group_id = given.group_id
  ) g where g.scan_id is not null group by g.scan_id`

/**
 * A table expression `(scan_id, rank)` of what a viewer may see; join it in a query over scans. A role on all
 * scans applies to each that is not deleted, unless a team gives a better one.
 */
export function visibleScans(viewer: Viewer): RawBuilder<{ scan_id: string; rank: number }> {
  const own = sql.lit(rankOf(viewer.role))
  if (viewer.guestOf !== undefined)
    return sql`(select id as scan_id, ${own} as rank from scan
      where id = ${viewer.guestOf} and deleted_at is null)`
  if (rankOf(viewer.role) === 0)
    return sql`(select id as scan_id, ${own} as rank from scan where deleted_at is null)`
  if ((rolesOnAllScans as readonly Role[]).includes(viewer.role))
    return sql`(select scan.id as scan_id, least(r.rank, ${own}) as rank from scan
      left join (${roleRows(viewer.id)}) r on r.scan_id = scan.id where scan.deleted_at is null)`
  return sql`(select r.scan_id, r.rank from (${roleRows(viewer.id)}) r
    join scan on scan.id = r.scan_id and scan.deleted_at is null)`
}

/** The highest rank of `visibleScans` that has a permission. */
export const rankFor = (permission: ScanPermission): number =>
  subjectRoles.findLastIndex((role) => roleMay(role, permission))

/** The visible scans on which a viewer has a permission. */
export const allowedScans = (
  viewer: Viewer,
  permission: ScanPermission,
): RawBuilder<{ scan_id: string; rank: number }> =>
  sql`(select * from ${visibleScans(viewer)} v where v.rank <= ${sql.lit(rankFor(permission))})`

/** The role behind a rank of `visibleScans`. */
export const roleOf = (rankNumber: number): SubjectRole => subjectRoles[rankNumber]!

/** A viewer's role on one scan; null when it does not exist or they may not see it: one answer, so that nobody learns which. */
export async function roleOn({ db }: Db, viewer: Viewer, scanId: string): Promise<SubjectRole | null> {
  const { rows } = await sql<{ rank: number }>`
    select rank from ${visibleScans(viewer)} v where v.scan_id = ${scanId}`.execute(db)
  return rows[0] ? roleOf(rows[0].rank) : null
}

const sources = {
  pages: sql`select scan_id from page where id = `,
  issues: sql`select scan_id from issue where id = `,
}
/** The scan to which a page or an issue belongs. */
export async function scanOf({ db }: Db, what: keyof typeof sources, id: string): Promise<string | null> {
  const { rows } = await sql<{ scan_id: string }>`${sources[what]}${id}`.execute(db)
  return rows[0]?.scan_id ?? null
}

/** The strictest role that a person has anywhere, and the groups that they administer. */
export async function rolesAnywhere(
  { db }: Db,
  personId: string,
): Promise<{ strictest: ScanRole | null; groups: number }> {
  const { rows } = await sql<{ rank: number | null; groups: number }>`
    select (select max(${rankOfRole(sql.ref('role'))})::int from (${given(personId)}) given) as rank,
           (select count(*)::int from scan_group_admin where person_id = ${personId}) as groups`.execute(db)
  const row = rows[0]
  return { strictest: row?.rank == null ? null : (roleOf(row.rank) as ScanRole), groups: row?.groups ?? 0 }
}

/** The role of somebody on a group; null when there is no such group. */
export async function roleOnGroup({ db }: Db, viewer: Viewer, groupId: string): Promise<Role | null> {
  const { rows } = await sql<{ own: boolean }>`select exists (select from scan_group_admin a
      where a.group_id = g.id and a.person_id = ${viewer.id}) as own
    from scan_group g where g.id = ${groupId}`.execute(db)
  if (!rows[0]) return null
  return rows[0].own && !roleMay(viewer.role, 'group.manage') ? 'groupAdmin' : viewer.role
}

/** Whether somebody manages a group that exists. */
export async function managesGroup(deps: Db, viewer: Viewer, groupId: string): Promise<boolean> {
  const role = await roleOnGroup(deps, viewer, groupId)
  return role !== null && roleMay(role, 'group.manage')
}

/** Keeps names for lists of owners; called when somebody is seen. */
export async function rememberPerson(
  { db }: Db,
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
  const row = {
    username: person.username,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    ...(person.language !== null && { language: person.language }),
    // For keys that act in the person's name, and for the list of assignees.
    role: person.role,
    seen_at: sql<Date>`now()`,
  }
  await db
    .insertInto('person')
    .values({ id: person.id, ...row })
    // A token that is older than the end of its account gives no role back.
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(row).where('person.deactivated_at', 'is', null),
    )
    .execute()
}

/** Keeps that somebody who had access has none any more. */
export const forgetAccess = ({ db }: Db, personId: string): Promise<unknown> =>
  db
    .updateTable('person')
    .set({ role: 'outsider', seen_at: sql<Date>`now()` })
    .where('id', '=', personId)
    .execute()
