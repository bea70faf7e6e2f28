import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import {
  buildIssueConditions,
  fastSorts,
  isFilteredOnlyBy,
  type IssueQuery,
  matchesFewIssues,
  type RunsInView,
  toNumbers,
} from '../filter/store.ts'
import { issueStatuses, severities } from '../model.ts'
import { isSeenByNewest } from '../span/store.ts'
import { isPresent, storedLiterals } from '../table.ts'

// Fast path of current issues of some people, labels or components in the default order: only displayed findings are looked up.

const isSmallResult = (query: IssueQuery): boolean =>
  matchesFewIssues(query) &&
  isFilteredOnlyBy(query, ['status', 'label', 'component', 'assignedTo']) &&
  !query.status.includes('fixed') &&
  !query.grouped &&
  query.runNumber === undefined &&
  fastSorts.has(query.sort.join())

/** The matching issues, as (run_id, issue_id, severity): from issues when the run in view is the newest, else from its findings. */
function selectFewIssues(runs: RunsInView, query: IssueQuery): RawBuilder<unknown> {
  const statusNumbers = toNumbers(query.status, issueStatuses)
  const buildStatusCondition = (columnName: string) =>
    statusNumbers.length > 0 ? sql`${sql.ref(columnName)} = any(${statusNumbers}::int[])` : sql`true`
  const issueJoin = sql`issue i on i.scan_id = r.scan_id and ${buildIssueConditions(query)}`
  return sql`
    with view as materialized (select r.run_id, r.scan_id, r.number = s.run_count and run.judged as newest
      from ${runs} r join scan s on s.id = r.scan_id join run on run.id = r.run_id)
    select r.run_id, i.id as issue_id, i.severity from view r join ${issueJoin}
      where r.newest and i.presence = ${storedLiterals.presence.there} and ${isSeenByNewest} and ${buildStatusCondition('i.status')}
    union all
    select r.run_id, i.id, f.severity from view r join ${issueJoin}
      join lateral (select f.* from finding f where f.run_id = r.run_id and f.issue_id = i.id offset 0) f on true
      where not r.newest and ${isPresent('f')} and ${buildStatusCondition('f.status')}`
}

/** Counts by severity, and one page of issues as (run_id, issue_id, place); null for a list outside this fast path. */
export async function readSmallPage(
  db: MonitorDb,
  runs: RunsInView,
  query: IssueQuery,
  severityNumbers: readonly number[],
): Promise<{ bySeverity: number[]; chosen: RawBuilder<unknown> } | null> {
  if (!isSmallResult(query)) return null
  const sortDirection = sql.raw(query.sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const { rows: resultRows } = await sql<{ counts: Record<string, number> | null; top: object[] | null }>`
    with few as materialized (${selectFewIssues(runs, query)}),
    counts as (select severity, count(*) as issues from few group by severity),
    top as (select run_id, issue_id, row_number() over () as place from (
      select run_id, issue_id from few where severity = any(${[...severityNumbers]}::int[])
      order by severity ${sortDirection}, run_id, issue_id limit ${query.size} offset ${query.page * query.size}) few)
    select (select jsonb_object_agg(severity, issues) from counts) as counts,
      (select jsonb_agg(to_jsonb(top)) from top) as top`.execute(db)
  const { counts: issueCounts, top: topIssues } = resultRows[0]!
  return {
    bySeverity: severities.map((_name, place) => issueCounts?.[place] ?? 0),
    chosen: sql`select * from jsonb_to_recordset(${JSON.stringify(topIssues ?? [])}::jsonb)
      as c (run_id uuid, issue_id uuid, place int)`,
  }
}
