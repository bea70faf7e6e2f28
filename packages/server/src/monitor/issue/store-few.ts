import type { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { MonitorDb } from '../database.ts'
import { issueStatuses, lastPresentChange, severities } from './model.ts'
import { asksFew, issueConditions, numbers, type Runs } from './store-filter.ts'
import { plainSorts } from './store-open.ts'

type Query = z.output<typeof IssueListQuery>

/**
 * Whether a list asks for the issues of some people, labels or components, as they are now, in the usual order. Issues
 * carry what such a list counts and sorts by, so that no finding is looked up but those that are shown.
 */
export const isFew = (query: Query): boolean =>
  asksFew(query) &&
  [query.pageId, query.rule, query.tag, query.change].every((list) => list.length === 0) &&
  !query.status.includes('fixed') &&
  !query.search &&
  !query.grouped &&
  query.needsReview === undefined &&
  query.runNumber === undefined &&
  plainSorts.has(query.sort.join())

/** Those issues, as (run_id, issue_id, severity): by themselves where the run in view is the scan's last, else by its findings. */
function fewIssues(runs: Runs, query: Query): RawBuilder<unknown> {
  const statuses = numbers(query.status, issueStatuses)
  const status = (of: string) =>
    statuses.length > 0 ? sql`${sql.ref(of)} = any(${statuses}::int[])` : sql`true`
  const asked = sql`issue i on i.scan_id = r.scan_id and ${issueConditions(query)}`
  return sql`
    with view as materialized (select r.run_id, r.number, r.scan_id, r.number = s.run_count as newest
      from ${runs} r join scan s on s.id = r.scan_id)
    select r.run_id, i.id as issue_id, i.severity from view r join ${asked}
      where r.newest and i.presence = 0 and i.last_run = r.number and ${status('i.status')}
    union all
    select r.run_id, i.id, f.severity from view r join ${asked}
      join lateral (select f.* from finding f where f.run_id = r.run_id and f.issue_id = i.id offset 0) f on true
      where not r.newest and f.change <= ${sql.lit(lastPresentChange)} and ${status('f.status')}`
}

/** How many there are by severity, and one page of them as (run_id, issue_id, place). */
export async function fewPage(
  db: MonitorDb,
  runs: Runs,
  query: Query,
  wanted: readonly number[],
): Promise<{ bySeverity: number[]; chosen: RawBuilder<unknown> }> {
  const direction = sql.raw(query.sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const { rows } = await sql<{ counts: Record<string, number> | null; top: object[] | null }>`
    with few as materialized (${fewIssues(runs, query)}),
    counts as (select severity, count(*) as issues from few group by severity),
    top as (select run_id, issue_id, row_number() over (order by severity ${direction}, run_id, issue_id) as place
      from few where severity = any(${[...wanted]}::int[])
      order by place limit ${query.size} offset ${query.page * query.size})
    select (select jsonb_object_agg(severity, issues) from counts) as counts,
      (select jsonb_agg(to_jsonb(top)) from top) as top`.execute(db)
  const { counts, top } = rows[0]!
  return {
    bySeverity: severities.map((_name, place) => counts?.[place] ?? 0),
    chosen: sql`select * from jsonb_to_recordset(${JSON.stringify(top ?? [])}::jsonb)
      as c (run_id uuid, issue_id uuid, place int)`,
  }
}
