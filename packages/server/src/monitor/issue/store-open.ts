import type { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { MonitorDb } from '../database.ts'
import type { Runs } from './store-filter.ts'

type Query = z.output<typeof IssueListQuery>

/**
 * Whether a list asks for open issues and nothing else but scan, run and severity: what people see first. Runs carry
 * their counts by severity, so such a list need not count findings, nor walk over those before its page.
 */
export const isPlain = (query: Query): boolean =>
  query.status.join() === 'open' &&
  [query.pageId, query.rule, query.tag, query.change, query.label, query.component, query.assignedTo].every(
    (list) => list.length === 0,
  ) &&
  !query.search &&
  !query.createdFrom &&
  !query.createdTo &&
  query.needsReview === undefined

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
      where f.run_id = stretch.run_id and f.severity = stretch.severity and f.status = 1 and f.change <= 2
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
        from finding f where f.run_id = stretch.run_id and f.status = 1 and f.change <= 2
        group by f.run_id, f.group_id) g
      where g.worst = stretch.severity order by g.issues desc, g.group_id
      offset greatest(0, ${begin}::int - stretch.before) limit ${size}::int) found
    where stretch.before < ${begin + size}::int and stretch.before + stretch.groups > ${begin}::int
    order by place limit ${size}::int`
}
