import { inTransaction } from '../../../kit/database.ts'
import type * as z from 'zod/mini'
import {
  type IssueFilter,
  issueFilterSchemas,
  type IssueListQuery,
  type IgnoreScope,
} from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { joinConditions, buildContainsPattern, buildLimitClause } from '../../../kit/paging.ts'
import { changes, issueStatuses, severities } from '../model.ts'
import type { MonitorDb } from '../../database.ts'
import { recountTotals } from '../recount/store.ts'
import { isOpen, isPresent, storedLiterals } from '../table.ts'
import { buildPersonName } from '../../access/table.ts'
import { findRulesByTitle } from '../../ruleset/title/model.ts'

/** Filters of a list, from a URL or a body. */
export type IssueListFilter = Omit<IssueFilter, 'scanId'> & { scanId: readonly string[] } & {
  sort?: z.output<typeof IssueListQuery>['sort']
}
/** `runsInView` of the pages' store: the runs of a list. */
export type RunsInView = RawBuilder<{ run_id: string }>

/** Maps words of the contract to their stored numbers. */
export const toNumbers = (words: readonly string[], knownWords: readonly string[]): number[] =>
  words.map((word) => knownWords.indexOf(word))
const buildAnyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
  values.length > 0 && sql<boolean>`${column} = any(${[...values]}::int[])`

/** Checks whether a filter needs columns of the issue itself, not only of its findings. */
export const needsIssue = (query: IssueListFilter): boolean =>
  query.label.length + query.component.length + query.assignedTo.length > 0 ||
  query.createdFrom !== undefined ||
  query.createdTo !== undefined

/** Checks whether a filter needs the table `rule`. */
export const needsRule = (query: IssueListFilter): boolean =>
  query.rule.length > 0 || query.tag.length > 0 || !!query.search

/** In one of these components; the empty string stands for no component. */
const buildComponentCondition = (components: readonly string[]) => {
  const isInComponent = sql`i.component = any(${components.filter((name) => name !== '')}::text[])`
  return components.includes('') ? sql`(i.component is null or ${isInComponent})` : isInComponent
}

/** Conditions on the issue itself, as `i`. */
function buildIssueConditions(query: IssueListFilter): RawBuilder<boolean> | false {
  const {
    label: labels,
    component: components,
    assignedTo: assigneeIds,
    createdFrom: createdSince,
    createdTo: createdUntil,
  } = query
  if (!needsIssue(query)) return false
  const personIds = assigneeIds.filter((id) => id !== '')
  const assigneeConditions = [
    personIds.length > 0 && sql`i.assigned_to = any(${personIds}::text[])`,
    assigneeIds.includes('') && sql`i.assigned_to is null`,
  ].filter((condition) => condition !== false)
  return joinConditions([
    labels.length > 0 && sql`i.labels && ${labels}::text[]`,
    components.length > 0 && buildComponentCondition(components),
    assigneeConditions.length > 0 && sql`(${sql.join(assigneeConditions, sql` or `)})`,
    createdSince && sql`i.first_seen_at >= ${createdSince}::timestamptz`,
    createdUntil && sql`i.first_seen_at <= ${createdUntil}::timestamptz`,
  ])
}

/** Conditions on findings, as `f`; `severity` leaves out that filter, for the counts shown next to it. */
export function buildConditions(query: IssueListFilter, exclude: { severity: boolean }): RawBuilder<boolean> {
  const { search: searchText, needsReview } = query
  const searchPattern = searchText && buildContainsPattern(searchText)
  // Absent findings appear only when explicitly requested.
  const includesAbsent = query.change.length > 0 || query.status.includes('fixed')
  return joinConditions([
    !includesAbsent && isPresent('f'),
    !exclude.severity && buildAnyOf(sql`f.severity`, toNumbers(query.severity, severities)),
    needsReview !== undefined &&
      (needsReview
        ? sql`f.severity = ${storedLiterals.severity.review}`
        : sql`f.severity < ${storedLiterals.severity.review}`),
    buildAnyOf(sql`f.status`, toNumbers(query.status, issueStatuses)),
    buildAnyOf(sql`f.change`, toNumbers(query.change, changes)),
    query.template.length > 0 && sql`f.group_id = any(${query.template}::uuid[])`,
    query.pageId.length > 0 && sql`f.page_id = any(${query.pageId}::uuid[])`,
    // Looks up pages by key: for a join, the planner would read the pages of all runs.
    query.source.length > 0 &&
      sql`(select p.source from page p where p.id = f.page_id) = any(${query.source}::text[])`,
    query.rule.length > 0 && sql`rule.name = any(${query.rule}::text[])`,
    query.tag.length > 0 && sql`rule.tags && ${query.tag}::text[]`,
    buildIssueConditions(query),
    searchPattern &&
      sql`(rule.name ilike ${searchPattern} or rule.help ilike ${searchPattern} or rule.name = any(${findRulesByTitle(searchText)}::text[]) or exists
        (select from evidence e where e.hash = f.evidence and e.selector ilike ${searchPattern}) or exists
        (select from page p where p.id = f.page_id and p.url ilike ${searchPattern}))`,
  ])
}

/** Checks whether the filter matches few issues, so that the query starts with issues instead of findings. */
const matchesFewIssues = (query: IssueListFilter): boolean =>
  [query.label, query.component, query.assignedTo].some((list) => list.length > 0 && !list.includes(''))

/** Joins rules and issues only for filters and sort columns that need them. */
export function buildFromClause(
  runs: RunsInView,
  query: IssueListFilter,
  required: { rule?: boolean; issue?: boolean } = {},
): RawBuilder<unknown> {
  const needsRuleJoin =
    required.rule || needsRule(query) || query.sort?.some((word) => word.startsWith('rule,'))
  const ruleJoin = needsRuleJoin ? sql`join rule on rule.id = f.rule_id` : sql``
  if (matchesFewIssues(query))
    // `offset 0` makes the planner look up these few by key instead of reading every finding.
    return sql`from ${runs} r join issue i on i.scan_id = r.scan_id and ${buildIssueConditions(query)}
      join lateral (select * from finding where run_id = r.run_id and issue_id = i.id offset 0) f on true ${ruleJoin}`
  const issueJoin = required.issue || needsIssue(query) ? sql`join issue i on i.id = f.issue_id` : sql``
  return sql`from ${runs} r join finding f on f.run_id = r.run_id ${issueJoin} ${ruleJoin}`
}

type IssueQuery = z.output<typeof IssueListQuery>
/** Filters of the counts shown next to a list. */
export type CountQuery = Omit<IssueQuery, 'grouped' | 'sort'>

/** Checks that a list is filtered only by severity and the given fields, each by a set of values. */
const isFilteredOnlyBy = (
  query: CountQuery,
  allowedFields: readonly (keyof typeof issueFilterSchemas)[],
): boolean =>
  (Object.keys(issueFilterSchemas) as (keyof typeof issueFilterSchemas)[]).every(
    (name) => name === 'severity' || allowedFields.includes(name) || query[name].length === 0,
  ) &&
  !query.search &&
  query.needsReview === undefined

/**
 * Checks whether a list asks for open issues, filtered only by scan, run and severity: the default view. Runs carry
 * counts by severity, so such a list needs neither a count of findings nor a scan over preceding pages.
 */
export const isUnfiltered = (query: CountQuery): boolean =>
  query.status.join() === 'open' &&
  isFilteredOnlyBy(query, ['status']) &&
  !query.createdFrom &&
  !query.createdTo

/** Sort orders supported by these counts: by severity, then run by run. */
export const fastSorts: ReadonlySet<string> = new Set(['', 'severity,asc', 'severity,desc'])

const countColumns = ['critical', 'serious', 'moderate', 'minor', 'needs_review'] as const

export type OpenCounts = { bySeverity: number[]; groups: number | null }

/** Open issues by severity, and their groups if counted in each run, summed up over the runs in view. */
export async function readOpenCounts(db: MonitorDb, runs: RunsInView): Promise<OpenCounts> {
  const sumColumns = sql.raw(
    countColumns.map((name) => `coalesce(sum(run.${name}), 0)::int as ${name}`).join(', '),
  )
  const { rows: countRows } = await sql<
    Record<(typeof countColumns)[number], number> & { groups: number | null }
  >`
    select ${sumColumns}, case when coalesce(bool_and(run.open_groups is not null), true)
      then coalesce(sum((select sum(n) from unnest(run.open_groups) n)), 0)::int end as groups
    from ${runs} r join run on run.id = r.run_id`.execute(db)
  const { groups: openGroups, ...countsByColumn } = countRows[0]!
  return { bySeverity: countColumns.map((name) => countsByColumn[name]), groups: openGroups }
}

/**
 * One page of open issues, as (run_id, issue_id, place). The counts determine the ranges of (severity, run) that the page
 * covers; each range is a contiguous part of the index.
 */
export function buildOpenPage(
  runs: RunsInView,
  severities: readonly number[],
  { page, size, sort }: Pick<IssueQuery, 'page' | 'size' | 'sort'>,
): RawBuilder<unknown> {
  const sortDirection = sql.raw(sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const severityCounts = sql.raw(countColumns.map((name, place) => `(${place}, run.${name})`).join(', '))
  const startOffset = page * size
  return sql`
    select found.run_id, found.issue_id, row_number() over (order by stretch.before, found.at) as place
    from (
      select r.run_id, c.severity, c.issues,
        sum(c.issues) over (order by c.severity ${sortDirection}, r.run_id) - c.issues as before
      from ${runs} r join run on run.id = r.run_id cross join lateral (values ${severityCounts}) c (severity, issues)
      where c.issues > 0 and c.severity = any(${[...severities]}::int[])) stretch
    cross join lateral (
      select f.run_id, f.issue_id, row_number() over (order by f.issue_id) as at from finding f
      where f.run_id = stretch.run_id and f.severity = stretch.severity and ${isOpen('f')}
      order by f.issue_id
      offset greatest(0, ${startOffset}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${startOffset + size}::int and stretch.before + stretch.issues > ${startOffset}::int
    order by place limit ${size}::int`
}

/** One page of open groups by worst severity and run, the largest first; each represented by its first issue. */
export function buildOpenGroupPage(
  runs: RunsInView,
  { page, size, sort }: Pick<IssueQuery, 'page' | 'size' | 'sort'>,
): RawBuilder<unknown> {
  const sortDirection = sql.raw(sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const groupCounts = sql.raw(
    countColumns.map((_name, place) => `(${place}, run.open_groups[${place + 1}])`).join(', '),
  )
  const startOffset = page * size
  return sql`
    select found.run_id, found.issue_id, row_number() over (order by stretch.before, found.at) as place
    from (
      select r.run_id, c.severity, c.groups,
        sum(c.groups) over (order by c.severity ${sortDirection}, r.run_id) - c.groups as before
      from ${runs} r join run on run.id = r.run_id cross join lateral (values ${groupCounts}) c (severity, groups)
      where c.groups > 0) stretch
    cross join lateral (
      select g.run_id, g.issue_id, row_number() over (order by g.issues desc, g.group_id) as at from (
        select f.run_id, f.group_id, min(f.severity) as worst, count(*) as issues,
          (array_agg(f.issue_id order by f.severity, f.issue_id))[1] as issue_id
        from finding f where f.run_id = stretch.run_id and ${isOpen('f')}
        group by f.run_id, f.group_id) g
      where g.worst = stretch.severity order by g.issues desc, g.group_id
      offset greatest(0, ${startOffset}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${startOffset + size}::int and stretch.before + stretch.groups > ${startOffset}::int
    order by place limit ${size}::int`
}

/**
 * Checks whether a list asks for the current issues of some people, labels or components, in the default order. Issues
 * carry the counted and sorted columns, so only displayed findings need a lookup.
 */
export const isSmallResult = (query: IssueQuery): boolean =>
  matchesFewIssues(query) &&
  isFilteredOnlyBy(query, ['status', 'label', 'component', 'assignedTo']) &&
  !query.status.includes('fixed') &&
  !query.grouped &&
  query.runNumber === undefined &&
  fastSorts.has(query.sort.join())

/** These issues, as (run_id, issue_id, severity): from issues when the run in view is the newest, else from its findings. */
function selectFewIssues(runs: RunsInView, query: IssueQuery): RawBuilder<unknown> {
  const statusNumbers = toNumbers(query.status, issueStatuses)
  const buildStatusCondition = (columnName: string) =>
    statusNumbers.length > 0 ? sql`${sql.ref(columnName)} = any(${statusNumbers}::int[])` : sql`true`
  const issueJoin = sql`issue i on i.scan_id = r.scan_id and ${buildIssueConditions(query)}`
  return sql`
    with view as materialized (select r.run_id, r.number, r.scan_id, r.number = s.run_count as newest
      from ${runs} r join scan s on s.id = r.scan_id)
    select r.run_id, i.id as issue_id, i.severity from view r join ${issueJoin}
      where r.newest and i.presence = ${storedLiterals.presence.there} and i.last_run = r.number and ${buildStatusCondition('i.status')}
    union all
    select r.run_id, i.id, f.severity from view r join ${issueJoin}
      join lateral (select f.* from finding f where f.run_id = r.run_id and f.issue_id = i.id offset 0) f on true
      where not r.newest and ${isPresent('f')} and ${buildStatusCondition('f.status')}`
}

/** Counts by severity, and one page of these issues as (run_id, issue_id, place). */
export async function readSmallPage(
  db: MonitorDb,
  runs: RunsInView,
  query: IssueQuery,
  severityNumbers: readonly number[],
): Promise<{ bySeverity: number[]; chosen: RawBuilder<unknown> }> {
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

type DatabaseDeps = { db: MonitorDb }

/** Present findings of the runs in view by rule: (name, help, tags, issues). */
const selectIssuesByRule = (runs: RunsInView) => sql`
  select rule.name as rule, rule.help, rule.tags, t.issues from (
    select max(rule.id) as id, sum(n.issues)::int as issues
    from (select f.rule_id, count(*) as issues from ${runs} r join finding f on f.run_id = r.run_id
          where ${isPresent('f')} group by f.rule_id) n join rule on rule.id = n.rule_id group by rule.name) t
  join rule on rule.id = t.id`

/** Rules with findings in the runs in view, most frequent first. */
export async function listRulesInView(
  { db }: DatabaseDeps,
  runs: RunsInView,
  query: { search?: string | undefined; page: number; size: number },
) {
  const searchPattern = query.search && buildContainsPattern(query.search)
  const { rows: ruleRows } = await sql<{
    rule: string
    help: string
    tags: string[]
    issues: number
    count: number
  }>`
    select t.*, count(*) over () as count from (${selectIssuesByRule(runs)}) t
    where ${searchPattern ? sql`rule ilike ${searchPattern} or help ilike ${searchPattern} or rule = any(${findRulesByTitle(query.search!)}::text[])` : sql`true`}
    order by issues desc, rule ${buildLimitClause(query)}`.execute(db)
  return { rows: ruleRows.map(({ count: _count, ...ruleRow }) => ruleRow), total: ruleRows[0]?.count ?? 0 }
}

/** Rule tags, labels and components of present issues in the runs in view. */
export async function listTagsInView({ db }: DatabaseDeps, runs: RunsInView, search: string | undefined) {
  const { rows: tagRows } = await sql<{ tag: string; kind: 'tag' | 'label' | 'component'; issues: number }>`
    with seen as (select i.labels, i.component from ${runs} r join issue i on i.scan_id = r.scan_id
      where i.presence in (${storedLiterals.presence.there}, ${storedLiterals.presence.unchecked}) and (i.labels <> '{}' or i.component is not null))
    select * from (
      select tag, 'tag' as kind, sum(issues)::int as issues from (${selectIssuesByRule(runs)}) t, unnest(t.tags) tag group by tag
      union all
      select label, 'label', count(*)::int from seen, unnest(labels) label group by label
      union all
      select component, 'component', count(*)::int from seen where component is not null group by component) t
    where ${search ? sql`tag ilike ${buildContainsPattern(search)}` : sql`true`}
    order by kind, issues desc, tag limit 1000`.execute(db)
  return tagRows
}

export type IgnoreRow = {
  id: string
  scope: IgnoreScope
  rule: string
  reason: string
  author_id: string
  author: string | null
  created_at: Date
  issues: number
}

/** Ignores of a scan that cover more than single issues, newest first. */
export async function listIgnores({ db }: DatabaseDeps, scanId: string): Promise<IgnoreRow[]> {
  const { rows: ignoreRows } = await sql<IgnoreRow>`
    select n.id, n.scope, n.rule, n.reason, n.author_id, n.created_at,
      ${buildPersonName('p')} as author,
      (select count(*)::int from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id) as issues
    from issue_ignore n left join person p on p.id = n.author_id
    where n.scan_id = ${scanId} and n.scope <> 'issue' order by n.id desc limit 1000`.execute(db)
  return ignoreRows
}

/** Deletes an ignore of a scan and reopens the issues that it covered. False for an unknown ignore. */
export async function deleteIgnore({ db }: DatabaseDeps, scanId: string, ignoreId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const deletedIgnore =
      await sql`delete from issue_ignore where id = ${ignoreId} and scan_id = ${scanId} returning id`.execute(
        trx,
      )
    if (deletedIgnore.rows.length === 0) return false
    await reopenCovered(trx, [{ id: ignoreId, scan_id: scanId }])
    return true
  })
}

/** Reopens issues that were covered by deleted ignores. */
export async function reopenCovered(
  trx: MonitorDb,
  ignores: readonly { id: string; scan_id: string }[],
): Promise<void> {
  const [ignoreIds, scanIds] = [ignores.map(({ id }) => id), ignores.map(({ scan_id }) => scan_id)]
  await sql`create temporary table reopened on commit drop as
    select i.id as issue_id, f.run_id, f.page_id from issue i
    join lateral (select f.run_id, f.page_id from finding f where f.issue_id = i.id order by f.run_id desc limit 1) f
      on true
    where i.scan_id = any(${scanIds}::uuid[]) and i.ignore_id = any(${ignoreIds}::uuid[]) and i.status = ${storedLiterals.status.ignored}`.execute(
    trx,
  )
  await sql`select 1 from run where id in (select run_id from reopened) order by id for no key update`.execute(
    trx,
  )
  await sql`update issue set status = ${storedLiterals.status.open}, ignore_id = null, version = version + 1
    where id in (select issue_id from reopened)`.execute(trx)
  await sql`update finding f set status = ${storedLiterals.status.open} from reopened o
    where f.run_id = o.run_id and f.issue_id = o.issue_id`.execute(trx)
  await sql`analyze reopened`.execute(trx)
  await recountTotals(trx, 'reopened')
}
