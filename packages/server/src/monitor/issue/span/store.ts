import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type { StoredPage } from '../model.ts'
import { buildStatusWrites, joinStatusSpan, storedOfPut } from '../status/store.ts'
import { impliedStatus, isPresent, openEnd, storedLiterals } from '../table.ts'

// A finding is stored once per span of equal runs; the view `finding` shows each run. An unchanged finding writes nothing.

const {
  new: newChange,
  back: backChange,
  still: stillChange,
  fixed: fixedChange,
  'not-rechecked': notRechecked,
  'page-gone': pageGone,
} = storedLiterals.change

/** Columns of a finding that a span keeps, without `change`. */
const valueColumns = [
  'page_key',
  'last_page_id',
  'group_id',
  'rule_id',
  'severity',
  'impact',
  'evidence',
  'picture',
  'picture_box',
  'drive_level',
  'states',
]
const listColumns = (columns: readonly string[], alias?: string) =>
  sql.raw(columns.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(', '))

/** Condition for a span that the row `seen` of its run continues. */
const isContinued = (span: string, seen: string) => {
  const seenColumn = (name: string) => sql.ref(`${seen}.${name}`)
  return sql`(case
    when ${seenColumn('change')} <= ${backChange} then ${isPresent(span)} and (${seenColumn('change')} = ${stillChange}
      or (${sql.ref(`${span}.first_run`)} = ${seenColumn('number')} and ${sql.ref(`${span}.change`)} = ${seenColumn('change')}))
    else ${sql.ref(`${span}.change`)} = ${seenColumn('change')}
      and (${seenColumn('change')} = ${notRechecked} or ${sql.ref(`${span}.until_run`)} = ${seenColumn('number')}) end
  and (${listColumns(valueColumns, span)}) is not distinct from (${listColumns(valueColumns, seen)}))`
}

/**
 * Condition for a span that a run, not archived, has seen: the one of the view of findings, for statements that know the run and
 * the issue. The view would look among all runs of the scan for each issue.
 */
export function isSpanOfRun(span: string, run: string): RawBuilder<boolean> {
  const spanColumn = (name: string) => sql.ref(`${span}.${name}`)
  const runColumn = (name: string) => sql.ref(`${run}.${name}`)
  return sql`(${runColumn('scan_id')} = ${spanColumn('scan_id')} and ${runColumn('archived_at')} is null
    and ${runColumn('number')} between ${spanColumn('first_run')} and ${spanColumn('until_run')}
    and (${runColumn('judged')} or (${isPresent(span)} and is_page_completed(${runColumn('id')}, ${spanColumn('page_key')}))))`
}

/** Change of a span in a run that has seen it, as in the view of findings. */
export const changeInRun = (span: string, run: string): RawBuilder<number> => sql`(case
  when ${sql.ref(`${span}.change`)} in (${newChange}, ${backChange}) and ${sql.ref(`${span}.first_run`)} < ${sql.ref(`${run}.number`)}
    then ${stillChange} else ${sql.ref(`${span}.change`)} end)::smallint`

/** The newest run that saw a span and has not been archived. @returns a table expression with the columns of `run` */
export function selectNewestRun(span: string): RawBuilder<unknown> {
  return sql`(
    select run.* from run where ${isSpanOfRun(span, 'run')} order by run.number desc limit 1)`
}

/** Condition for an issue `i` that the newest run found. */
export const isSeenByNewest = sql`exists (select from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id
  and s.until_run = ${openEnd} and ${isPresent('s')})`

/** Number of the newest run that found the issue `i`, as (number). */
export const selectLastSeenRun = sql`(
  select newest.number from (select * from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id and ${isPresent('s')}
    order by s.until_run desc limit 1) s
  cross join lateral ${selectNewestRun('s')} newest)`

/** Condition for a later run of the scan `scan` that has visited a page, or has ended. */
export const hasLaterRun = (number: string, pageKey: string) => sql`(scan.run_count > ${sql.ref(number)} and exists (
  select from run later where later.scan_id = scan.id and later.number > ${sql.ref(number)} and (later.judged or is_page_completed(later.id, ${sql.ref(pageKey)}))))`

/** Condition for a span that includes the run with the number of another row. */
const isCovering = (span: string, row: string) =>
  sql`(${sql.ref(`${span}.first_run`)} <= ${sql.ref(`${row}.number`)} and ${sql.ref(`${span}.until_run`)} >= ${sql.ref(`${row}.number`)})`

/** Condition for the stored span `s` of a row that names it. */
const isSpanOf = (row: string) =>
  sql`(${sql.join(
    ['issue_id', 'scan_id', 'first_run', 'until_run'].map(
      (column) => sql`${sql.ref(`s.${column}`)} = ${sql.ref(`${row}.${column}`)}`,
    ),
    sql` and `,
  )})`

/** Condition for a row of `put` whose run has a span of its issue. */
const isPutCovered = sql`exists (select from finding_span c
  where c.issue_id = put.issue_id and c.scan_id = put.scan_id and ${isCovering('c', 'put')})`

/** Condition for a row of `put`, as in `writeSpans`, that is stored as it is: nothing of it has to be written. */
export const isStored = (put: string): RawBuilder<boolean> => sql`exists (
  select from finding_span s ${joinStatusSpan(put)}
  where s.issue_id = ${sql.ref(`${put}.issue_id`)} and s.scan_id = ${sql.ref(`${put}.scan_id`)} and ${isCovering('s', put)}
    and ${isContinued('s', put)} and coalesce(t.status, ${impliedStatus(sql.ref(`${put}.change`))}) = ${sql.ref(`${put}.status`)})`

const insertSpans = sql`insert into finding_span (issue_id, scan_id, first_run, until_run, change, ${listColumns(valueColumns)})`

/** Change of a span in the runs after its first one. */
export const laterChange = (span: string) =>
  sql`(case when ${isPresent(span)} then ${stillChange} else ${sql.ref(`${span}.change`)} end)`

/** No issues, for `writeSpans`. */
export const noIssues = sql`(select null::uuid as issue_id, null::uuid as scan_id, null::int as number where false)`

/**
 * Parts of a `with` clause that store what a run saw of issues: `put` are its findings, `removed` the issues that it did not
 * see. Other runs keep what they saw. The caller holds the lock of the pages or of the scan.
 * @param put a table expression with issue_id, scan_id, number, status, change and `valueColumns`
 * @param removed a table expression (issue_id, scan_id, number) of issues that are not in `put`
 */
export const writeSpans = (put: RawBuilder<unknown>, removed: RawBuilder<unknown> = noIssues): RawBuilder<unknown> => sql`
  put as materialized (select * from ${put} p),
  -- What the run has seen of the issues so far, with what it sees now. Tables of many rows are not joined with each other:
  -- without statistics, a planner would compare all rows.
  span_edit as materialized (
    select edit.*, s.first_run, s.until_run, later.is_there as has_later,
      case when edit.change in (${fixedChange}, ${pageGone}) or later.is_there then edit.number else ${openEnd} end as end_run
    from (
      select issue_id, scan_id, number, true as is_put, change, ${listColumns(valueColumns)} from put
      union all select r.issue_id, r.scan_id, r.number, false, none.* from ${removed} r
        left join (select change, ${listColumns(valueColumns)} from finding_span where false) none on true) edit
    join scan on scan.id = edit.scan_id
    join finding_span s on s.issue_id = edit.issue_id and s.scan_id = edit.scan_id and ${isCovering('s', 'edit')}
    cross join lateral (select ${hasLaterRun('edit.number', 's.page_key')} as is_there) later
    where not edit.is_put or not ${isContinued('s', 'edit')}),
  -- A finding that the run lost and has again.
  span_again as materialized (
    select s.issue_id, s.scan_id, s.first_run, s.until_run from put
    join scan on scan.id = put.scan_id and not ${hasLaterRun('put.number', 'put.page_key')}
    join finding_span s on s.issue_id = put.issue_id and s.scan_id = put.scan_id and s.until_run = put.number - 1
      and put.change = ${stillChange} and ${isContinued('s', 'put')}
    where not ${isPutCovered}),
  span_joined as (update finding_span s set until_run = ${openEnd} from span_again a where ${isSpanOf('a')}),
  -- Spans that begin earlier end before the run; one that lasts is replaced in place, and its earlier part copied.
  span_ended as (
    update finding_span s set until_run = e.number - 1 from span_edit e
    where ${isSpanOf('e')} and e.first_run < e.number and not (e.is_put and e.end_run = e.until_run)),
  span_copied as (
    ${insertSpans}
    select s.issue_id, s.scan_id, s.first_run, e.number - 1, s.change, ${listColumns(valueColumns, 's')}
    from span_edit e join finding_span s on ${isSpanOf('e')}
    where e.first_run < e.number and e.is_put and e.end_run = e.until_run),
  span_replaced as (
    update finding_span s set first_run = e.number, until_run = e.end_run,
      change = case when e.change = ${stillChange} and e.first_run = e.number and s.change in (${newChange}, ${backChange}) then s.change else e.change end,
      (${listColumns(valueColumns)}) = row(${listColumns(valueColumns, 'e')})
    from span_edit e where ${isSpanOf('e')} and e.is_put and (e.first_run = e.number or e.end_run = e.until_run)),
  span_removed as (
    delete from finding_span s using span_edit e where ${isSpanOf('e')} and not e.is_put and e.first_run = e.number),
  -- Later runs keep what they saw.
  span_later as (
    ${insertSpans}
    select s.issue_id, s.scan_id, e.number + 1, s.until_run, ${laterChange('s')}, ${listColumns(valueColumns, 's')}
    from span_edit e join finding_span s on ${isSpanOf('e')} where e.has_later and e.until_run > e.number),
  span_added as (
    ${insertSpans}
    select issue_id, scan_id, number, end_run, change, ${listColumns(valueColumns)} from span_edit
    where is_put and first_run < number and end_run <> until_run
    union all
    select put.issue_id, put.scan_id, put.number,
      case when put.change in (${fixedChange}, ${pageGone}) or ${hasLaterRun('put.number', 'put.page_key')} then put.number else ${openEnd} end,
      put.change, ${listColumns(valueColumns, 'put')}
    from put join scan on scan.id = put.scan_id
    where put.issue_id not in (select issue_id from span_again) and not ${isPutCovered}),
  ${buildStatusWrites(storedOfPut, hasLaterRun('put.number', 'put.page_key'))}`

/**
 * Before pages are deleted, lets findings that were last seen on them name the newest remaining page with the same key.
 * @param pages a table expression (page_id)
 */
export async function releasePages(db: MonitorDb, pages: RawBuilder<unknown>): Promise<void> {
  await sql`update finding_span s set last_page_id = (
      select other.id from run join page other on other.run_id = run.id and other.key_hash = s.page_key
      where run.scan_id = s.scan_id and run.archived_at is null and other.id not in (select page_id from ${pages} deleted)
      order by run.number desc limit 1)
    where s.last_page_id in (select page_id from ${pages} deleted)`.execute(db)
}

/** Sets the last run that found issues, given as (issue_id), after a run lost them. */
export async function updateLastRun(db: MonitorDb, issues: RawBuilder<unknown>): Promise<void> {
  await sql`update issue i set last_run = (select number from ${selectLastSeenRun} r)
    where i.id in (select issue_id from ${issues} l) and exists (select from ${selectLastSeenRun} r)`.execute(db)
}

/** Issues that a run has on a page so far, without those of a table expression (issue_id). */
export const selectAbsent = (page: StoredPage, found: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select s.issue_id, s.scan_id, ${page.runNumber}::int as number from finding_span s
  where s.scan_id = ${page.scanId}::uuid and s.page_key = ${page.keyHash} and s.first_run <= ${page.runNumber}::int
    and s.until_run >= ${page.runNumber}::int and ${isPresent('s')} and not exists (select from ${found} found where found.issue_id = s.issue_id))`

/** Removes what a run saw of issues, given as (issue_id). */
export async function removeFromRun(
  db: MonitorDb,
  run: { scanId: string; number: number },
  issues: RawBuilder<unknown>,
): Promise<void> {
  const removedIssues = sql`(select distinct issue_id, ${run.scanId}::uuid as scan_id, ${run.number}::int as number from ${issues} i)`
  // Most pages without findings had none before. Planning the statement below takes longer than this check.
  const { rows: firstRows } = await sql`select 1 from ${removedIssues} r limit 1`.execute(db)
  if (firstRows.length === 0) return
  await sql`with ${writeSpans(noFindings, removedIssues)} select 1`.execute(db)
}
/** No findings, for `writeSpans`. */
const noFindings = sql`(select s.*, s.first_run as number, null::smallint as status from finding_span s where false)`
