import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../database.ts'

/** Notices of a page that was not analysed to its end: what is not found on it is not proven fixed. */
export const incomplete = ['not-fully-loaded', 'issue-limit-reached', 'frame-not-tested']
/** A page of the run before that ended so has left the scan. */
const goneBecause = [
  'other-domain',
  'outside-folder',
  'too-deep',
  'redirect',
  'duplicate',
  'mime-type',
  'scheme',
]

/** Settings by which a page looks as it does: an issue that was seen under others is not proven fixed. */
export const sameView = sql`(${sql.join(
  ['{advanced,windowWidth}', '{advanced,windowHeight}', '{session}', '{advanced,userAgent}'].map(
    (path) => sql`before.settings #> ${sql.lit(path)} is not distinct from plan.settings #> ${sql.lit(path)}`,
  ),
  sql` and `,
)})`

/**
 * Decides about the issues of a scan that this run did not find: fixed needs a page that was analysed to its end with
 * the rule on; a page that is not there any more is gone; everything else was not re-checked. Each gets a row in this
 * run, so that the run's list can say so.
 * @param run.whole whether the run reached everything, so that a page it did not meet is gone
 */
export async function settleLifecycle(
  db: MonitorDb,
  run: { runId: string; scanId: string; number: number; tags: readonly string[]; whole: boolean },
): Promise<void> {
  await sql`
    with absent as (
      select i.id, i.status, i.group_id, f.rule_id, f.severity, f.impact, f.evidence, f.picture, f.picture_box,
        coalesce(p.id, f.page_id) as page_id,
        case
          -- What people uploaded is not looked at by runs.
          when seen.source = 'uploaded' then 4
          when p.status = 'completed' and (before.run_id is null or not ${sameView}) then 4
          when p.status = 'completed' and not p.notices && ${incomplete}::text[] and rule.tags && ${[...run.tags]}::text[] then 3
          when p.status = 'completed' then 4
          when p.failure = 'http-404' or p.exclusion = any(${goneBecause}::text[]) then 5
          when p.id is null and ${run.whole} then 5
          else 4
        end as change
      from issue i
      join lateral (select * from finding where issue_id = i.id order by run_id desc limit 1) f on true
      join rule on rule.id = f.rule_id
      left join run r on r.scan_id = i.scan_id and r.number = i.last_run
      left join run_plan before on before.run_id = r.id
      join run_plan plan on plan.run_id = ${run.runId}
      left join page seen on seen.id = f.page_id
      left join page p on p.run_id = ${run.runId} and p.key_hash = i.page_key
      where i.scan_id = ${run.scanId} and i.presence in (0, 3) and i.last_run < ${run.number}::int),
    updated as (
      update issue i set presence = case absent.change when 3 then 1 when 5 then 2 else 3 end,
        status = case when absent.change = 3 and i.status = 1 then 2 else i.status end,
        fixed_in_run = case when absent.change = 3 then ${run.number}::int else i.fixed_in_run end,
        version = i.version + case when absent.change = 3 then 1 else 0 end
      from absent where absent.id = i.id returning i.id, i.status)
    insert into finding (run_id, issue_id, page_id, group_id, rule_id, severity, impact, status, change, evidence,
      picture, picture_box)
    select ${run.runId}::uuid, absent.id, absent.page_id, absent.group_id, absent.rule_id, absent.severity, absent.impact,
      updated.status, absent.change, absent.evidence, absent.picture, absent.picture_box
    from absent join updated on updated.id = absent.id`.execute(db)
  await sql`
    update page set fixed = t.fixed
    from (select page_id, count(*)::int as fixed from finding where run_id = ${run.runId} and change = 3 group by page_id) t
    where page.id = t.page_id and page.run_id = ${run.runId}`.execute(db)
}

/**
 * Counts again what hangs on the status of findings: the pages of `touched` (run_id, page_id), and their runs' totals and
 * scores. A page of an older run, on which something was not found again, keeps what it had. That the runs are named as
 * an array lets many pages be counted by one look at each run, instead of one at each page.
 */
export async function recount(db: MonitorDb, touched: RawBuilder<unknown>): Promise<void> {
  const bySeverity = sql.join(
    [0, 1, 2, 3, 4].map(
      (place) =>
        sql`count(*) filter (where f.severity = ${sql.lit(place)} and f.status = 1 and f.change <= 2)::int as ${sql.raw(`s${place}`)}`,
    ),
  )
  await sql`
    update page set critical = t.s0, serious = t.s1, moderate = t.s2, minor = t.s3, needs_review = t.s4, fixed = t.fixed,
      health = case when page.status <> 'completed' then null when t.s0 > 0 then 0 when t.s1 > 0 then 1
        when t.s2 > 0 then 2 else 3 end
    from (select p.id, ${bySeverity}, count(*) filter (where f.change = 3)::int as fixed
      from (select distinct run_id, page_id from ${touched} t) u
      join page p on p.id = u.page_id and p.run_id = u.run_id
      left join finding f on f.page_id = p.id and f.run_id = u.run_id
        and f.run_id = any(array(select distinct run_id from ${touched} t)) group by p.id) t
    where page.id = t.id`.execute(db)
  await recountRuns(db, sql`(select distinct run_id from ${touched} t)`)
}

/** Sums runs, as (run_id), up from their pages. */
export async function recountRuns(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    update run set critical = t.critical, serious = t.serious, moderate = t.moderate, minor = t.minor,
      needs_review = t.review, health_critical = t.h0, health_serious = t.h1, health_moderate = t.h2, health_good = t.h3,
      completed = t.completed, failed = t.failed, unique_pages = t.completed + t.failed,
      score = round((t.h1 * 0.4 + t.h2 * 0.8 + t.h3) / nullif(t.h0 + t.h1 + t.h2 + t.h3, 0), 4)
    from (select u.run_id, coalesce(sum(critical), 0)::int as critical, coalesce(sum(serious), 0)::int as serious,
        coalesce(sum(moderate), 0)::int as moderate, coalesce(sum(minor), 0)::int as minor,
        coalesce(sum(needs_review), 0)::int as review,
        count(*) filter (where health = 0)::int as h0, count(*) filter (where health = 1)::int as h1,
        count(*) filter (where health = 2)::int as h2, count(*) filter (where health = 3)::int as h3,
        count(*) filter (where p.status = 'completed')::int as completed,
        count(*) filter (where p.status = 'failed')::int as failed
      from ${runs} u left join page p on p.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id`.execute(db)
  await countGroups(db, runs)
}

/** Counts the groups of open issues of runs, as (run_id), by their worst severity: what grouped lists page by. */
export async function countGroups(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  const bySeverity = [0, 1, 2, 3, 4].map(
    (place) => sql`count(*) filter (where g.worst = ${sql.lit(place)})::int`,
  )
  await sql`
    update run set open_groups = t.groups from (
      select u.run_id, array[${sql.join(bySeverity)}] as groups from ${runs} u left join (
        select f.run_id, f.group_id, min(f.severity) as worst from finding f
        where f.run_id = any(array(select run_id from ${runs} w)) and f.status = 1 and f.change <= 2 group by f.run_id, f.group_id
      ) g on g.run_id = u.run_id group by u.run_id) t
    where run.id = t.run_id and run.ended_at is not null`.execute(db)
}
