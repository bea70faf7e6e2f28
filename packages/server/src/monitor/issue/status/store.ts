import { type RawBuilder, sql } from 'kysely'
import { impliedStatus, openEnd } from '../table.ts'

// Statuses by run, stored only where the finding of the run does not imply them. Older runs keep the status that they saw.

/** Joins rows (scan_id, issue_id, number) with the span `t` of their stored status, if they have one. */
export const joinStatusSpan = (row: string): RawBuilder<unknown> => {
  const rowColumn = (name: string) => sql.ref(`${row}.${name}`)
  return sql`left join status_span t on t.scan_id = ${rowColumn('scan_id')} and t.issue_id = ${rowColumn('issue_id')}
    and t.first_run <= ${rowColumn('number')} and t.until_run >= ${rowColumn('number')}`
}

/** The rows of `put` (issue_id, scan_id, number, change, status) with their stored statuses, for `buildStatusWrites`. */
export const storedOfPut = sql`(select put.issue_id, put.scan_id, put.number, put.page_key, put.change, put.status, t.first_run, t.until_run,
  t.status as stored from put ${joinStatusSpan('put')})`

/**
 * Parts of a `with` clause that store the statuses of findings. Other runs keep theirs.
 * @param findings a table expression (issue_id, scan_id, number, page_key, change, status) with the span that stores their status so
 *   far (first_run, until_run, stored), or nulls
 * @param hasLaterRun condition for a row `put` of these after whose run another one has seen the issue, or its absence; it may use `scan`
 * @param isAmongScans condition for the scans of the findings, so that a large part of the table is searched only within these
 */
export const buildStatusWrites = (
  findings: RawBuilder<unknown>,
  hasLaterRun: RawBuilder<unknown>,
  isAmongScans: (scanId: RawBuilder<unknown>) => RawBuilder<unknown> = () => sql`true`,
): RawBuilder<unknown> => sql`
  status_edit as materialized (
    select edit.*, edit.status = edit.implied as is_implied, case when edit.has_later then edit.number else ${openEnd} end as end_run
    from (
      select put.issue_id, put.scan_id, put.number, put.status, put.first_run, put.until_run, put.stored,
        ${impliedStatus(sql`put.change`)} as implied, ${hasLaterRun} as has_later
      from ${findings} put join scan on scan.id = put.scan_id) edit
    where coalesce(edit.stored, edit.implied) <> edit.status),
  status_ended as (
    update status_span t set until_run = e.number - 1 from status_edit e
    where ${isStatusOf('e')} and t.first_run = e.first_run and e.first_run < e.number),
  status_replaced as (
    update status_span t set status = e.status, until_run = e.end_run from status_edit e
    where ${isStatusOf('e')} and t.first_run = e.number and e.first_run = e.number and not e.is_implied),
  -- Without a later run, statuses of later runs are those of deleted ones.
  status_removed as (
    delete from status_span t using status_edit e where ${isStatusOf('e')} and ${isAmongScans(sql`t.scan_id`)}
      and ((t.first_run = e.number and e.is_implied) or (t.first_run > e.number and not e.has_later))),
  status_added as (
    insert into status_span (scan_id, issue_id, first_run, until_run, status)
    select scan_id, issue_id, number, end_run, status from status_edit
    where not is_implied and first_run is distinct from number
    union all
    select scan_id, issue_id, number + 1, until_run, stored from status_edit where has_later and until_run > number)`

/** Condition for the stored statuses `t` of the issue of a row. */
const isStatusOf = (row: string) => sql`(t.scan_id = ${sql.ref(`${row}.scan_id`)} and t.issue_id = ${sql.ref(`${row}.issue_id`)})`
