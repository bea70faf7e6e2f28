import { type RawBuilder, sql } from 'kysely'
import { buildIdFilter } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { recountTotals } from '../recount/store.ts'
import { storedLiterals } from '../table.ts'

// `chosen` is a table of one transaction: each issue to change once, with its newest finding.

/** The newest finding of the issue `i`, or its finding in the given run. */
export const selectNewestFinding = (runNumber: number | undefined) => sql`
  select f.run_id, f.page_id, f.severity from finding f
  ${runNumber === undefined ? sql`` : sql`join run on run.id = f.run_id and run.number = ${runNumber}::int`}
  where f.issue_id = i.id order by f.run_id desc limit 1`

/** Updates chosen findings that another run superseded in the meantime. */
export async function updateChosenToNewest(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`update chosen c set run_id = f.run_id, page_id = f.page_id, severity = f.severity
    from issue i join lateral (${selectNewestFinding(undefined)}) f on true
    where i.id = c.issue_id and c.run_id in (${runs})`.execute(db)
}

type AmongChosen = Awaited<ReturnType<typeof buildIdFilter>>

/** Condition for the scans or runs of the chosen issues, so that big tables are searched only within these. */
export const buildAmongChosen = (db: MonitorDb, column: 'scan_id' | 'run_id'): Promise<AmongChosen> =>
  buildIdFilter(db, column, sql`chosen`)

/** Workers of active runs may have stored newer findings; the issues are locked by now. */
const updateChosenOfActiveRuns = (db: MonitorDb): Promise<void> =>
  updateChosenToNewest(
    db,
    sql`select c.run_id from (select distinct run_id, scan_id from chosen) c
      where exists (select from run where run.scan_id = c.scan_id and run.ended_at is null)`,
  )

/** Locks the runs of the chosen issues, in the same order everywhere and after the issues, as workers do. */
async function lockRuns(db: MonitorDb, isAmongRuns: AmongChosen): Promise<void> {
  await sql`select 1 from run where ${isAmongRuns(sql`id`)} order by id for no key update`.execute(db)
}

/**
 * Syncs each newest finding with its issue; older runs stay unchanged. Updates run by run, in the order on disk. Issues and findings
 * are looked up by their keys alone: with their scans or runs as well, a planner without statistics of a new run reads all of them
 * for each row.
 */
async function updateFindings(db: MonitorDb): Promise<void> {
  const newSeverity = sql`case when c.marked and f.severity = ${storedLiterals.severity.review} then coalesce(f.impact, ${storedLiterals.severity.moderate})
    when c.marked is not true and c.severity < ${storedLiterals.severity.review} and c.was_marked then ${storedLiterals.severity.review} else f.severity end`
  await sql`with changed as (
      update finding f set status = c.status, severity = ${newSeverity}
      from (select c.run_id, c.issue_id, c.severity, c.was_marked, i.status, i.marked
        from chosen c join issue i on i.id = c.issue_id
        order by c.run_id, c.issue_id) c
      where f.run_id = c.run_id and f.issue_id = c.issue_id
        and (f.status <> c.status or f.severity <> ${newSeverity})
      returning f.issue_id, f.severity, c.severity as before)
    update issue i set severity = changed.severity from changed
    where i.id = changed.issue_id and changed.severity <> changed.before`.execute(db)
}

/** Updates the newest findings of the chosen issues, and the counts, after a change of statuses or marks. */
export async function updateChosenFindings(db: MonitorDb): Promise<void> {
  await updateChosenOfActiveRuns(db)
  const isAmongRuns = await buildAmongChosen(db, 'run_id')
  await lockRuns(db, isAmongRuns)
  await updateFindings(db)
  await recountTotals(db, 'chosen')
}
