import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import { selectedFindings, type SelectedIssues } from './store-selection.ts'

export type PersonRow = { id: string; username: string; firstName: string; lastName: string }

/** Who has a role on a scan, himself or through a team, directly or through a group: (scan_id, person_id). */
const roleHolders = sql`(
  select coalesce(a.scan_id, g.scan_id) as scan_id, coalesce(a.person_id, m.person_id) as person_id
  from scan_access a
  left join scan_group_scan g on g.group_id = a.group_id
  left join team_member m on m.team_id = a.team_id)`

const people = (ids: RawBuilder<unknown>) => sql<PersonRow>`
  select p.id, p.username, p.first_name as "firstName", p.last_name as "lastName" from person p
  where p.id in (${ids}) order by lower(p.username) limit 1000`

/** People with a role on a scan: whom its issues can be given to. */
export async function scanPeople(db: MonitorDb, scanId: string): Promise<PersonRow[]> {
  const { rows } = await people(
    sql`select h.person_id from ${roleHolders} h where h.scan_id = ${scanId}`,
  ).execute(db)
  return rows
}

/** People with a role on every scan of what is selected. */
export async function assignees(db: MonitorDb, selected: SelectedIssues): Promise<PersonRow[]> {
  const scans = sql`(select distinct scan_id from ${selectedFindings(selected)} s)`
  const { rows } = await people(sql`
    select h.person_id from (select distinct scan_id, person_id from ${roleHolders} r) h
    join ${scans} s on s.scan_id = h.scan_id
    group by h.person_id having count(*) = (select count(*) from ${scans} all_of)`).execute(db)
  return rows
}

/** Whether somebody is an admin, as his last token said: admins have a role on every scan. */
export async function isAdminNow({ db }: { db: MonitorDb }, personId: string): Promise<boolean> {
  const { rows } = await sql<{
    is_admin: boolean
  }>`select is_admin from person where id = ${personId}`.execute(db)
  return rows[0]?.is_admin ?? false
}
