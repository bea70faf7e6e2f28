import { type RawBuilder, sql } from 'kysely'
import type { Selection } from '@clearway/contract/kit/selection.ts'
import { type IssueBatch, maxNamedScans } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import { raiseWorkMemory } from '../../../kit/database.ts'
import type { MonitorDb } from '../../database.ts'
import { analyzeTable, lockScans, selectIssueColumns, selectNewestFinding, updateChosenToNewest } from '../chosen/store.ts'
import { severities, severityColumns } from '../model.ts'
import { buildConditions, buildFromClause, hasOnlyOpen, type IssueListFilter, type RunsInView } from '../filter/store.ts'

/** `visibleScans` of the access store. */
export type VisibleScans = RawBuilder<{ scan_id: string; rank: number }>

/** The scope of a bulk call: named issues, or issues that match filters in the runs in view. */
export type SelectedIssues = { visible: VisibleScans; runs: RunsInView; filters: IssueListFilter; selection: Selection }

/**
 * A table expression (run_id, issue_id, scan_id, rank, severity, change) of the selected findings; no id leaves the
 * database. A named issue stands for its finding in the run of the filter, or else for its newest finding.
 */
export function selectedFindings({ visible, runs, filters, selection }: SelectedIssues): RawBuilder<unknown> {
  if (!selection.selectAllMode)
    return sql`(select f.run_id, i.id as issue_id, i.scan_id, v.rank, f.severity, f.change from issue i
      join ${visible} v on v.scan_id = i.scan_id
      join lateral (${selectNewestFinding(filters.runNumber)}) f on true
      where i.id = any(${[...selection.ids]}::uuid[]))`
  const exclusion = selection.except.length > 0 ? sql`and f.issue_id <> all(${[...selection.except]}::uuid[])` : sql``
  return sql`(select f.run_id, f.issue_id, r.scan_id, r.rank, f.severity, f.change ${buildFromClause(runs, filters)}
    where ${buildConditions(filters, { severity: false })} ${exclusion})`
}

/** Rank up to which a caller may change the selected issues, and the part of the selection to change; undefined for all of it. */
export type SelectedRange = { rank: number; batch?: IssueBatch | undefined }

/** The selected findings of a run `v` in view, as `selectedFindings`. */
const selectedOfRun = (selected: SelectedIssues) => selectedFindings({ ...selected, runs: sql<{ run_id: string }>`(select v.*)` })

/** Ids of scan and issue of a `BatchPosition`. */
const toIds = (position: string) => position.split('.').map((id) => sql`${id}::uuid`)
const toTuple = (position: string) => sql`(${sql.join(toIds(position))})`
const toScanId = (position: string) => toIds(position)[0]!
/** Position after all issues of the scan `counted`. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const afterScan = sql<string>`counted.scan_id || ${sql.lit(`.${lastId}`)}`

/** Condition for the selected findings `s` of a part of a selection. */
const isInRange = ({ after, until }: Pick<IssueBatch, 'after' | 'until'>) =>
  sql<boolean>`(${after === undefined ? sql`true` : sql`(s.scan_id, s.issue_id) > ${toTuple(after)}`}
    and ${until === undefined ? sql`true` : sql`(s.scan_id, s.issue_id) <= ${toTuple(until)}`})`

/** The selected findings in the order of scan and issue, as (scan_id, issue_id, rank). Scans beyond the maximum are not read. */
function selectInOrder(selected: SelectedIssues, { size: maxCount, after, until }: IssueBatch): RawBuilder<unknown> {
  const isScanInRange = sql`${after === undefined ? sql`true` : sql`r.scan_id >= ${toScanId(after)}`}
    and ${until === undefined ? sql`true` : sql`r.scan_id <= ${toScanId(until)}`}`
  const selectFirst = (findings: RawBuilder<unknown>) => sql`select distinct s.scan_id, s.issue_id, s.rank from ${findings} s
    where ${isInRange({ after, until })} order by s.scan_id, s.issue_id limit ${maxCount}::int`
  if (!selected.selection.selectAllMode) return sql`(${selectFirst(selectedFindings(selected))})`
  return sql`(select s.* from (select * from ${selected.runs} r where ${isScanInRange} order by r.scan_id offset 0) v
    cross join lateral (${selectFirst(selectedOfRun(selected))}) s
    order by v.scan_id, s.issue_id limit ${maxCount}::int)`
}

/** Scans with issues to change, and the condition for the selected findings `s` of a part, which are in the scans to read. */
type ChosenPart = { scanIds: string[]; readScanIds?: string[]; isChosen: RawBuilder<boolean>; next: string | null }

/** The scans with issues to change, run by run up to the first of these issues. */
async function findWhole(db: MonitorDb, selected: SelectedIssues, maxRank: number): Promise<ChosenPart> {
  const hasRank = sql`s.rank <= ${maxRank}::int`
  const { rows: scanRows } = await sql<{ id: string }>`${
    selected.selection.selectAllMode
      ? sql`select distinct v.scan_id as id from (select * from ${selected.runs} r offset 0) v
          where exists (select from ${selectedOfRun(selected)} s where ${hasRank})`
      : sql`select distinct s.scan_id as id from ${selectedFindings(selected)} s where ${hasRank}`
  }`.execute(db)
  return { scanIds: scanRows.map(({ id }) => id), isChosen: sql`true`, next: null }
}

/** Condition for a `run` whose counts are those of its findings. */
const hasCounts = sql<boolean>`(run.ended_at is not null and run.archived_at is null and run.rechecked = 0)`

/**
 * The scans of a selection of all open issues, also of some severities, as (scan_id, rank, issues), by the counts of their runs:
 * findings are read only where these are not current. Null for another selection.
 */
function selectCountedScans(selected: SelectedIssues): RawBuilder<unknown> | null {
  const { runs, filters, selection } = selected
  if (!selection.selectAllMode || selection.except.length > 0 || !hasOnlyOpen(filters)) return null
  const countColumns = severityColumns.filter(
    (_name, place) => filters.severity.length === 0 || filters.severity.includes(severities[place]!),
  )
  return sql`(select v.scan_id, v.rank, case when ${hasCounts}
      then ${sql.join(
        countColumns.map((name) => sql.ref(`run.${name}`)),
        sql` + `,
      )} else (select count(*) from ${selectedOfRun(selected)} s) end::int as issues
    from ${runs} v join run on run.id = v.run_id)`
}

/** Maximum number of scans of a batch that is found by counts. */
const maxCountedScans = 100

/**
 * A batch by counts, which reads no findings: the scans that fit as a whole. Null for other selections, and if the next scan is too
 * large.
 */
async function findCountedBatch(
  db: MonitorDb,
  selected: SelectedIssues,
  { rank: maxRank, batch: { size: maxCount, after, until } }: { rank: number; batch: IssueBatch },
): Promise<ChosenPart | null> {
  const countedScans = selectCountedScans(selected)
  if (countedScans === null) return null
  const isScanInRange = sql`${after === undefined ? sql`true` : sql`c.scan_id ${after.endsWith(lastId) ? sql`>` : sql`>=`} ${toScanId(after)}`}
    and ${until === undefined ? sql`true` : sql`c.scan_id <= ${toScanId(until)}`}`
  const { rows: scanRows } = await sql<{ id: string; rank: number; issues: number }>`
    select c.scan_id as id, c.rank, c.issues from ${countedScans} c where ${isScanInRange} and c.issues > 0
    order by c.scan_id limit ${maxCountedScans + 1}::int`.execute(db)
  let takenCount = 0
  const takenScans: typeof scanRows = []
  for (const scan of scanRows.slice(0, maxCountedScans)) {
    takenCount += scan.issues
    if (takenCount > maxCount) break
    takenScans.push(scan)
  }
  const isLast = takenScans.length === scanRows.length
  const lastScan = takenScans.at(-1)
  if (!isLast && !lastScan) return null
  return {
    scanIds: takenScans.filter(({ rank }) => rank <= maxRank).map(({ id }) => id),
    readScanIds: takenScans.map(({ id }) => id),
    isChosen: isInRange({ after, until }),
    next: isLast || !lastScan ? null : `${lastScan.id}.${lastId}`,
  }
}

/** The scans of a batch, and its end: after a whole scan if that leaves three quarters of it, since counts of a scan in two batches are counted twice. */
async function findBatch(
  db: MonitorDb,
  selected: SelectedIssues,
  { rank: maxRank, batch }: { rank: number; batch: IssueBatch },
): Promise<ChosenPart> {
  const { rows: batchRows } = await sql<{
    scanIds: string[]
    readScanIds: string[]
    isFull: boolean
    first: string | null
    last: string | null
  }>`
    with filled as materialized ${selectInOrder(selected, batch)},
    bounds as (select count(*) as issues, count(*) filter (where filled.scan_id = last.scan_id) as cut, last.scan_id as last_scan
      from filled, (select scan_id from filled order by scan_id desc limit 1) last group by last.scan_id),
    batch as materialized (select filled.* from filled, bounds
      where issues < ${batch.size}::int or cut * 4 > issues or scan_id <> last_scan)
    select coalesce(array_agg(distinct scan_id) filter (where rank <= ${maxRank}::int), '{}') as "scanIds",
      (select count(*) = ${batch.size}::int from filled) as "isFull",
      coalesce(array_agg(distinct scan_id), '{}') as "readScanIds",
      (select scan_id || '.' || issue_id from batch order by scan_id, issue_id limit 1) as first,
      (select scan_id || '.' || issue_id from batch order by scan_id desc, issue_id desc limit 1) as last from batch`.execute(db)
  const { scanIds, readScanIds, isFull, first: firstPosition, last: lastPosition } = batchRows[0]!
  if (firstPosition === null || lastPosition === null) return { scanIds, readScanIds, isChosen: sql`false`, next: null }
  const isChosen = sql<boolean>`((s.scan_id, s.issue_id) between ${toTuple(firstPosition)} and ${toTuple(lastPosition)})`
  return { scanIds, readScanIds, isChosen, next: isFull ? lastPosition : null }
}

/** The number of selected issues and of their scans, the names of the scans with the most of them, and the end of the first half. */
export async function countSelected(db: MonitorDb, selected: SelectedIssues) {
  const { rows: countRows } = await sql<{ count: number; scans: number; scanNames: string[]; middle: string | null }>`
    select coalesce(sum(issues), 0)::int as count, count(*) as scans,
      coalesce((array_agg(scan.name order by issues desc, scan.name))[:${maxNamedScans}::int], '{}') as "scanNames",
      (array_agg(${afterScan} order by abs(total - 2 * total_until), counted.scan_id) filter (where total_until < total))[1] as middle
    from (
      select scan_id, issues, sum(issues) over () as total, sum(issues) over (order by scan_id) as total_until
      from ${
        selectCountedScans(selected) ??
        sql`(select scan_id, count(*) as issues from ${selectedFindings(selected)} s group by scan_id)`
      } by_scan where issues > 0) counted
    join scan on scan.id = counted.scan_id`.execute(db)
  return countRows[0]!
}

/**
 * Puts a part of the selection into a table of this transaction, `chosen`: each issue, with its newest finding. Issues above
 * `rank` are only counted. With `isLocked`, locks the scans with issues to change against the storing of pages, and no others: an
 * issue of another scan matches only since the locks were taken, and is left out.
 */
export async function createChosenTable(
  db: MonitorDb,
  selected: SelectedIssues,
  range: SelectedRange,
  { isLocked }: { isLocked: boolean },
): Promise<{ taken: number; skipped: number; next: string | null }> {
  const { rank: maxRank, batch } = range
  const part = batch
    ? ((await findCountedBatch(db, selected, { rank: maxRank, batch })) ??
      (await findBatch(db, selected, { rank: maxRank, batch })))
    : isLocked
      ? await findWhole(db, selected, maxRank)
      : null
  if (isLocked) await lockScans(db, sql`(select unnest(${part!.scanIds}::uuid[]) as scan_id)`)
  const isInPart = part
    ? sql`${part.isChosen} and (s.rank > ${maxRank}::int or s.scan_id = any(${part.scanIds}::uuid[]))`
    : sql`true`
  // Read first: with the joins of the visible scans, a planner would look up findings and their issues in the wrong order.
  const runsInView = sql`with run_in_view as materialized (select * from ${selected.runs} r
    where ${part?.readScanIds ? sql`r.scan_id = any(${part.readScanIds}::uuid[])` : sql`true`})`
  // Apart from the issues: the planner expects few findings, and would look up each issue by itself.
  await sql`create temporary table picked on commit drop as
    ${selected.selection.selectAllMode ? runsInView : sql``}
    select s.issue_id, s.scan_id, s.rank, s.run_id, s.severity, s.change
    from ${selectedFindings({ ...selected, runs: sql<{ run_id: string }>`run_in_view` })} s where ${isInPart}`.execute(db)
  const hasRank = sql`rank <= ${maxRank}::int`
  const { rows: countRows } = await sql<{ taken: number; skipped: number; scanIds: string[]; runIds: string[] }>`
    select coalesce(sum(issues) filter (where ${hasRank}), 0)::int as taken, coalesce(sum(issues) filter (where not ${hasRank}), 0)::int as skipped,
      coalesce(array_agg(distinct scan_id), '{}') as "scanIds", coalesce(array_agg(distinct run_id) filter (where ${hasRank}), '{}') as "runIds"
    from (select scan_id, run_id, rank, count(*) as issues from picked group by scan_id, run_id, rank) run_of_issues`.execute(db)
  const { scanIds, runIds, ...counts } = countRows[0]!
  // Sorting and joining 100,000 issues takes some 15 MB. Set only here, where each statement has one process: parallel
  // processes share memory in /dev/shm, which is small in containers.
  await raiseWorkMemory(db, 32)
  await sql`create temporary table chosen on commit drop as
    select p.issue_id, p.scan_id, p.run_id, p.severity, p.change, ${selectIssueColumns}
    from picked p join issue i on i.id = p.issue_id and i.scan_id = any(${scanIds}::uuid[])
    where p.rank <= ${maxRank}::int`.execute(db)
  await sql`drop table picked`.execute(db)
  await analyzeTable(db, 'chosen')
  await updateChosenToNewest(db, runIds)
  return { ...counts, next: part?.next ?? null }
}
