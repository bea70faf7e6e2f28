import type { ChangeCounts } from '@clearway/contract/monitor/run/schema.ts'
import type { RollupFaultQuery } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { selectRuleCounts } from '../../issue/rule-count/table.ts'
import { isOpen, isPresent, storedLiterals } from '../../issue/table.ts'
import { joinCounted, selectUncounted } from '../../run/listed/table.ts'
import { runStatus } from '../../run/table.ts'

type VisibleScans = RawBuilder<{ scan_id: string; rank: number }>
export type RollupScope = { scanId: readonly string[]; groupId: readonly string[] }
/** Maximum number of completed runs per scan in a trend, newest first: one a day for longer than any trend. */
const maxTrendRuns = 400
const countNames = ['critical', 'serious', 'moderate', 'minor', 'needs_review', 'ignored']

/** The visible scans of a roll-up, as (id, name, last_completed_run_id). */
const selectScans = (visible: VisibleScans, { scanId, groupId }: RollupScope): RawBuilder<unknown> => sql`(
  select s.id, s.name, s.last_completed_run_id from ${visible} v join scan s on s.id = v.scan_id
  where ${
    scanId.length + groupId.length > 0
      ? sql`(s.id = any(${[...scanId]}::uuid[]) or exists (select from scan_group_scan g
          where g.scan_id = s.id and g.group_id = any(${[...groupId]}::uuid[])))`
      : sql`true`
  })`

export type TrendRow = {
  from: Date
  scans: number
  score: number | null
  pages: number
  critical: number
  serious: number
  moderate: number
  minor: number
  needs_review: number
  ignored: number
  decided: number
}

/** State of the scans at the end of each day or week, by running sums: a row for each day and run would be too many. */
export async function readTrend(
  db: MonitorDb,
  visible: VisibleScans,
  query: RollupScope & { days: number; by: 'day' | 'week'; timeZone: string },
): Promise<TrendRow[]> {
  const dateUnit = sql.lit(query.by)
  const bucketInterval = sql.raw(query.by === 'day' ? `interval '1 day'` : `interval '1 week'`)
  const timeZone = query.timeZone
  const toLocalBucket = (timestampColumn: string) =>
    sql`date_trunc(${dateUnit}, ${sql.raw(timestampColumn)} at time zone ${timeZone})`
  const movedColumns = sql.raw(countNames.map((name) => `sum(sign * ${name}) as ${name}`).join(', '))
  const sumColumns = sql.raw(countNames.map((name) => `coalesce(sum(m.${name}) over w, 0)::int as ${name}`).join(', '))
  const { rows: trendRows } = await sql<TrendRow>`
    with buckets as (
      select begins, min(begins) over () as first from generate_series(
        date_trunc(${dateUnit}, (now() at time zone ${timeZone}) - make_interval(days => ${query.days}::int)),
        ${toLocalBucket('now()')}, ${bucketInterval}) begins),
    held as (
      select r.*, lead(r.ended_at) over (partition by r.scan_id order by r.number) as until
      from ${selectScans(visible, query)} s join lateral (
        select run.* from run where run.scan_id = s.id and run.status in ${runStatus.withResults}
        order by run.number desc limit ${maxTrendRuns}) r on true),
    moves as (
      select ${toLocalBucket('ended_at')} as at, 1 as sign, * from held union all
      select ${toLocalBucket('until')}, -1, * from held where until is not null),
    decided as (
      select ${toLocalBucket('run.ended_at')} as at, sum((plan.change #>> '{byDecisions,score}')::float8) as score
      from ${selectScans(visible, query)} s join run on run.scan_id = s.id and run.status in ${runStatus.withResults}
      join run_plan plan on plan.run_id = run.id
      where run.ended_at >= (select min(first) from buckets) at time zone ${timeZone} group by 1),
    moved as (
      select greatest(at, (select min(first) from buckets)) as at, sum(sign) as scans, sum(sign * score) as score,
        sum(sign) filter (where score is not null) as scored, sum(sign * completed) as pages, ${movedColumns}
      from moves group by 1)
    select b.begins at time zone ${timeZone} as "from", coalesce(sum(m.scans) over w, 0)::int as scans,
      round((sum(m.score) over w / nullif(sum(m.scored) over w, 0))::numeric, 4)::float8 as score,
      round(coalesce(d.score / nullif(sum(m.scored) over w, 0), 0)::numeric, 4)::float8 as decided,
      coalesce(sum(m.pages) over w, 0)::int as pages, ${sumColumns}
    from buckets b left join moved m on m.at = b.begins left join decided d on d.at = b.begins window w as (order by b.begins) order by b.begins`.execute(
    db,
  )
  return trendRows
}

export type FaultRow = {
  rule: string
  help: string
  severity: number
  issues: number
  pages: number
  scans: number
  selector: string
  issueId: string
}
const sortColumns = {
  issues: sql`issues`,
  pages: sql`pages`,
  scans: sql`scans`,
  severity: sql`severity`,
  rule: sql`rule`,
}

/** An open finding of each fault in `top`. */
const exampleJoins = sql`left join lateral (select f.issue_id, f.evidence from finding f where f.run_id = top.one[1] and f.group_id = top.one[2]
    and ${isOpen('f')} and f.severity < ${storedLiterals.severity.review} order by f.issue_id limit 1) f on true
  left join evidence e on e.hash = f.evidence`

/** Open issues of the newest completed runs, without needs-review, by rule, or rule and element pattern, each with an example. */
export async function readFaults(
  db: MonitorDb,
  visible: VisibleScans,
  query: z.output<typeof RollupFaultQuery>,
  grouping: 'rule' | 'template',
): Promise<{ rows: FaultRow[]; total: number }> {
  const isTemplate = grouping === 'template'
  const countedRuns = sql`(select s.last_completed_run_id as run_id from ${selectScans(visible, query)} s where s.last_completed_run_id is not null)`
  // The runs that carry no counts.
  const uncountedRuns = selectUncounted(countedRuns)
  const decidedIssues = sql`(select t.issue_id from ${uncountedRuns} r join run on run.id = r.run_id
    join status_span t on t.scan_id = run.scan_id and t.first_run <= run.number and t.until_run >= run.number
      and t.status <> ${storedLiterals.status.open})`
  const presentFindings = sql`(select f.run_id, f.issue_id, f.rule_id, f.group_id, f.severity, f.page_key
    from ${uncountedRuns} r join finding f on f.run_id = r.run_id
      and ${isPresent('f')} and f.severity < ${storedLiterals.severity.review})`
  // A full join, which is never one of loops, with any number of decided issues: a planner expects few findings, and would look up
  // the status of each.
  const openFindings = sql`(select f.* from ${presentFindings} f full join ${decidedIssues} decided on decided.issue_id = f.issue_id
    where decided.issue_id is null)`
  // Counts per run first, which leaves few rows for grouping over scans.
  const countsPerTemplate = sql`
    select g.open_rule_id as rule_id, g.pattern_hash as pattern, g.id as group_id, g.open_severity as severity, g.open_issues as issues,
      g.open_pages as pages, l.run_id
    from ${joinCounted(countedRuns)} join issue_group g on g.scan_id = l.scan_id and g.open_issues > 0
    union all
    select f.rule_id, g.pattern_hash, f.group_id, f.severity, f.issues, f.pages, f.run_id from (
      select f.rule_id, f.group_id, min(f.severity) as severity, count(*) as issues, count(distinct f.page_key) as pages, f.run_id
      from ${openFindings} f group by f.run_id, f.rule_id, f.group_id) f join issue_group g on g.id = f.group_id`
  const isIssue = sql`f.severity < ${storedLiterals.severity.review}`
  const countsPerRule = sql`
    select max(f.rule_id) as rule_id, null::bytea as pattern, min(f.severity) as severity, sum(f.issues) filter (where ${isIssue}) as issues,
      sum(f.issue_pages) as pages
    from ${selectRuleCounts(countedRuns)} f join rule on rule.id = f.rule_id
    group by f.run_id, rule.name having count(*) filter (where ${isIssue}) > 0`
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`issues desc, severity`, sql`rule, pattern`)
  const { rows: faultRows } = await sql<FaultRow & { total: number }>`
    with per_run as (${isTemplate ? countsPerTemplate : countsPerRule}),
    -- Numbers of rules are grouped, which is faster than their names.
    named_rule as materialized (select id, max(id) over (partition by name) as name_id from rule),
    faults as (
      select n.name_id, r.pattern, min(r.severity)::int as severity, sum(r.issues)::int as issues, sum(r.pages)::int as pages,
        count(*)::int as scans
        ${isTemplate ? sql`, min(array[r.run_id, r.group_id]) as one` : sql``}
      from per_run r join named_rule n on n.id = r.rule_id group by n.name_id, r.pattern),
    top as (select rule.name as rule, rule.help, faults.* from faults join rule on rule.id = faults.name_id
      ${orderClause} ${buildLimitClause(query)})
    select c.total, top.*, ${isTemplate ? sql`f.issue_id` : sql`null`} as "issueId", coalesce(${isTemplate ? sql`e.selector` : sql`null`}, '') as selector
    from (select count(*)::int as total from faults) c left join top on true
    ${isTemplate ? exampleJoins : sql``} ${orderClause}`.execute(db)
  // Past the last page there is a single row with the total only.
  return { rows: faultRows.filter(({ rule }) => rule !== null), total: faultRows[0]!.total }
}

export type ChangeKey = keyof ChangeCounts | 'newCritical' | 'newlyIgnored'
export type ChangeRow = { scanId: string; scanName: string; score: number | null; runs: number; compared: number } & Record<
  ChangeKey,
  number
>

/** Changes of single runs, which add up. */
const summedKeys = ['new', 'newCritical', 'fixed', 'back', 'issuesGone', 'newlyIgnored'] as const satisfies readonly ChangeKey[]

/** Changes of completed runs since a date against their previous runs, by scan. */
export async function readChanges(
  db: MonitorDb,
  visible: VisibleScans,
  query: RollupScope,
  sinceDate: Date,
): Promise<ChangeRow[]> {
  const sumColumn = (columnName: string) =>
    sql`coalesce(sum((plan.change ->> ${sql.lit(columnName)})::int), 0)::int as ${sql.ref(columnName)}`
  const { rows: changeRows } = await sql<ChangeRow>`
    select s.id as "scanId", s.name as "scanName", count(*)::int as runs, count(plan.change ->> 'new')::int as compared,
      ${sql.join(summedKeys.map(sumColumn))},
      coalesce((array_agg((plan.change ->> 'notRechecked')::int order by run.number desc))[1], 0)::int as "notRechecked",
      (array_agg(run.ignored order by run.number desc))[1] as ignored, (array_agg(run.score order by run.number desc))[1] as score
    from ${selectScans(visible, query)} s join run on run.scan_id = s.id join run_plan plan on plan.run_id = run.id
    where run.ended_at >= ${sinceDate.toISOString()}::timestamptz and run.status in ${runStatus.withResults}
    group by s.id, s.name order by "new" desc, "fixed" desc, lower(s.name)`.execute(db)
  return changeRows
}

export type GroupRow = { groupId: string; name: string; scans: number; score: number | null; critical: number }

/** Groups of the scans by mean score, the lowest first; groups without a score come last. */
export async function readGroups(db: MonitorDb, visible: VisibleScans, query: RollupScope): Promise<GroupRow[]> {
  const { rows: groupRows } = await sql<GroupRow>`
    select g.id as "groupId", g.name, count(*)::int as scans,
      round(avg(run.score)::numeric, 4)::float8 as score, coalesce(sum(run.critical), 0)::int as critical
    from ${selectScans(visible, query)} s join scan_group_scan x on x.scan_id = s.id join scan_group g on g.id = x.group_id
    left join run on run.id = s.last_completed_run_id
    group by g.id, g.name order by score nulls last, lower(g.name) limit 100`.execute(db)
  return groupRows
}
