import type * as z from 'zod/mini'
import { type IssueFilter, issueFilterSchemas, type IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { joinConditions, buildContainsPattern, buildUrlSearch, buildLimitClause } from '../../../kit/paging.ts'
import { changes, issueStatuses, severities } from '../model.ts'
import type { MonitorDb } from '../../database.ts'
import { hasStoredStatus, isInState, isOfEngine, isOpenAmongMany, isPresent, storedLiterals } from '../table.ts'
import { limitToHits, selectUrlHits } from '../../page/version/table.ts'
import { findRulesByTitle } from '../../ruleset/title/model.ts'

export type IssueListFilter = Omit<IssueFilter, 'scanId'> & { scanId: readonly string[] } & {
  sort?: z.output<typeof IssueListQuery>['sort']
}
/** `runsInView` of the pages' store: the runs of a list. */
export type RunsInView = RawBuilder<{ run_id: string }>

export const toNumbers = (words: readonly string[], knownWords: readonly string[]): number[] =>
  words.map((word) => knownWords.indexOf(word))
const buildAnyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
  values.length > 0 && sql<boolean>`${column} = any(${[...values]}::int[])`

export const needsIssue = (query: IssueListFilter): boolean =>
  query.label.length + query.component.length + query.assignedTo.length + query.review.length + query.ignore.length > 0 ||
  query.createdFrom !== undefined ||
  query.createdTo !== undefined ||
  query.updatedSince !== undefined

export const needsRule = (query: IssueListFilter): boolean => query.rule.length > 0 || query.tag.length > 0 || !!query.search

/** In one of these components; the empty string stands for no component. */
const buildComponentCondition = (components: readonly string[]) => {
  const isInComponent = sql`i.component = any(${components.filter((name) => name !== '')}::text[])`
  return components.includes('') ? sql`(i.component is null or ${isInComponent})` : isInComponent
}

/** Conditions on the issue itself, as `i`. */
export function buildIssueConditions(query: IssueListFilter): RawBuilder<boolean> | false {
  const {
    label: labels,
    component: components,
    assignedTo: assigneeIds,
    createdFrom: createdSince,
    createdTo: createdUntil,
    updatedSince,
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
    // An ignore covers issues of its scan alone.
    query.ignore.length > 0 &&
      sql`i.scan_id in (select scan_id from issue_ignore where id = any(${query.ignore}::uuid[]))
        and i.ignore_id = any(${query.ignore}::uuid[]) and i.status = ${storedLiterals.status.ignored}`,
    assigneeConditions.length > 0 && sql`(${sql.join(assigneeConditions, sql` or `)})`,
    createdSince && sql`i.first_seen_at >= ${createdSince}::timestamptz`,
    updatedSince && sql`i.updated_at >= ${updatedSince}::timestamptz`,
    // Replies have milliseconds, the column microseconds: the whole last millisecond belongs to the range.
    createdUntil && sql`i.first_seen_at < ${createdUntil}::timestamptz + interval '1 millisecond'`,
  ])
}

/** Results with one of these answers; `open` are those that still need one. */
const buildReviewCondition = (answers: readonly string[]) => {
  const hasAnswer = sql`i.review = any(${[...answers]}::text[])`
  return answers.includes('open')
    ? sql`(${hasAnswer} or (f.severity = ${storedLiterals.severity.review} and i.review is null))`
    : hasAnswer
}

/** Checks that a list has decided issues alone, whose statuses are stored. */
export const isDecidedOnly = ({ status: statuses }: Pick<IssueListFilter, 'status'>): boolean =>
  statuses.length > 0 && statuses.every((status) => status !== 'open' && status !== 'fixed')

/** Checks that a list has findings alone that are new or back, whose spans begin in their run. */
export const isBegunOnly = ({ change }: Pick<IssueListFilter, 'change'>): boolean =>
  change.length > 0 && change.every((word) => word === 'new' || word === 'back')

function buildStatusCondition(query: IssueListFilter): RawBuilder<boolean> | false {
  const numbers = toNumbers(query.status, issueStatuses)
  return isDecidedOnly(query) ? hasStoredStatus('f', numbers) : buildAnyOf(sql`f.status`, numbers)
}

/** Conditions on the severity, drive and rule of findings, as `f`, which `selectRuleCounts` has, too. */
export const buildRuleConditions = (
  query: Pick<IssueListFilter, 'severity' | 'needsReview' | 'engine' | 'rule' | 'tag'>,
  exclude: { severity: boolean },
): RawBuilder<boolean> =>
  joinConditions([
    !exclude.severity && buildAnyOf(sql`f.severity`, toNumbers(query.severity, severities)),
    query.needsReview !== undefined &&
      (query.needsReview
        ? sql`f.severity = ${storedLiterals.severity.review}`
        : sql`f.severity < ${storedLiterals.severity.review}`),
    query.engine.length > 0 && isOfEngine(query.engine),
    query.rule.length > 0 && sql`rule.name = any(${query.rule}::text[])`,
    query.tag.length > 0 && sql`rule.tags && ${query.tag}::text[]`,
  ])

/** Absent findings appear only when explicitly requested. */
export const includesAbsentFindings = ({ change, status }: Pick<IssueListFilter, 'change' | 'status'>): boolean =>
  change.length > 0 || status.includes('fixed')

/** Conditions on findings, as `f`; `severity` leaves out that filter, for the counts shown next to it. */
export function buildConditions(query: IssueListFilter, exclude: { severity: boolean }): RawBuilder<boolean> {
  const { search: searchText } = query
  const searchPattern = searchText && buildContainsPattern(searchText)
  const includesAbsent = includesAbsentFindings(query)
  const isForOpen = !includesAbsent && query.status.join() === 'open'
  return joinConditions([
    !includesAbsent && isPresent('f'),
    isForOpen ? isOpenAmongMany('f') : buildStatusCondition(query),
    buildRuleConditions(query, exclude),
    buildAnyOf(sql`f.change`, toNumbers(query.change, changes)),
    // An index has the first runs of spans.
    isBegunOnly(query) && sql`f.first_run = f.run_number`,
    query.template.length > 0 && sql`f.group_id = any(${query.template}::uuid[])`,
    query.pageId.length > 0 &&
      sql`(f.scan_id, f.page_key) in (select scan_id, key_hash from page where id = any(${query.pageId}::uuid[]))`,
    // Looks up pages by key: for a join, the planner would read the pages of all runs.
    query.source.length > 0 && sql`(select p.source from page p where p.id = f.page_id) = any(${query.source}::text[])`,
    query.state.length > 0 && isInState(query.state),
    buildIssueConditions(query),
    query.review.length > 0 && buildReviewCondition(query.review),
    searchPattern &&
      sql`(${hasRuleText(searchText)} or exists
        (select from evidence e where e.hash = f.evidence and e.selector ilike ${searchPattern}) or exists
        (select from page p where p.id = f.page_id and ${buildUrlSearch(sql`p.url`, searchText)}))`,
  ])
}

/** Checks whether the filter matches few issues, so that the query starts with issues instead of findings. */
export const matchesFewIssues = (query: IssueListFilter): boolean =>
  query.updatedSince !== undefined ||
  [query.label, query.component, query.assignedTo, query.ignore].some((list) => list.length > 0 && !list.includes(''))

/** Condition for rules with a text. */
export const hasRuleText = (searchText: string) => {
  const searchPattern = buildContainsPattern(searchText)
  return sql`(rule.name ilike ${searchPattern} or rule.help ilike ${searchPattern}
    or rule.name = any(${findRulesByTitle(searchText)}::text[]))`
}

/** The runs that may have a finding with the searched text: a search over all scans reads no others, unless it is that of a rule. */
const limitToSearch = (runs: RunsInView, { search: searchText, scanId: scanIds }: IssueListFilter): RunsInView =>
  searchText && scanIds.length === 0
    ? limitToHits(
        runs,
        searchText,
        sql`select e.scan_id from evidence e where e.selector ilike ${buildContainsPattern(searchText)} union all ${selectUrlHits(searchText)}`,
        sql`exists (select from rule where ${hasRuleText(searchText)})`,
      )
    : runs

/** Joins rules and issues only for filters and sort columns that need them. */
export function buildFromClause(
  runs: RunsInView,
  query: IssueListFilter,
  required: { rule?: boolean; issue?: boolean } = {},
): RawBuilder<unknown> {
  const needsRuleJoin = required.rule || needsRule(query) || query.sort?.some((word) => word.startsWith('rule,'))
  const ruleJoin = needsRuleJoin ? sql`join rule on rule.id = f.rule_id` : sql``
  const searchedRuns = limitToSearch(runs, query)
  if (matchesFewIssues(query))
    // `offset 0` makes the planner look up these few by key instead of reading every finding.
    return sql`from ${searchedRuns} r join issue i on i.scan_id = r.scan_id and ${buildIssueConditions(query)}
      join lateral (select * from finding where run_id = r.run_id and issue_id = i.id offset 0) f on true ${ruleJoin}`
  const issueJoin = required.issue || needsIssue(query) ? sql`join issue i on i.id = f.issue_id` : sql``
  // Decided issues are read, and not all findings.
  const decidedJoin = isDecidedOnly(query)
    ? sql`join status_span decided on decided.scan_id = r.scan_id and decided.first_run <= r.number and decided.until_run >= r.number
        and decided.status = any(${toNumbers(query.status, issueStatuses)}::int[])`
    : sql``
  const isDecided = isDecidedOnly(query) ? sql`and f.issue_id = decided.issue_id and f.scan_id = decided.scan_id` : sql``
  return sql`from ${searchedRuns} r ${decidedJoin} join finding f on f.run_id = r.run_id ${isDecided} ${issueJoin} ${ruleJoin}`
}

export type IssueQuery = z.output<typeof IssueListQuery>
export type CountQuery = Omit<IssueQuery, 'grouped' | 'sort'>

/** Checks that a list is filtered only by severity and the given fields, each by a set of values. */
export const isFilteredOnlyBy = (query: IssueListFilter, allowedFields: readonly (keyof typeof issueFilterSchemas)[]): boolean =>
  (Object.keys(issueFilterSchemas) as (keyof typeof issueFilterSchemas)[]).every(
    (name) => name === 'severity' || allowedFields.includes(name) || query[name].length === 0,
  ) &&
  !query.search &&
  query.needsReview === undefined

/** Checks that a list has open issues alone, filtered only by severity and the given fields of their findings. */
export const hasOnlyOpen = (query: IssueListFilter, allowedFields: Parameters<typeof isFilteredOnlyBy>[1] = []): boolean =>
  query.status.join() === 'open' && isFilteredOnlyBy(query, ['status', ...allowedFields]) && !needsIssue(query)

/** Sort orders that the fast paths support: by severity, then run by run. */
export const fastSorts: ReadonlySet<string> = new Set(['', 'severity,asc', 'severity,desc'])

type DatabaseDeps = { db: MonitorDb }

/** Present findings of the runs in view by rule: (name, help, tags, issues). Runs in progress, and old ones, carry no counts. */
const selectIssuesByRule = (runs: RunsInView) => sql`
  select rule.name as rule, rule.help, rule.tags, t.issues from (
    select max(rule.id) as id, sum(n.issues)::int as issues
    from (select counted.rule_id, sum(counted.issues) as issues from ${runs} r join run on run.id = r.run_id
          cross join lateral unnest(run.rule_ids, run.rule_issues) counted (rule_id, issues) group by counted.rule_id
          union all
          select counted.rule_id, counted.issues from ${runs} r join run on run.id = r.run_id and run.rule_ids is null
          cross join lateral (select f.rule_id, count(*) as issues from finding f
            where f.run_id = run.id and ${isPresent('f')} group by f.rule_id) counted) n
    join rule on rule.id = n.rule_id group by rule.name) t
  join rule on rule.id = t.id`

export async function listRulesInView(
  { db }: DatabaseDeps,
  runs: RunsInView,
  query: { search?: string | undefined; page: number; size: number },
) {
  const searchPattern = query.search && buildContainsPattern(query.search)
  const { rows: ruleRows } = await sql<{ rule: string; help: string; tags: string[]; issues: number; count: number }>`
    select t.*, count(*) over () as count from (${selectIssuesByRule(runs)}) t
    where ${searchPattern ? sql`rule ilike ${searchPattern} or help ilike ${searchPattern} or rule = any(${findRulesByTitle(query.search!)}::text[])` : sql`true`}
    order by issues desc, rule ${buildLimitClause(query)}`.execute(db)
  return { rows: ruleRows.map(({ count: _count, ...ruleRow }) => ruleRow), total: ruleRows[0]?.count ?? 0 }
}

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
