import { type RawBuilder, sql } from 'kysely'
import type { Selection } from '@clearway/contract/kit/selection.ts'
import type { MonitorDb } from '../database.ts'
import { conditions, type Filter, from, type Runs } from './store-filter.ts'

/** `visibleScans` of the access store. */
export type Visible = RawBuilder<{ scan_id: string; rank: number }>

/** What a bulk call works on: named issues, or what filters match in the runs in view. */
export type SelectedIssues = { visible: Visible; runs: Runs; filters: Filter; selection: Selection }

const newest = (runNumber: number | undefined) => sql`
  select f.run_id, f.page_id, f.severity from finding f
  ${runNumber === undefined ? sql`` : sql`join run on run.id = f.run_id and run.number = ${runNumber}::int`}
  where f.issue_id = i.id order by f.run_id desc limit 1`

/**
 * A table expression (run_id, issue_id, scan_id, rank) of the selected findings: no id leaves the database. Named issues
 * stand for what the run of the filter saw of them, else for their newest finding.
 */
export function selectedFindings({ visible, runs, filters, selection }: SelectedIssues): RawBuilder<unknown> {
  if (!selection.selectAllMode)
    return sql`(select f.run_id, i.id as issue_id, i.scan_id, v.rank from issue i
      join ${visible} v on v.scan_id = i.scan_id
      join lateral (${newest(filters.runNumber)}) f on true
      where i.id = any(${[...selection.ids]}::uuid[]))`
  const less =
    selection.except.length > 0 ? sql`and f.issue_id <> all(${[...selection.except]}::uuid[])` : sql``
  return sql`(select f.run_id, f.issue_id, r.scan_id, r.rank ${from(runs, filters)}
    where ${conditions(filters, { severity: false })} ${less})`
}

/** How many issues are selected, and on how many scans. */
export async function countSelected(db: MonitorDb, selected: SelectedIssues) {
  const { rows } = await sql<{ count: number; scans: number }>`
    select count(*) as count, count(distinct scan_id) as scans from ${selectedFindings(selected)} s`.execute(
    db,
  )
  return rows[0]!
}

/** The findings of chosen issues that newer ones have taken the place of, because another run stored them. */
async function chooseNewest(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`update chosen c set run_id = f.run_id, page_id = f.page_id, severity = f.severity
    from issue i join lateral (${newest(undefined)}) f on true
    where i.id = c.issue_id and c.run_id in (${runs})`.execute(db)
}

/**
 * Puts what is selected into a table of this transaction, `chosen`, each issue once with its newest finding. Issues
 * above `rank` are counted, not taken.
 */
export async function choose(
  db: MonitorDb,
  selected: SelectedIssues,
  rank: number,
): Promise<{ taken: number; skipped: number }> {
  // What is chosen is a small part of big tables, found by their keys; the planner reads them whole instead.
  await sql`select set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`.execute(
    db,
  )
  await sql`create temporary table chosen on commit drop as
    select distinct on (s.issue_id) s.issue_id, s.scan_id, i.rule, i.group_id, i.page_key, s.rank, s.run_id, f.page_id,
      f.severity, coalesce(i.marked, false) as was_marked, null::uuid as ignore_id
    from ${selectedFindings(selected)} s join issue i on i.id = s.issue_id
    join finding f on f.run_id = s.run_id and f.issue_id = s.issue_id
    order by s.issue_id, s.run_id desc`.execute(db)
  const skipped = await sql`delete from chosen where rank > ${rank}::int`.execute(db)
  await sql`create unique index on chosen (issue_id)`.execute(db)
  await sql`analyze chosen`.execute(db)
  // Mostly the run in view is the newest; only where another came after it is there something to look up.
  await chooseNewest(
    db,
    sql`select c.run_id from (select distinct run_id, scan_id from chosen) c
      where exists (select from run later where later.scan_id = c.scan_id and later.id > c.run_id)`,
  )
  const { rows } = await sql<{ taken: number }>`select count(*) as taken from chosen`.execute(db)
  return { taken: rows[0]!.taken, skipped: Number(skipped.numAffectedRows ?? 0) }
}

/** Where a run goes on, a worker may have stored a newer finding since; the issues are locked by now. */
export const followActiveRuns = (db: MonitorDb): Promise<void> =>
  chooseNewest(
    db,
    sql`select c.run_id from (select distinct run_id, scan_id from chosen) c
      where exists (select from run where run.scan_id = c.scan_id and run.ended_at is null)`,
  )

/**
 * Locks the runs of what is chosen, in one order everywhere, and after the issues, as workers do. As an array they are
 * looked up by their key; as a subquery some planners go through all that is chosen for each run.
 */
export async function lockChosenRuns(db: MonitorDb): Promise<void> {
  await sql`select 1 from run where id = any(array(select distinct run_id from chosen))
    order by id for no key update`.execute(db)
}
