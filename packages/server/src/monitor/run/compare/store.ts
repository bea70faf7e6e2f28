import type * as z from 'zod/mini'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type {
  ComparedIssue,
  ComparedIssueSide,
  ComparedIssuesQuery,
  ComparedPagesQuery,
  ComparedSide,
  GroupQuery,
  SelectorQuery,
} from '@clearway/contract/monitor/run/schema.ts'
import { joinConditions, buildContainsPattern, buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import { isDecided, isOpen, isUnchecked, storedLiterals } from '../../issue/table.ts'
import { selectCommonFigures } from '../../page/table.ts'

type SideCounts = { onlyHere: number; both: number; onlyThere: number }
export type ComparedCounts = SideCounts & {
  /** Issues of one side that the other run found, too, but that are not open there because of a decision. */
  ignoredThere: number
  ignoredHere: number
  /** Issues on one side only that only the other rule set caused. */
  ruleSetHere: number
  ruleSetThere: number
  /** Issues on one side only that the other run did not test again. */
  uncheckedThere: number
  uncheckedHere: number
}
export type ComparedRule = ComparedCounts & { rule: string; help: string; severity: number }
export type ComparedRun = { id: string; tags: readonly string[]; isDriven: boolean }

/** Condition for a finding missing in the other run only by the rule set: the rule was off, or the page is identical. */
const isCausedByRuleSet = (pageKey: RawBuilder<unknown>, run: ComparedRun, other: ComparedRun) => sql<boolean>`(
  coalesce(t.drive_level, 0) > 0 and not ${other.isDriven} or not (select tags from rule where id = t.rule_id) && ${[...other.tags]}::text[] or exists (
    select from page p join page q on q.run_id = ${other.id} and q.key_hash = p.key_hash
    where p.run_id = ${run.id} and p.key_hash = ${pageKey} and p.content_hash = q.content_hash))`

/**
 * Open issues of two runs by rule and severity: only in the first, in both, only in the second. The index on
 * findings starts with the run, so each side is read once, in the order of issues.
 * Issues that a run did not test again are in neither of its counts; the other run's count tells their number.
 * @param runs.ruleSetChanged true when their rule sets differ; otherwise nothing is attributed to rule sets
 */
export async function countComparedIssues(
  db: MonitorDb,
  runs: { here: ComparedRun; there: ComparedRun; ruleSetChanged: boolean },
): Promise<ComparedRule[]> {
  const { here, there, ruleSetChanged } = runs
  const selectOpenIssues = ({ id }: ComparedRun) => sql`(select issue_id, rule_id, severity, drive_level,
      case when ${isOpen()} then page_key end as page_key, ${isUnchecked()} as is_unchecked, ${isDecided()} as is_decided
    from (select issue_id, rule_id, severity, drive_level, status, change, page_key from finding where run_id = ${id} offset 0) f
    where ${isOpen()} or ${isUnchecked()} or ${isDecided()})`
  const countByRuleSet = (condition: RawBuilder<boolean>, pageKey: RawBuilder<unknown>, run: ComparedRun, other: ComparedRun) =>
    ruleSetChanged ? sql`count(*) filter (where ${condition} and ${isCausedByRuleSet(pageKey, run, other)})::int` : sql`0`
  const { rows: ruleRows } = await sql<ComparedRule>`
    select rule.name as rule, min(rule.help) as help, t.severity,
      sum(only_here)::int as "onlyHere", sum(in_both)::int as "both", sum(only_there)::int as "onlyThere",
      sum(rule_set_here)::int as "ruleSetHere", sum(rule_set_there)::int as "ruleSetThere",
      sum(unchecked_there)::int as "uncheckedThere", sum(unchecked_here)::int as "uncheckedHere",
      sum(ignored_there)::int as "ignoredThere", sum(ignored_here)::int as "ignoredHere"
    from (
      select rule_id, severity, count(*) filter (where there is null and not decided_there) as only_here,
        count(*) filter (where here is not null and there is not null) as in_both,
        count(*) filter (where here is null and not decided_here) as only_there,
        count(*) filter (where there is null and decided_there) as ignored_there,
        count(*) filter (where here is null and decided_here) as ignored_here,
        ${countByRuleSet(sql`there is null and not decided_there`, sql`here`, here, there)} as rule_set_here,
        ${countByRuleSet(sql`here is null and not decided_here`, sql`there`, there, here)} as rule_set_there,
        count(*) filter (where there is null and unchecked_there) as unchecked_there,
        count(*) filter (where here is null and unchecked_here) as unchecked_here
      from (select coalesce(a.rule_id, b.rule_id) as rule_id, coalesce(a.severity, b.severity) as severity,
          coalesce(a.drive_level, b.drive_level) as drive_level,
          a.page_key as here, b.page_key as there, a.is_unchecked as unchecked_here, b.is_unchecked as unchecked_there,
          coalesce(a.is_decided, false) as decided_here, coalesce(b.is_decided, false) as decided_there
        from ${selectOpenIssues(here)} a full join ${selectOpenIssues(there)} b on b.issue_id = a.issue_id
        where a.page_key is not null or b.page_key is not null) t group by 1, 2) t
    join rule on rule.id = t.rule_id group by rule.name, t.severity order by rule.name, t.severity`.execute(db)
  return ruleRows
}

type NumberedRun = { id: string; number: number }
type ComparedSides = { here: NumberedRun; there: NumberedRun }
/** The run shown on a side, and the run to compare it with. */
const getComparedSides = (side: ComparedSide, { here, there }: ComparedSides) =>
  side === 'onlyThere' ? { shown: there, against: here } : { shown: here, against: there }
const existsInOther = (side: ComparedSide, otherFindings: RawBuilder<unknown>) =>
  side === 'both' ? sql`exists ${otherFindings}` : sql`not exists ${otherFindings}`

export type ListedIssue = Omit<z.output<typeof ComparedIssue>, 'severity'> & { severity: number }

/** Condition for open findings `f` of a run, against the other run, on one side of a comparison. */
function isOnSide(side: ComparedIssueSide, otherRunId: RawBuilder<unknown>): RawBuilder<boolean> {
  const selectOther = (condition: RawBuilder<boolean>) =>
    sql`(select from finding b where b.run_id = ${otherRunId} and b.issue_id = f.issue_id and ${condition})`
  if (side === 'both') return sql`exists ${selectOther(isOpen('b'))}`
  if (side === 'ignored') return sql`exists ${selectOther(isDecided('b'))}`
  return sql`not exists ${selectOther(sql`(${isOpen('b')} or ${isDecided('b')})`)}`
}

/** Open issues on one side of two runs, as counted by `countComparedIssues`. */
export async function listComparedIssues(
  db: MonitorDb,
  { here, there }: ComparedSides,
  query: z.output<typeof ComparedIssuesQuery>,
): Promise<{ rows: ListedIssue[]; total: number }> {
  // Ignored issues may be open in either run.
  const shownRuns = { onlyHere: [here], both: [here], onlyThere: [there], ignored: [here, there] }[query.side]
  const otherRunId = sql`(case f.run_id when ${here.id}::uuid then ${there.id}::uuid else ${here.id}::uuid end)`
  const findingsFromClause = sql`from finding f join rule on rule.id = f.rule_id
    where f.run_id = any(${shownRuns.map(({ id }) => id)}::uuid[]) and ${isOpen('f')} and ${isOnSide(query.side, otherRunId)}
      and ${query.rule === undefined ? sql`true` : sql`rule.name = ${query.rule}`}
      and ${
        query.notRechecked === undefined
          ? sql`true`
          : sql`exists (select from finding b
        where b.run_id = ${otherRunId} and b.issue_id = f.issue_id and ${isUnchecked('b')}) = ${query.notRechecked}`
      }`
  const { rows: issueRows } = await sql<ListedIssue & { total: number }>`
    with found as materialized (
      select f.issue_id, f.run_id, f.severity, f.evidence, f.page_id, ${otherRunId} as other_id, rule.name, rule.help
      ${findingsFromClause}),
    listed as (
      select found.*, p.url from found join page p on p.id = found.page_id
      order by severity, name, p.url, issue_id ${buildLimitClause(query)})
    select c.total, l.issue_id as "issueId", l.name as rule, l.help, l.severity, e.selector, l.url as "pageUrl",
      case l.run_id when ${here.id}::uuid then ${here.number}::int else ${there.number}::int end as "runNumber",
      exists (select from finding b where b.run_id = l.other_id and b.issue_id = l.issue_id and ${isUnchecked('b')})
        as "isNotRechecked"
    from (select count(*)::int as total from found) c left join listed l on true left join evidence e on e.hash = l.evidence
    order by l.severity, l.name, l.url, l.issue_id`.execute(db)
  return { rows: issueRows.filter((row) => row.issueId !== null), total: issueRows[0]!.total }
}

/** Completed pages on one side of two runs, as counted by `countComparedPages`. */
export async function listComparedPages(db: MonitorDb, sides: ComparedSides, query: z.output<typeof ComparedPagesQuery>) {
  const { shown: shownRun, against: otherRun } = getComparedSides(query.side, sides)
  const otherPages = sql`(select from page q
    where q.run_id = ${otherRun.id} and q.key_hash = p.key_hash and q.status = 'completed')`
  const { rows: pageRows } = await sql<{ pageId: string; url: string; title: string | null; total: number }>`
    with found as materialized (
      select distinct on (p.key_hash) p.id, p.url, p.title from page p
      where p.run_id = ${shownRun.id} and p.status = 'completed' and ${existsInOther(query.side, otherPages)} order by p.key_hash, p.id),
    listed as (select * from found order by url, id ${buildLimitClause(query)})
    select c.total, l.id as "pageId", l.url, l.title
    from (select count(*)::int as total from found) c left join listed l on true order by l.url, l.id`.execute(db)
  return { rows: pageRows.filter((row) => row.pageId !== null), total: pageRows[0]!.total, runNumber: shownRun.number }
}

/** Completed pages of two runs: only in the first, in both, only in the second. */
export async function countComparedPages(db: MonitorDb, runId: string, otherRunId: string): Promise<SideCounts> {
  const selectPageKeys = (runId: string) =>
    sql`(select distinct key_hash from page where run_id = ${runId} and status = 'completed')`
  const { rows: countRows } = await sql<SideCounts>`
    select count(*) filter (where b.key_hash is null) as "onlyHere",
      count(*) filter (where a.key_hash is not null and b.key_hash is not null) as "both",
      count(*) filter (where a.key_hash is null) as "onlyThere"
    from ${selectPageKeys(runId)} a full join ${selectPageKeys(otherRunId)} b on b.key_hash = a.key_hash`.execute(db)
  return countRows[0]!
}

/** Difference of the scores of two runs on the pages that both tested; null if there are none. */
export async function computeCommonScore(db: MonitorDb, runId: string, otherRunId: string): Promise<number | null> {
  const { rows: scoreRows } = await sql<{ score: number | null }>`
    select score from ${selectCommonFigures(sql`${runId}::uuid`, sql`${otherRunId}::uuid`)} common`.execute(db)
  return scoreRows[0]!.score
}

type DatabaseDeps = { db: MonitorDb }
type IssueGroupQuery = z.output<typeof GroupQuery>

export type GroupRow = {
  component: string
  groupId: string
  rule: string
  help: string
  impact: number | null
  severity: number
  selector: string
  pages: number
  issues: number
  issueId: string
}

/** Condition for open issues of a run, optionally with needs-review results. */
const isCounted = (runId: string, includesReview: boolean): RawBuilder<boolean> =>
  sql`f.run_id = ${runId} and ${isOpen('f')} and ${includesReview ? sql`true` : sql`f.severity < ${storedLiterals.severity.review}`}`

const sortColumns = {
  pages: sql`pages`,
  issues: sql`issues`,
  severity: sql`severity`,
  rule: sql`rule`,
  selector: sql`selector`,
}

async function listGroups(db: MonitorDb, foundGroups: RawBuilder<unknown>, query: IssueGroupQuery) {
  const searchPattern = query.search && buildContainsPattern(query.search)
  const searchFilter = searchPattern
    ? sql`rule ilike ${searchPattern} or help ilike ${searchPattern} or selector ilike ${searchPattern}`
    : sql`true`
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`severity, pages desc`, sql`"issueId"`)
  const { rows: groupRows } = await sql<GroupRow & { count: number }>`
    with found as (${foundGroups}),
    shown as (
      select found.*, rule.name as rule, rule.help, e.selector from found
      join finding one on one.run_id = found.run_id and one.issue_id = found."issueId"
      join rule on rule.id = one.rule_id join evidence e on e.hash = one.evidence)
    select shown.*, count(*) over () as count from shown where ${searchFilter} ${orderClause} ${buildLimitClause(query)}`.execute(
    db,
  )
  return { rows: groupRows, total: groupRows[0]?.count ?? 0 }
}

const groupColumns = sql`f.run_id, count(*)::int as issues, count(distinct f.page_key)::int as pages,
  min(f.severity)::int as severity, min(f.impact)::int as impact, min(f.issue_id::text)::uuid as "issueId"`

/** Findings with the same rule and element on at least two pages: one problem of a template. */
export const listViolationGroups = ({ db }: DatabaseDeps, runId: string, query: IssueGroupQuery) =>
  listGroups(
    db,
    sql`select f.group_id as "groupId", '' as component, ${groupColumns} from finding f
      where ${isCounted(runId, query.includeNeedsReview)}
      group by f.run_id, f.group_id having count(distinct f.page_key) > 1`,
    query,
  )

/** Issues inside common components, each once with the number of its pages. */
export const listCommonIssues = ({ db }: DatabaseDeps, runId: string, query: IssueGroupQuery) =>
  listGroups(
    db,
    sql`select f.group_id as "groupId", i.component, ${groupColumns}
      from issue i join finding f on f.run_id = ${runId} and f.issue_id = i.id
      where i.scan_id = (select scan_id from run where id = ${runId}) and i.component is not null
        and ${isCounted(runId, query.includeNeedsReview)}
      group by f.run_id, i.component, f.group_id`,
    query,
  )

export type SelectorRow = { selector: string; issues: number; pages: number; rules: string[]; severity: number }

export async function listSelectors({ db }: DatabaseDeps, runId: string, query: z.output<typeof SelectorQuery>) {
  const { selector: selectorColumn, issues: issuesColumn, pages: pagesColumn, severity: severityColumn } = sortColumns
  const orderClause = buildOrderClause(
    { selector: selectorColumn, issues: issuesColumn, pages: pagesColumn, severity: severityColumn },
    query.sort,
    sql`issues desc, severity`,
    sql`selector`,
  )
  const { rows: selectorRows } = await sql<SelectorRow & { count: number }>`
    select t.*, count(*) over () as count from (
      select e.selector, count(*)::int as issues, count(distinct f.page_key)::int as pages,
        array_agg(distinct rule.name order by rule.name) as rules, min(f.severity)::int as severity
      from finding f join evidence e on e.hash = f.evidence join rule on rule.id = f.rule_id
      where ${joinConditions([
        isCounted(runId, query.includeNeedsReview),
        query.search && sql`e.selector ilike ${buildContainsPattern(query.search)}`,
      ])}
      group by e.selector) t ${orderClause} ${buildLimitClause(query)}`.execute(db)
  return { rows: selectorRows.map(({ count: _count, ...selectorRow }) => selectorRow), total: selectorRows[0]?.count ?? 0 }
}
