import { type RawBuilder, sql } from 'kysely'
import { buildIdFilter } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { recountTotals } from '../recount/store.ts'
import { laterChange, selectNewestRun, writeSpans } from '../span/store.ts'
import { countedSeverity, storedLiterals } from '../table.ts'

// `chosen` is a table of one transaction: each issue to change once, with its newest finding.

/** The newest finding of the issue `i`, or its finding in the given run. */
export const selectNewestFinding = (runNumber: number | undefined) =>
  runNumber === undefined
    ? sql`
  select newest.id as run_id, coalesce(page.id, s.last_page_id) as page_id, s.severity, s.evidence
  from (select * from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id order by s.until_run desc limit 1) s
  cross join lateral ${selectNewestRun('s')} newest
  left join page on page.run_id = newest.id and page.key_hash = s.page_key`
    : sql`select f.run_id, f.page_id, f.severity from run join finding f on f.run_id = run.id
  where run.scan_id = i.scan_id and run.number = ${runNumber}::int and f.issue_id = i.id`

/** Updates chosen findings that another run superseded in the meantime. */
export async function updateChosenToNewest(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`update chosen c set run_id = f.run_id, page_id = f.page_id, severity = f.severity
    from issue i join lateral (${selectNewestFinding(undefined)}) f on true
    where i.id = c.issue_id and c.run_id in (${runs})`.execute(db)
}

/**
 * Locks the scans of some rows (scan_id) against the storing of pages, which does not lock unchanged issues, until the end of
 * the transaction. Call it before reading and locking issues. Returns the ids of the scans.
 */
export async function lockScans(db: MonitorDb, rows: RawBuilder<unknown>): Promise<string[]> {
  const { rows: scanRows } = await sql<{ id: string }>`select distinct scan_id as id from ${rows} r order by 1`.execute(db)
  for (const { id } of scanRows) await lockEvidenceExclusive(id).execute(db)
  return scanRows.map(({ id }) => id)
}

type AmongChosen = Awaited<ReturnType<typeof buildIdFilter>>

/** Condition for the scans or runs of the chosen issues, so that big tables are searched only within these. */
export const buildAmongChosen = (db: MonitorDb, column: 'scan_id' | 'run_id'): Promise<AmongChosen> =>
  buildIdFilter(db, column, sql`chosen`)

/** Locks the runs of the chosen issues, in the same order everywhere and after the issues, as workers do. */
async function lockRuns(db: MonitorDb, isAmongRuns: AmongChosen): Promise<void> {
  await sql`select 1 from run where ${isAmongRuns(sql`id`)} order by id for no key update`.execute(db)
}

/** Syncs each newest finding with its issue; older runs keep what they saw. */
async function updateFindings(db: MonitorDb): Promise<void> {
  const newSeverity = sql`(case when i.marked is not true and c.severity < ${storedLiterals.severity.review} and c.was_marked then ${storedLiterals.severity.review}
    else ${countedSeverity(sql`i.marked`, 's')} end)::smallint`
  await sql`with changed as materialized (
      select c.issue_id, c.scan_id, run.number, ${laterChange('s')} as change, s.page_key, s.last_page_id, s.group_id, s.rule_id, ${newSeverity} as severity,
        s.impact, i.status, s.evidence, s.picture, s.picture_box, s.drive_level, s.states, c.severity as severity_before
      from chosen c join issue i on i.id = c.issue_id join run on run.id = c.run_id
      join finding_span s on s.issue_id = c.issue_id and s.scan_id = c.scan_id and s.first_run <= run.number and s.until_run >= run.number
      where s.status <> i.status or s.severity <> ${newSeverity}),
    ${writeSpans(sql`changed`)}
    update issue i set severity = changed.severity from changed
    where i.id = changed.issue_id and changed.severity <> changed.severity_before`.execute(db)
}

/** Updates the newest findings of the chosen issues, and the counts, after a change of statuses or marks. */
export async function updateChosenFindings(db: MonitorDb): Promise<void> {
  const isAmongRuns = await buildAmongChosen(db, 'run_id')
  await lockRuns(db, isAmongRuns)
  await updateFindings(db)
  await recountTotals(db, 'chosen')
}
