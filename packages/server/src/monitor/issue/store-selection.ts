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

/**
 * Puts what is selected into a table of this transaction, `chosen`, each issue once with its newest finding. Issues
 * above `rank` are counted, not taken.
 */
export async function choose(
  db: MonitorDb,
  selected: SelectedIssues,
  rank: number,
): Promise<{ taken: number; skipped: number }> {
  await sql`create temporary table chosen on commit drop as
    select i.id as issue_id, i.scan_id, i.rule, i.group_id, i.page_key, s.rank, f.run_id, f.page_id, f.severity,
      null::uuid as ignore_id
    from (select issue_id, min(rank) as rank from ${selectedFindings(selected)} s group by issue_id) s
    join issue i on i.id = s.issue_id join lateral (${newest(undefined)}) f on true`.execute(db)
  const skipped = await sql`delete from chosen where rank > ${rank}::int`.execute(db)
  const { rows } = await sql<{ taken: number }>`select count(*) as taken from chosen`.execute(db)
  await sql`analyze chosen`.execute(db)
  return { taken: rows[0]!.taken, skipped: Number(skipped.numAffectedRows ?? 0) }
}

/**
 * Locks the chosen issues; where a run goes on, a worker may have stored a newer finding meanwhile. Issues come before
 * their run, as with the workers that store pages.
 */
export async function lockChosenIssues(db: MonitorDb): Promise<void> {
  await sql`select 1 from issue where id in (select issue_id from chosen) order by id for no key update`.execute(
    db,
  )
  await sql`update chosen c set run_id = f.run_id, page_id = f.page_id, severity = f.severity
    from issue i join lateral (${newest(undefined)}) f on true
    where i.id = c.issue_id and c.scan_id in (select scan_id from run where ended_at is null)`.execute(db)
}

/** Locks the runs of what is chosen, in one order everywhere. */
export async function lockChosenRuns(db: MonitorDb): Promise<void> {
  await sql`select 1 from run where id in (select run_id from chosen) order by id for no key update`.execute(
    db,
  )
}
