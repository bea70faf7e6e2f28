import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import {
  buildRuleConditions,
  type CountQuery,
  fastSorts,
  hasOnlyOpen,
  type IssueQuery,
  type RunsInView,
} from '../filter/store.ts'
import { severities, severityColumns } from '../model.ts'
import { selectRuleCounts } from '../rule-count/table.ts'
import { isOpen, isPresent } from '../table.ts'

// Fast paths of open issues by scan, run and severity, also of some rules: runs carry the counts, so no findings are counted.

/** Checks whether the counts of a list are those that its runs carry. */
export const isUnfiltered = (query: CountQuery): boolean => hasOnlyOpen(query)

/** Checks whether the page of a list can be located by these counts. */
export const hasRunCountOrder = (query: IssueQuery): boolean => isUnfiltered(query) && fastSorts.has(query.sort.join())

/** Checks whether the counts of a list follow from those of rules, which its runs carry. */
export const isFilteredByRule = (query: CountQuery): boolean =>
  hasOnlyOpen({ ...query, needsReview: undefined }, ['rule', 'tag', 'engine'])

/** The column by which the findings of such a list, and the counts of their rules, are ordered before their run; null for others. */
export function getRuleOrder(query: IssueQuery): { key: RawBuilder<unknown>; direction: RawBuilder<unknown> } | null {
  const sortWords = query.sort.join()
  const isByRule = sortWords === 'rule,asc' || sortWords === 'rule,desc'
  if (!isFilteredByRule(query) || (!isByRule && !fastSorts.has(sortWords))) return null
  return { key: isByRule ? sql`rule.name` : sql`f.severity`, direction: sql.raw(sortWords.endsWith(',desc') ? 'desc' : 'asc') }
}

export type OpenCounts = { bySeverity: number[]; groups: number | null }

/** Open issues by severity, and their groups if counted in each run, summed up over the runs in view. */
export async function readOpenCounts(db: MonitorDb, runs: RunsInView): Promise<OpenCounts> {
  const sumColumns = sql.raw(severityColumns.map((name) => `coalesce(sum(run.${name}), 0)::int as ${name}`).join(', '))
  const { rows: countRows } = await sql<Record<(typeof severityColumns)[number], number> & { groups: number | null }>`
    select ${sumColumns}, case when coalesce(bool_and(run.open_groups is not null), true)
      then coalesce(sum((select sum(n) from unnest(run.open_groups) n)), 0)::int end as groups
    from ${runs} r join run on run.id = r.run_id`.execute(db)
  const { groups: openGroups, ...countsByColumn } = countRows[0]!
  return { bySeverity: severityColumns.map((name) => countsByColumn[name]), groups: openGroups }
}

/** Open issues of some rules by severity, without the filter by severity, from the counts of the runs in view. */
export async function readRuleCounts(db: MonitorDb, runs: RunsInView, query: CountQuery): Promise<OpenCounts> {
  const { rows: countRows } = await sql<{ severity: number; issues: number }>`
    select f.severity, sum(f.issues)::int as issues from ${selectRuleCounts(runs)} f join rule on rule.id = f.rule_id
    where ${buildRuleConditions(query, { severity: true })} group by f.severity`.execute(db)
  const issuesBySeverity = new Map(countRows.map(({ severity, issues }) => [severity, issues]))
  return { bySeverity: severities.map((_name, place) => issuesBySeverity.get(place) ?? 0), groups: null }
}

/** One page of open issues of some rules, as (run_id, issue_id, place), by the counts of their rules. */
export function buildRulePage(
  runs: RunsInView,
  query: IssueQuery,
  { key, direction }: NonNullable<ReturnType<typeof getRuleOrder>>,
): RawBuilder<unknown> {
  const { page, size } = query
  const startOffset = page * size
  const isChosen = buildRuleConditions(query, { severity: false })
  return sql`
    select found.run_id, found.issue_id, row_number() over (order by stretch.before, found.at) as place
    from (
      select c.*, sum(c.issues) over (order by c.key ${direction}, c.run_id) - c.issues as before from (
        select f.run_id, ${key} as key, sum(f.issues)::int as issues
        from ${selectRuleCounts(runs)} f join rule on rule.id = f.rule_id where ${isChosen} group by 1, 2) c) stretch
    cross join lateral (
      select f.run_id, f.issue_id, row_number() over (order by f.issue_id) as at
      -- The status of the findings of these rules alone: it is looked up one by one.
      from (select f.* from finding f join rule on rule.id = f.rule_id
        where f.run_id = stretch.run_id and ${isPresent('f')} and ${key} = stretch.key and ${isChosen} offset 0) f
      where ${isOpen('f')}
      order by f.issue_id
      offset greatest(0, ${startOffset}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${startOffset + size}::int and stretch.before + stretch.issues > ${startOffset}::int
    order by place limit ${size}::int`
}

/** One page of open issues, as (run_id, issue_id, place). Counts give the ranges of (severity, run), contiguous in the index. */
export function buildOpenPage(
  runs: RunsInView,
  severities: readonly number[],
  { page, size, sort }: Pick<IssueQuery, 'page' | 'size' | 'sort'>,
): RawBuilder<unknown> {
  const sortDirection = sql.raw(sort[0] === 'severity,desc' ? 'desc' : 'asc')
  const severityCounts = sql.raw(severityColumns.map((name, place) => `(${place}, run.${name})`).join(', '))
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
  const groupCounts = sql.raw(severityColumns.map((_name, place) => `(${place}, run.open_groups[${place + 1}])`).join(', '))
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
