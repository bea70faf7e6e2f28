import type { RollupFaultQuery } from '@clearway/contract/monitor/scan/rollup/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { limits, orderBy } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { isOpen, storedLiterals } from '../../issue/table.ts'
import { runStatus } from '../../run/table.ts'

type Visible = RawBuilder<{ scan_id: string; rank: number }>
export type Scope = { scanId: readonly string[]; groupId: readonly string[] }
/** Completed runs of a scan that a trend looks at, the newest: one a day for longer than a trend can reach. */
const runsLooked = 400
const severityNames = ['critical', 'serious', 'moderate', 'minor', 'needs_review']

/** The visible scans that a roll-up is about, as (id, name, last_completed_run_id). */
const scansIn = (visible: Visible, { scanId, groupId }: Scope): RawBuilder<unknown> => sql`(
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
}

/**
 * The state of the scans at the end of each day or week: a run holds from its own until that of the next. Each run is added
 * where it begins to hold and taken away where it ends, and the sums run on: days times runs would be many.
 */
export async function trendOfAll(
  db: MonitorDb,
  visible: Visible,
  query: Scope & { days: number; by: 'day' | 'week'; timeZone: string },
): Promise<TrendRow[]> {
  const unit = sql.lit(query.by)
  const step = sql.raw(query.by === 'day' ? `interval '1 day'` : `interval '1 week'`)
  const zone = query.timeZone
  const local = (moment: string) => sql`date_trunc(${unit}, ${sql.raw(moment)} at time zone ${zone})`
  const moved = sql.raw(severityNames.map((name) => `sum(sign * ${name}) as ${name}`).join(', '))
  const sums = sql.raw(
    severityNames.map((name) => `coalesce(sum(m.${name}) over w, 0)::int as ${name}`).join(', '),
  )
  const { rows } = await sql<TrendRow>`
    with buckets as (
      select begins, min(begins) over () as first from generate_series(
        date_trunc(${unit}, (now() at time zone ${zone}) - make_interval(days => ${query.days}::int)),
        ${local('now()')}, ${step}) begins),
    held as (
      select r.*, lead(r.ended_at) over (partition by r.scan_id order by r.number) as until
      from ${scansIn(visible, query)} s join lateral (
        select run.* from run where run.scan_id = s.id and run.status in ${runStatus.withResults}
        order by run.number desc limit ${runsLooked}) r on true),
    moves as (
      select ${local('ended_at')} as at, 1 as sign, * from held union all
      select ${local('until')}, -1, * from held where until is not null),
    moved as (
      select greatest(at, (select min(first) from buckets)) as at, sum(sign) as scans, sum(sign * score) as score,
        sum(sign) filter (where score is not null) as scored, sum(sign * completed) as pages, ${moved}
      from moves group by 1)
    select b.begins at time zone ${zone} as "from", coalesce(sum(m.scans) over w, 0)::int as scans,
      round((sum(m.score) over w / nullif(sum(m.scored) over w, 0))::numeric, 4)::float8 as score,
      coalesce(sum(m.pages) over w, 0)::int as pages, ${sums}
    from buckets b left join moved m on m.at = b.begins window w as (order by b.begins) order by b.begins`.execute(
    db,
  )
  return rows
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

/**
 * Open issues of the newest completed runs, without what is to be reviewed, summed up by rule, or by rule and element pattern; an
 * example of each is looked up.
 */
export async function faultsOfAll(
  db: MonitorDb,
  visible: Visible,
  query: z.output<typeof RollupFaultQuery>,
  by: 'rule' | 'template',
): Promise<{ rows: FaultRow[]; total: number }> {
  const template = by === 'template'
  const open = sql`${scansIn(visible, query)} s join finding f on f.run_id = s.last_completed_run_id
    and ${isOpen('f')} and f.severity < ${storedLiterals.severity.review}`
  // Runs are counted first by themselves: few rows are left when what is shared over scans is asked for.
  const inRuns = sql`
    select f.rule_id, ${template ? sql`f.group_id,` : sql``} min(f.severity) as severity, count(*) as issues,
      count(distinct f.page_id) as pages, ${template ? sql`(array_agg(f.issue_id))[1]::text` : sql`null::text`} as one
    from ${open} group by s.id, f.rule_id ${template ? sql`, f.group_id` : sql``}`
  const { rows } = await sql<FaultRow & { total: number }>`
    with per_run as materialized (${inRuns}),
    faults as (
      select rule.name as rule, max(rule.help) as help, min(r.severity)::int as severity, sum(r.issues)::int as issues,
        sum(r.pages)::int as pages, count(*)::int as scans, min(r.one) as "issueId",
        ${template ? sql`g.pattern_hash` : sql`null::bytea`} as pattern
      from per_run r join rule on rule.id = r.rule_id
      ${template ? sql`join issue_group g on g.id = r.group_id` : sql``}
      group by rule.name ${template ? sql`, g.pattern_hash` : sql``}),
    top as (select * from faults
      ${orderBy(sortColumns, query.sort, sql`issues desc`, sql`rule, pattern`)} ${limits(query)})
    select c.total, top.*, coalesce(e.selector, '') as selector
    from (select count(*)::int as total from faults) c left join top on true
    left join lateral (select evidence from finding where issue_id = top."issueId"::uuid
      order by run_id desc limit 1) f on ${template}
    left join evidence e on e.hash = f.evidence
    ${orderBy(sortColumns, query.sort, sql`issues desc`, sql`rule, pattern`)}`.execute(db)
  // Past the last page there is one row, which has the total alone.
  return { rows: rows.filter(({ rule }) => rule !== null), total: rows[0]!.total }
}

export type ChangeRow = {
  scanId: string
  scanName: string
  runs: number
  compared: number
  new: number
  newCritical: number
  fixed: number
  back: number
}

/** What completed runs since a moment said against those before, by scan. */
export async function changesOfAll(
  db: MonitorDb,
  visible: Visible,
  query: Scope,
  since: Date,
): Promise<ChangeRow[]> {
  const sum = (name: string) =>
    sql`coalesce(sum((plan.change ->> ${sql.lit(name)})::int), 0)::int as ${sql.ref(name)}`
  const { rows } = await sql<ChangeRow>`
    select s.id as "scanId", s.name as "scanName", count(*)::int as runs, count(plan.change ->> 'new')::int as compared,
      ${sql.join(['new', 'newCritical', 'fixed', 'back'].map(sum))}
    from ${scansIn(visible, query)} s join run on run.scan_id = s.id join run_plan plan on plan.run_id = run.id
    where run.ended_at >= ${since.toISOString()}::timestamptz and run.status in ${runStatus.withResults}
    group by s.id, s.name order by "new" desc, "fixed" desc, lower(s.name)`.execute(db)
  return rows
}

export type GroupRow = {
  groupId: string
  name: string
  scans: number
  score: number | null
  critical: number
}

/** Groups of the scans by their mean score, the lowest first; groups without a score come last. */
export async function groupsOfAll(db: MonitorDb, visible: Visible, query: Scope): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.id as "groupId", g.name, count(*)::int as scans,
      round(avg(run.score)::numeric, 4)::float8 as score, coalesce(sum(run.critical), 0)::int as critical
    from ${scansIn(visible, query)} s join scan_group_scan x on x.scan_id = s.id join scan_group g on g.id = x.group_id
    left join run on run.id = s.last_completed_run_id
    group by g.id, g.name order by score nulls last, lower(g.name) limit 100`.execute(db)
  return rows
}
