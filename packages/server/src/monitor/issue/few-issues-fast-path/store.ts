import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { buildContainsPattern, buildUrlSearch } from '../../../kit/paging.ts'
import {
  buildConditions,
  buildFromClause,
  buildIssueConditions,
  fastSorts,
  hasRuleText,
  includesAbsentFindings,
  isBegunOnly,
  isDecidedOnly,
  isFilteredOnlyBy,
  type IssueQuery,
  matchesFewIssues,
  type RunsInView,
  toNumbers,
} from '../filter/store.ts'
import { issueStatuses, severities } from '../model.ts'
import { selectPagesOfRuns } from '../../page/version/table.ts'
import { isSeenByNewest } from '../span/store.ts'
import { isPresent, storedLiterals } from '../table.ts'

// Fast paths of lists in the default order: current issues of some people, labels or components, of which only displayed findings
// are looked up; and lists with a search, of decided issues or of changes, whose findings are read once for counts and page.

const isReadOnce = (query: IssueQuery): boolean =>
  !query.grouped &&
  query.size > 0 &&
  fastSorts.has(query.sort.join()) &&
  (Boolean(query.search) || isDecidedOnly(query) || isBegunOnly(query))

/**
 * Present findings with a text, as (run_id, issue_id, severity). Those of pages with the text in their URL are looked up; the
 * findings of a run are read only if its scan has the text in a selector, or a rule has it.
 */
function selectSearched(runs: RunsInView, { search: searchText = '', ...filter }: IssueQuery): RawBuilder<unknown> {
  // Open issues are those without a decision. Reading all decisions once costs less than the status of each finding.
  const hasOpenAlone = filter.status.join() === 'open'
  const query = { ...filter, search: undefined, ...(hasOpenAlone && { status: [] }) }
  const findingFilter = buildConditions(query, { severity: true })
  return sql`
    with url_hit as materialized (select v.id, v.scan_id from page_version v where ${buildUrlSearch(sql`v.url`, searchText)}),
    selector_hit as materialized (select e.hash, e.scan_id from evidence e where e.selector ilike ${buildContainsPattern(searchText)}),
    rule_hit as materialized (select id from rule where ${hasRuleText(searchText)}),
    searched_run as materialized (select r.*, exists (select from rule_hit) or hit.scan_id is not null as is_whole
      from ${runs} r left join (select distinct scan_id from selector_hit) hit on hit.scan_id = r.scan_id),
    page_hit as materialized (select p.run_id, p.key_hash
      from ${selectPagesOfRuns(sql`(select run_id from searched_run where scan_id in (select scan_id from url_hit))`)} p
      where p.version_id in (select id from url_hit)),
    -- Joined: a planner that expects many texts would compare all of them with each finding of a condition.
    whole_finding as (
      select f.run_id, f.issue_id, f.severity, f.rule_id, f.evidence, f.page_key
      ${buildFromClause(sql`(select * from searched_run where is_whole)`, query)} where ${findingFilter} offset 0),
    text_hit as (
      select f.run_id, f.issue_id, f.severity from whole_finding f
      left join selector_hit on selector_hit.hash = f.evidence
      left join page_hit on page_hit.run_id = f.run_id and page_hit.key_hash = f.page_key
      left join rule_hit on rule_hit.id = f.rule_id
      where selector_hit.hash is not null or page_hit.run_id is not null or rule_hit.id is not null
      union all
      select f.run_id, f.issue_id, f.severity ${buildFromClause(sql`(select * from searched_run where not is_whole)`, query)}
      where ${findingFilter} and (f.run_id, f.page_key) in (select run_id, key_hash from page_hit)),
    decided as (
      select r.run_id, t.issue_id from searched_run r join status_span t on t.scan_id = r.scan_id and t.first_run <= r.number
        and t.until_run >= r.number and t.status <> ${storedLiterals.status.open} where ${hasOpenAlone ? sql`true` : sql`false`})
    -- A full join, which is never one of loops: a planner expects few findings. A condition next to it would make it a left one.
    select run_id, issue_id, severity from (
      select f.*, decided.issue_id is not null as is_decided from text_hit f
      full join decided on decided.run_id = f.run_id and decided.issue_id = f.issue_id offset 0) judged
    where issue_id is not null and not is_decided`
}

/** Findings of a list that is read once, as (run_id, issue_id, severity), of all severities. */
const selectOnce = (runs: RunsInView, query: IssueQuery): RawBuilder<unknown> =>
  query.search && !includesAbsentFindings(query) && !matchesFewIssues(query)
    ? selectSearched(runs, query)
    : sql`select f.run_id, f.issue_id, f.severity ${buildFromClause(runs, query)} where ${buildConditions(query, { severity: true })}`

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
  const isSmall = isSmallResult(query)
  if (!isSmall && !isReadOnce(query)) return null
  const sortDirection = sql.raw(query.sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const { rows: resultRows } = await sql<{ counts: Record<string, number> | null; top: object[] | null }>`
    with few as materialized (${isSmall ? selectFewIssues(runs, query) : selectOnce(runs, query)}),
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
