import { inTransaction } from '../../../kit/database.ts'
import type * as z from 'zod/mini'
import {
  type IssueFilter,
  issueFilters,
  type IssueListQuery,
  type IgnoreScope,
} from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { allOf, containing, limits } from '../../../kit/paging.ts'
import { changes, issueStatuses, severities } from '../model.ts'
import type { MonitorDb } from '../../database.ts'
import { recount } from '../recount/store.ts'
import { isOpen, isPresent, stored } from '../table.ts'
import { buildPersonName } from '../../access/table.ts'
import { rulesTitled } from '../../ruleset/title/model.ts'

/** What narrows a list, from a URL or from a body. */
export type Filter = Omit<IssueFilter, 'scanId'> & { scanId: readonly string[] } & {
  sort?: z.output<typeof IssueListQuery>['sort']
}
/** `runsInView` of the pages' store: the runs that a list looks at. */
export type Runs = RawBuilder<{ run_id: string }>

/** Words of the contract as they are stored. */
export const numbers = (words: readonly string[], all: readonly string[]): number[] =>
  words.map((word) => all.indexOf(word))
const anyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
  values.length > 0 && sql<boolean>`${column} = any(${[...values]}::int[])`

/** Whether a filter looks at the issue itself, not only at what a run saw of it. */
export const asksIssue = (query: Filter): boolean =>
  query.label.length + query.component.length + query.assignedTo.length > 0 ||
  query.createdFrom !== undefined ||
  query.createdTo !== undefined

/** Whether a filter looks at the rule, as `rule`. */
export const asksRule = (query: Filter): boolean =>
  query.rule.length > 0 || query.tag.length > 0 || !!query.search

/** In one of these components; the empty text means in none. */
const anyComponent = (names: readonly string[]) => {
  const within = sql`i.component = any(${names.filter((name) => name !== '')}::text[])`
  return names.includes('') ? sql`(i.component is null or ${within})` : within
}

/** What is asked of the issue itself, as `i`. */
function issueConditions(query: Filter): RawBuilder<boolean> | false {
  const { label, component, assignedTo, createdFrom, createdTo } = query
  if (!asksIssue(query)) return false
  const somebody = assignedTo.filter((id) => id !== '')
  const assigned = [
    somebody.length > 0 && sql`i.assigned_to = any(${somebody}::text[])`,
    assignedTo.includes('') && sql`i.assigned_to is null`,
  ].filter((condition) => condition !== false)
  return allOf([
    label.length > 0 && sql`i.labels && ${label}::text[]`,
    component.length > 0 && anyComponent(component),
    assigned.length > 0 && sql`(${sql.join(assigned, sql` or `)})`,
    createdFrom && sql`i.first_seen_at >= ${createdFrom}::timestamptz`,
    createdTo && sql`i.first_seen_at <= ${createdTo}::timestamptz`,
  ])
}

/** Which findings a filter takes, as `f`; without `severity` that part is left out, for the counts beside that filter. */
export function conditions(query: Filter, but: { severity: boolean }): RawBuilder<boolean> {
  const { search, needsReview } = query
  const text = search && containing(search)
  // What is not there any more shows only to those who ask for it.
  const absentAsked = query.change.length > 0 || query.status.includes('fixed')
  return allOf([
    !absentAsked && isPresent('f'),
    !but.severity && anyOf(sql`f.severity`, numbers(query.severity, severities)),
    needsReview !== undefined &&
      (needsReview
        ? sql`f.severity = ${stored.severity.review}`
        : sql`f.severity < ${stored.severity.review}`),
    anyOf(sql`f.status`, numbers(query.status, issueStatuses)),
    anyOf(sql`f.change`, numbers(query.change, changes)),
    query.template.length > 0 && sql`f.group_id = any(${query.template}::uuid[])`,
    query.pageId.length > 0 && sql`f.page_id = any(${query.pageId}::uuid[])`,
    // Page by page, by their key: as a join, the planner would read the pages of all runs.
    query.source.length > 0 &&
      sql`(select p.source from page p where p.id = f.page_id) = any(${query.source}::text[])`,
    query.rule.length > 0 && sql`rule.name = any(${query.rule}::text[])`,
    query.tag.length > 0 && sql`rule.tags && ${query.tag}::text[]`,
    issueConditions(query),
    text &&
      sql`(rule.name ilike ${text} or rule.help ilike ${text} or rule.name = any(${rulesTitled(search)}::text[]) or exists
        (select from evidence e where e.hash = f.evidence and e.selector ilike ${text}) or exists
        (select from page p where p.id = f.page_id and p.url ilike ${text}))`,
  ])
}

/** Whether few issues are asked for, so that a list begins with these instead of with findings. */
const asksFew = (query: Filter): boolean =>
  [query.label, query.component, query.assignedTo].some((list) => list.length > 0 && !list.includes(''))

/** Rules and issues are joined only for those filters and sorts that look at them. */
export function from(
  runs: Runs,
  query: Filter,
  also: { rule?: boolean; issue?: boolean } = {},
): RawBuilder<unknown> {
  const looks = also.rule || asksRule(query) || query.sort?.some((word) => word.startsWith('rule,'))
  const rule = looks ? sql`join rule on rule.id = f.rule_id` : sql``
  if (asksFew(query))
    // The planner would read every finding; `offset 0` has it look these few up by their key.
    return sql`from ${runs} r join issue i on i.scan_id = r.scan_id and ${issueConditions(query)}
      join lateral (select * from finding where run_id = r.run_id and issue_id = i.id offset 0) f on true ${rule}`
  const issue = also.issue || asksIssue(query) ? sql`join issue i on i.id = f.issue_id` : sql``
  return sql`from ${runs} r join finding f on f.run_id = r.run_id ${issue} ${rule}`
}

type Query = z.output<typeof IssueListQuery>
/** What counts beside a list look at. */
export type Counted = Omit<Query, 'grouped' | 'sort'>

/** Whether a list is narrowed by severity and these at most, each to one of several values. */
const onlyBy = (query: Counted, names: readonly (keyof typeof issueFilters)[]): boolean =>
  (Object.keys(issueFilters) as (keyof typeof issueFilters)[]).every(
    (name) => name === 'severity' || names.includes(name) || query[name].length === 0,
  ) &&
  !query.search &&
  query.needsReview === undefined

/**
 * Whether a list asks for open issues and nothing else but scan, run and severity: what people see first. Runs carry
 * their counts by severity, so such a list need not count findings, nor walk over those before its page.
 */
export const isPlain = (query: Counted): boolean =>
  query.status.join() === 'open' && onlyBy(query, ['status']) && !query.createdFrom && !query.createdTo

/** Orders in which these counts find the page: by severity, then run by run. */
export const plainSorts: ReadonlySet<string> = new Set(['', 'severity,asc', 'severity,desc'])

const columns = ['critical', 'serious', 'moderate', 'minor', 'needs_review'] as const

export type OpenCounts = { bySeverity: number[]; groups: number | null }

/** Open issues of the runs in view by severity, and their groups where each run has counted them, summed up from the runs. */
export async function openCounts(db: MonitorDb, runs: Runs): Promise<OpenCounts> {
  const sums = sql.raw(columns.map((name) => `coalesce(sum(run.${name}), 0)::int as ${name}`).join(', '))
  const { rows } = await sql<Record<(typeof columns)[number], number> & { groups: number | null }>`
    select ${sums}, case when coalesce(bool_and(run.open_groups is not null), true)
      then coalesce(sum((select sum(n) from unnest(run.open_groups) n)), 0)::int end as groups
    from ${runs} r join run on run.id = r.run_id`.execute(db)
  const { groups, ...counts } = rows[0]!
  return { bySeverity: columns.map((name) => counts[name]), groups }
}

/**
 * One page of open issues, as (run_id, issue_id, place): the counts say in which stretches of (severity, run) it lies, and
 * each stretch is a piece of the index.
 */
export function openPage(
  runs: Runs,
  severities: readonly number[],
  { page, size, sort }: Pick<Query, 'page' | 'size' | 'sort'>,
): RawBuilder<unknown> {
  const direction = sql.raw(sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const counts = sql.raw(columns.map((name, place) => `(${place}, run.${name})`).join(', '))
  const begin = page * size
  return sql`
    select found.run_id, found.issue_id, row_number() over (order by stretch.before, found.at) as place
    from (
      select r.run_id, c.severity, c.issues,
        sum(c.issues) over (order by c.severity ${direction}, r.run_id) - c.issues as before
      from ${runs} r join run on run.id = r.run_id cross join lateral (values ${counts}) c (severity, issues)
      where c.issues > 0 and c.severity = any(${[...severities]}::int[])) stretch
    cross join lateral (
      select f.run_id, f.issue_id, row_number() over (order by f.issue_id) as at from finding f
      where f.run_id = stretch.run_id and f.severity = stretch.severity and ${isOpen('f')}
      order by f.issue_id
      offset greatest(0, ${begin}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${begin + size}::int and stretch.before + stretch.issues > ${begin}::int
    order by place limit ${size}::int`
}

/** The same for groups: by their worst severity, run by run, the largest first; each by its first issue. */
export function openGroupPage(
  runs: Runs,
  { page, size, sort }: Pick<Query, 'page' | 'size' | 'sort'>,
): RawBuilder<unknown> {
  const direction = sql.raw(sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const counts = sql.raw(
    columns.map((_name, place) => `(${place}, run.open_groups[${place + 1}])`).join(', '),
  )
  const begin = page * size
  return sql`
    select found.run_id, found.issue_id, row_number() over (order by stretch.before, found.at) as place
    from (
      select r.run_id, c.severity, c.groups,
        sum(c.groups) over (order by c.severity ${direction}, r.run_id) - c.groups as before
      from ${runs} r join run on run.id = r.run_id cross join lateral (values ${counts}) c (severity, groups)
      where c.groups > 0) stretch
    cross join lateral (
      select g.run_id, g.issue_id, row_number() over (order by g.issues desc, g.group_id) as at from (
        select f.run_id, f.group_id, min(f.severity) as worst, count(*) as issues,
          (array_agg(f.issue_id order by f.severity, f.issue_id))[1] as issue_id
        from finding f where f.run_id = stretch.run_id and ${isOpen('f')}
        group by f.run_id, f.group_id) g
      where g.worst = stretch.severity order by g.issues desc, g.group_id
      offset greatest(0, ${begin}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${begin + size}::int and stretch.before + stretch.groups > ${begin}::int
    order by place limit ${size}::int`
}

/**
 * Whether a list asks for the issues of some people, labels or components, as they are now, in the usual order. Issues
 * carry what such a list counts and sorts by, so that no finding is looked up but those that are shown.
 */
export const isFew = (query: Query): boolean =>
  asksFew(query) &&
  onlyBy(query, ['status', 'label', 'component', 'assignedTo']) &&
  !query.status.includes('fixed') &&
  !query.grouped &&
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
      where r.newest and i.presence = ${stored.presence.there} and i.last_run = r.number and ${status('i.status')}
    union all
    select r.run_id, i.id, f.severity from view r join ${asked}
      join lateral (select f.* from finding f where f.run_id = r.run_id and f.issue_id = i.id offset 0) f on true
      where not r.newest and ${isPresent('f')} and ${status('f.status')}`
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
    top as (select run_id, issue_id, row_number() over () as place from (
      select run_id, issue_id from few where severity = any(${[...wanted]}::int[])
      order by severity ${direction}, run_id, issue_id limit ${query.size} offset ${query.page * query.size}) few)
    select (select jsonb_object_agg(severity, issues) from counts) as counts,
      (select jsonb_agg(to_jsonb(top)) from top) as top`.execute(db)
  const { counts, top } = rows[0]!
  return {
    bySeverity: severities.map((_name, place) => counts?.[place] ?? 0),
    chosen: sql`select * from jsonb_to_recordset(${JSON.stringify(top ?? [])}::jsonb)
      as c (run_id uuid, issue_id uuid, place int)`,
  }
}

type Db = { db: MonitorDb }

/** What is there in the runs in view, by rule: (name, help, tags, issues). */
const byRule = (runs: Runs) => sql`
  select rule.name as rule, rule.help, rule.tags, t.issues from (
    select max(rule.id) as id, sum(n.issues)::int as issues
    from (select f.rule_id, count(*) as issues from ${runs} r join finding f on f.run_id = r.run_id
          where ${isPresent('f')} group by f.rule_id) n join rule on rule.id = n.rule_id group by rule.name) t
  join rule on rule.id = t.id`

/** Rules with findings in the runs in view, the commonest first. */
export async function rulesInView(
  { db }: Db,
  runs: Runs,
  query: { search?: string | undefined; page: number; size: number },
) {
  const text = query.search && containing(query.search)
  const { rows } = await sql<{ rule: string; help: string; tags: string[]; issues: number; count: number }>`
    select t.*, count(*) over () as count from (${byRule(runs)}) t
    where ${text ? sql`rule ilike ${text} or help ilike ${text} or rule = any(${rulesTitled(query.search!)}::text[])` : sql`true`}
    order by issues desc, rule ${limits(query)}`.execute(db)
  return { rows: rows.map(({ count: _count, ...row }) => row), total: rows[0]?.count ?? 0 }
}

/** Tags of rules, labels and components of what is there in the runs in view. */
export async function tagsInView({ db }: Db, runs: Runs, search: string | undefined) {
  const { rows } = await sql<{ tag: string; kind: 'tag' | 'label' | 'component'; issues: number }>`
    with seen as (select i.labels, i.component from ${runs} r join issue i on i.scan_id = r.scan_id
      where i.presence in (${stored.presence.there}, ${stored.presence.unchecked}) and (i.labels <> '{}' or i.component is not null))
    select * from (
      select tag, 'tag' as kind, sum(issues)::int as issues from (${byRule(runs)}) t, unnest(t.tags) tag group by tag
      union all
      select label, 'label', count(*)::int from seen, unnest(labels) label group by label
      union all
      select component, 'component', count(*)::int from seen where component is not null group by component) t
    where ${search ? sql`tag ilike ${containing(search)}` : sql`true`}
    order by kind, issues desc, tag limit 1000`.execute(db)
  return rows
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

/** Ignores of a scan that reach further than one issue, newest first. */
export async function listIgnores({ db }: Db, scanId: string): Promise<IgnoreRow[]> {
  const { rows } = await sql<IgnoreRow>`
    select n.id, n.scope, n.rule, n.reason, n.author_id, n.created_at,
      ${buildPersonName('p')} as author,
      (select count(*)::int from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id) as issues
    from issue_ignore n left join person p on p.id = n.author_id
    where n.scan_id = ${scanId} and n.scope <> 'issue' order by n.id desc limit 1000`.execute(db)
  return rows
}

/** Ends an ignore of a scan: what it covered is open again. False when there is no such one. */
export async function deleteIgnore({ db }: Db, scanId: string, id: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const gone =
      await sql`delete from issue_ignore where id = ${id} and scan_id = ${scanId} returning id`.execute(trx)
    if (gone.rows.length === 0) return false
    await reopenCovered(trx, [{ id, scan_id: scanId }])
    return true
  })
}

/** Opens again what ignores covered that are deleted now. */
export async function reopenCovered(
  trx: MonitorDb,
  ignores: readonly { id: string; scan_id: string }[],
): Promise<void> {
  const [ids, scans] = [ignores.map(({ id }) => id), ignores.map(({ scan_id }) => scan_id)]
  await sql`create temporary table reopened on commit drop as
    select i.id as issue_id, f.run_id, f.page_id from issue i
    join lateral (select f.run_id, f.page_id from finding f where f.issue_id = i.id order by f.run_id desc limit 1) f
      on true
    where i.scan_id = any(${scans}::uuid[]) and i.ignore_id = any(${ids}::uuid[]) and i.status = ${stored.status.ignored}`.execute(
    trx,
  )
  await sql`select 1 from run where id in (select run_id from reopened) order by id for no key update`.execute(
    trx,
  )
  await sql`update issue set status = ${stored.status.open}, ignore_id = null, version = version + 1
    where id in (select issue_id from reopened)`.execute(trx)
  await sql`update finding f set status = ${stored.status.open} from reopened o
    where f.run_id = o.run_id and f.issue_id = o.issue_id`.execute(trx)
  await sql`analyze reopened`.execute(trx)
  await recount(trx, 'reopened')
}
