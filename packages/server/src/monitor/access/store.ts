import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

type Db = { db: MonitorDb }
/** Whose view of things: an admin sees all. */
export type Viewer = { id: string; isAdmin: boolean }

const rank = sql.raw(`case role when 'scanAdmin' then 0 when 'scanMember' then 1 else 2 end`)
const roleOfRank: readonly ScanRole[] = ['scanAdmin', 'scanMember', 'scanViewer']

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
  return sql`(select r.scan_id, r.rank from (${roleRows(viewer.id)}) r
    join scan on scan.id = r.scan_id and scan.deleted_at is null)`
}

/** The role behind a rank of `visibleScans`. */
export const roleOf = (rankNumber: number): 'admin' | ScanRole => roleOfRank[rankNumber] ?? 'admin'

/** A viewer's role on one scan; null when it is not there or not his. One answer for both, so that nobody can tell. */
export async function roleOn({ db }: Db, viewer: Viewer, scanId: string): Promise<'admin' | ScanRole | null> {
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

/** The two settings of the permissions page; both on until somebody changes them. */
export async function creationSettings({ db }: Db): Promise<{ members: boolean; viewers: boolean }> {
  const rows = await db.selectFrom('system_setting').selectAll().execute()
  const isOn = (name: string) => rows.find((row) => row.name === name)?.value.on ?? true
  return { members: isOn('allowScanMembersToCreateScans'), viewers: isOn('allowScanViewersToCreateScans') }
}

/** Keeps names for lists of owners; called when somebody is seen. */
export async function rememberPerson(
  { db }: Db,
  person: { id: string; username: string; firstName: string; lastName: string; email: string | null },
): Promise<void> {
  const row = {
    username: person.username,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    seen_at: new Date(),
  }
  await db
    .insertInto('person')
    .values({ id: person.id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
