import { roleMay, type ScanPermission, type ScanRole } from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
/** Whose view of things: an admin sees all, a guest the one scan of his link. */
export type Viewer = { id: string; isAdmin: boolean; guestOf?: string }

const rank = sql.raw(`case role when 'scanAdmin' then 0 when 'scanMember' then 1 else 2 end`)
const roleOfRank: readonly ScanRole[] = ['scanAdmin', 'scanMember', 'scanViewer']
const guestRank = 3

/** All that a person was given, himself or through his teams: (scan or group, role). */
const given = (personId: string) => sql`
  select scan_id, group_id, role from scan_access where person_id = ${personId}
  union all
  select a.scan_id, a.group_id, a.role from scan_access a
    join team_member m on m.team_id = a.team_id where m.person_id = ${personId}`

/** The scans that a person has a role on, with the best of his roles as a rank (0 scan admin). */
const roleRows = (personId: string) => sql`
  select g.scan_id, min(g.rank)::int as rank from (
    select coalesce(given.scan_id, s.scan_id) as scan_id, ${rank} as rank
    from (${given(personId)}) given
    left join scan_group_scan s on s.group_id = given.group_id
  ) g where g.scan_id is not null group by g.scan_id`

/**
 * A table expression `(scan_id, rank)` of what a viewer may see; join it in a query over scans. For an admin every
 * scan that is not deleted, with rank -1.
 */
export function visibleScans(viewer: Viewer): RawBuilder<{ scan_id: string; rank: number }> {
  if (viewer.isAdmin) return sql`(select id as scan_id, -1 as rank from scan where deleted_at is null)`
  if (viewer.guestOf !== undefined)
    return sql`(select id as scan_id, ${sql.lit(guestRank)} as rank from scan
      where id = ${viewer.guestOf} and deleted_at is null)`
  return sql`(select r.scan_id, r.rank from (${roleRows(viewer.id)}) r
    join scan on scan.id = r.scan_id and scan.deleted_at is null)`
}

/** The highest rank of `visibleScans` that has a permission. */
export const rankFor = (permission: ScanPermission): number =>
  Math.max(-1, ...roleOfRank.map((role, place) => (roleMay(role, permission) ? place : -1)))

/** The visible scans on which a viewer has a permission. */
export const allowedScans = (
  viewer: Viewer,
  permission: ScanPermission,
): RawBuilder<{ scan_id: string; rank: number }> =>
  sql`(select * from ${visibleScans(viewer)} v where v.rank <= ${sql.lit(rankFor(permission))})`

/** The role behind a rank of `visibleScans`. */
export const roleOf = (rankNumber: number): 'admin' | ScanRole | 'guest' =>
  rankNumber === guestRank ? 'guest' : (roleOfRank[rankNumber] ?? 'admin')

/** A viewer's role on one scan; null when it is not there or not his. One answer for both, so that nobody can tell. */
export async function roleOn(
  { db }: Db,
  viewer: Viewer,
  scanId: string,
): Promise<'admin' | ScanRole | 'guest' | null> {
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

/** The strictest role that a person has anywhere, and the groups that he administers. */
export async function rolesAnywhere(
  { db }: Db,
  personId: string,
): Promise<{ strictest: ScanRole | null; groups: number }> {
  const { rows } = await sql<{ rank: number | null; groups: number }>`
    select (select max(${rank})::int from (${given(personId)}) given) as rank,
           (select count(*)::int from scan_group_admin where person_id = ${personId}) as groups`.execute(db)
  const row = rows[0]
  return { strictest: row?.rank == null ? null : roleOfRank[row.rank]!, groups: row?.groups ?? 0 }
}

/** Whether somebody administers a group that exists. */
export async function administers({ db }: Db, viewer: Viewer, groupId: string): Promise<boolean> {
  const own = sql`exists (select from scan_group_admin a where a.group_id = g.id and a.person_id = ${viewer.id})`
  const { rows } = await sql`select from scan_group g
    where g.id = ${groupId} and (${viewer.isAdmin} or ${own})`.execute(db)
  return rows.length > 0
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
    isAdmin: boolean
    hasAccess: boolean
  },
): Promise<void> {
  const row = {
    username: person.username,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    ...(person.language !== null && { language: person.language }),
    // For keys that act in his name, and for whom issues can be given to.
    is_admin: person.isAdmin,
    has_access: person.hasAccess,
    seen_at: new Date(),
  }
  await db
    .insertInto('person')
    .values({ id: person.id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
