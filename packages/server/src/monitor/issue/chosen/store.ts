import { type RawBuilder, sql } from 'kysely'
import { amongIds } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { recount } from '../recount/store.ts'
import { stored } from '../table.ts'

// `chosen` is a table of one transaction: each issue once that is changed, with its newest finding.

/** The newest finding of the issue `i`, or what a run saw of it. */
export const newest = (runNumber: number | undefined) => sql`
  select f.run_id, f.page_id, f.severity from finding f
  ${runNumber === undefined ? sql`` : sql`join run on run.id = f.run_id and run.number = ${runNumber}::int`}
  where f.issue_id = i.id order by f.run_id desc limit 1`

/** The findings of chosen issues that newer ones have taken the place of, because another run stored them. */
export async function chooseNewest(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`update chosen c set run_id = f.run_id, page_id = f.page_id, severity = f.severity
    from issue i join lateral (${newest(undefined)}) f on true
    where i.id = c.issue_id and c.run_id in (${runs})`.execute(db)
}

type Among = Awaited<ReturnType<typeof amongIds>>

/** The scans, or runs, of what is chosen: many rows are sought in these only, not among those of all scans. */
export const amongChosen = (db: MonitorDb, column: 'scan_id' | 'run_id'): Promise<Among> =>
  amongIds(db, column, sql`chosen`)

/** Where a run goes on, a worker may have stored a newer finding since; the issues are locked by now. */
const followActiveRuns = (db: MonitorDb): Promise<void> =>
  chooseNewest(
    db,
    sql`select c.run_id from (select distinct run_id, scan_id from chosen) c
      where exists (select from run where run.scan_id = c.scan_id and run.ended_at is null)`,
  )

/** Locks the runs of what is chosen, in one order everywhere, and after the issues, as workers do. */
async function lockRuns(db: MonitorDb, runs: Among): Promise<void> {
  await sql`select 1 from run where ${runs(sql`id`)} order by id for no key update`.execute(db)
}

/** The newest finding of each says what the issue says; older runs keep what was. Run by run, as findings lie on disk. */
async function updateFindings(db: MonitorDb, runs: Among): Promise<void> {
  const scans = await amongChosen(db, 'scan_id')
  const severity = sql`case when c.marked and f.severity = ${stored.severity.review} then coalesce(f.impact, ${stored.severity.moderate})
    when c.marked is null and c.severity < ${stored.severity.review} and c.was_marked then ${stored.severity.review} else f.severity end`
  await sql`with changed as (
      update finding f set status = c.status, severity = ${severity}
      from (select c.run_id, c.issue_id, c.severity, c.was_marked, i.status, i.marked
        from chosen c join issue i on i.id = c.issue_id and ${scans(sql`i.scan_id`)}
        order by c.run_id, c.issue_id) c
      where f.run_id = c.run_id and f.issue_id = c.issue_id and ${runs(sql`f.run_id`)}
        and (f.status <> c.status or f.severity <> ${severity})
      returning f.issue_id, f.severity, c.severity as before)
    update issue i set severity = changed.severity from changed
    where i.id = changed.issue_id and changed.severity <> changed.before`.execute(db)
}

/** What follows from other statuses or marks of the chosen issues: their newest findings, and what is counted from them. */
export async function followChosen(db: MonitorDb): Promise<void> {
  await followActiveRuns(db)
  const runs = await amongChosen(db, 'run_id')
  await lockRuns(db, runs)
  await updateFindings(db, runs)
  await recount(db, 'chosen')
}
