import { hasPermission, allScanRoles, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import { buildShownUsername, roleHolders } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { selectedFindings, type SelectedIssues } from '../selection/store.ts'

export type PersonRow = { id: string; username: string; firstName: string; lastName: string }

const selectPeople = (personIds: RawBuilder<unknown>) => sql<PersonRow>`
  select p.id, ${buildShownUsername('p')} as username, p.first_name as "firstName", p.last_name as "lastName" from person p
  where p.deactivated_at is null and p.id in (${personIds}) order by lower(p.username) limit 1000`

/** People whose system role lets them discuss every scan. */
const globalDiscussants = sql`(select id as person_id from person
  where role = any(${allScanRoles.filter((role) => hasPermission(role, 'scan.discuss'))}::text[]))`
const selectDiscussants = (scanId: string) => sql`select h.person_id from ${roleHolders} h
  where h.scan_id = ${scanId} union select person_id from ${globalDiscussants} e`

/** People who discuss a scan; its issues can be assigned to them, and comments can mention them. */
export async function listScanPeople(db: MonitorDb, scanId: string): Promise<PersonRow[]> {
  const { rows: personRows } = await selectPeople(selectDiscussants(scanId)).execute(db)
  return personRows
}

/** Those of the given people who discuss the scan. */
export async function filterDiscussants(db: MonitorDb, scanId: string, personIds: readonly string[]): Promise<string[]> {
  if (personIds.length === 0) return []
  const { rows: personRows } = await sql<{ id: string }>`select p.id from person p where p.id = any(${[...personIds]}::text[])
    and p.deactivated_at is null and p.id in (${selectDiscussants(scanId)})`.execute(db)
  return personRows.map(({ id }) => id)
}

/** People who discuss every scan of the selection. */
export async function listAssignees(db: MonitorDb, selected: SelectedIssues): Promise<PersonRow[]> {
  const selectedScans = sql`(select distinct scan_id from ${selectedFindings(selected)} s)`
  const { rows: personRows } = await selectPeople(sql`
    select h.person_id from (select distinct scan_id, person_id from ${roleHolders} r) h
    join ${selectedScans} s on s.scan_id = h.scan_id
    group by h.person_id having count(*) = (select count(*) from ${selectedScans} all_of)
    union select person_id from ${globalDiscussants} e where exists (select from ${selectedScans} some_of)`).execute(db)
  return personRows
}

/** The system role in a person's last token. */
export async function readCurrentRole({ db }: { db: MonitorDb }, personId: string): Promise<SystemRole> {
  const { rows: roleRows } = await sql<{ role: SystemRole }>`select role from person where id = ${personId}`.execute(db)
  return roleRows[0]?.role ?? 'outsider'
}
