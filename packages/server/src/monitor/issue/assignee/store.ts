import { roleMay, rolesOnAllScans, type SystemRole } from '@clearway/contract/kit/permission.ts'
import { type RawBuilder, sql } from 'kysely'
import { roleHolders } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { selectedFindings, type SelectedIssues } from '../bulk/store.ts'

export type PersonRow = { id: string; username: string; firstName: string; lastName: string }

const people = (ids: RawBuilder<unknown>) => sql<PersonRow>`
  select p.id, p.username, p.first_name as "firstName", p.last_name as "lastName" from person p
  where p.deactivated_at is null and p.id in (${ids}) order by lower(p.username) limit 1000`

/** Those who discuss every scan by the role of their sign-in. */
const everywhere = sql`(select id as person_id from person
  where role = any(${rolesOnAllScans.filter((role) => roleMay(role, 'scan.discuss'))}::text[]))`
const discussing = (scanId: string) => sql`select h.person_id from ${roleHolders} h
  where h.scan_id = ${scanId} union select person_id from ${everywhere} e`

/** People who discuss a scan: whom its issues can be assigned to, and who can be mentioned. */
export async function scanPeople(db: MonitorDb, scanId: string): Promise<PersonRow[]> {
  const { rows } = await people(discussing(scanId)).execute(db)
  return rows
}

/** Those of some people who discuss a scan. */
export async function discussingOf(db: MonitorDb, scanId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`select p.id from person p where p.id = any(${[...ids]}::text[])
    and p.deactivated_at is null and p.id in (${discussing(scanId)})`.execute(db)
  return rows.map(({ id }) => id)
}

/** People who discuss every scan of what is selected. */
export async function assignees(db: MonitorDb, selected: SelectedIssues): Promise<PersonRow[]> {
  const scans = sql`(select distinct scan_id from ${selectedFindings(selected)} s)`
  const { rows } = await people(sql`
    select h.person_id from (select distinct scan_id, person_id from ${roleHolders} r) h
    join ${scans} s on s.scan_id = h.scan_id
    group by h.person_id having count(*) = (select count(*) from ${scans} all_of)
    union select person_id from ${everywhere} e where exists (select from ${scans} some_of)`).execute(db)
  return rows
}

/** The role that the last token of a person named. */
export async function roleNow({ db }: { db: MonitorDb }, personId: string): Promise<SystemRole> {
  const { rows } = await sql<{ role: SystemRole }>`select role from person where id = ${personId}`.execute(db)
  return rows[0]?.role ?? 'outsider'
}
