import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { countPageClasses, inByteOrder } from '../../run/listed/table.ts'
import { storedLiterals } from '../table.ts'

/** Those of some runs, given as (run_id), that are the newest completed ones of their scans, as (run_id, scan_id). */
const selectNewest = (runs: RawBuilder<unknown>) => sql`(
  select distinct on (run.scan_id) run.id as run_id, run.scan_id from ${runs} u join run on run.id = u.run_id
  where run.status = 'completed' and run.ended_at is not null and not exists (
    select from listed_run l join run newer on newer.id = l.run_id where l.scan_id = run.scan_id and newer.number > run.number)
  order by run.scan_id, run.number desc)`

/**
 * Counts the pages of runs, given as (run_id), by class, if they are the newest of their scans. The row of a scan is locked by it,
 * before its groups are.
 */
export async function storeListedPages(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    with newest as materialized ${selectNewest(runs)}, counted as (${countPageClasses(sql`newest`)}),
    classes as (select run_id, array_agg(array[health, worst, issues, reviews, pages]::int[] order by health, worst, issues, reviews) as page_classes
      from counted group by run_id)
    insert into listed_run as l (scan_id, run_id, page_classes)
    select n.scan_id, n.run_id, coalesce(c.page_classes, '{}') from newest n left join classes c on c.run_id = n.run_id order by n.scan_id
    on conflict (scan_id) do update set run_id = excluded.run_id, page_classes = excluded.page_classes,
      -- Other pages: their addresses are counted next.
      pages = case when l.run_id = excluded.run_id then l.pages end
    where (l.run_id, l.page_classes) is distinct from (excluded.run_id, excluded.page_classes)
      -- A newer run may have been counted since.
      and (select number from run where id = excluded.run_id) >= (select number from run where id = l.run_id)`.execute(db)
}

const [url, id] = [inByteOrder(sql`url`), inByteOrder(sql`id`)]
const site = sql`substring(address from '^[^:/]+://[^/]+/')`

/** Counts what lists show of the addresses of the pages of runs, given as (run_id), if these are listed. */
export async function storeListedAddresses(db: MonitorDb, runs: RawBuilder<unknown>): Promise<void> {
  await sql`
    with addressed as materialized (
      select l.run_id, p.id::text as id, v.url, p.status, coalesce(p.failure, p.exclusion) as reason, v.template,
        split_part(split_part(v.url, '#', 1), '?', 1) as address
      from ${runs} u join listed_run l on l.run_id = u.run_id join run_page p on p.run_id = l.run_id
      join page_version v on v.id = p.version_id),
    counted as (
      select run_id, count(*)::int as pages, min(${url}) as first_url, max(${url}) as last_url, min(${id}) as first_id, max(${id}) as last_id,
        case when count(${site}) = count(*) and min(${site}) = max(${site}) then min(${site}) end as site,
        bool_or(position('/' in substr(address, length(${site}) + 1)) > 0) as has_folders,
        coalesce(array_agg(distinct template order by template) filter (where status = 'completed' and template is not null), '{}') as templates
      from addressed group by run_id),
    untested as (select run_id, jsonb_object_agg(reason, urls order by reason) as urls
      from (select run_id, reason, count(*)::int as urls from addressed where reason is not null group by 1, 2) by_reason group by run_id)
    update listed_run l set pages = t.pages, first_url = t.first_url, last_url = t.last_url, first_id = t.first_id, last_id = t.last_id, site = t.site,
      has_folders = t.has_folders, templates = t.templates, untested = t.untested
    from (select l.run_id, coalesce(c.pages, 0) as pages, c.first_url, c.last_url, c.first_id, c.last_id, c.site, c.has_folders,
        coalesce(c.templates, '{}') as templates, coalesce(untested.urls, '{}') as untested
      from ${runs} u join listed_run l on l.run_id = u.run_id left join counted c on c.run_id = l.run_id
      left join untested on untested.run_id = l.run_id) t
    where l.run_id = t.run_id and (l.pages, l.first_url, l.last_url, l.first_id, l.last_id, l.site, l.has_folders, l.templates, l.untested)
      is distinct from (t.pages, t.first_url, t.last_url, t.first_id, t.last_id, t.site, t.has_folders, t.templates, t.untested)`.execute(
    db,
  )
}

/** Condition for issues, as opposed to results to review. */
const isIssue = sql`severity < ${storedLiterals.severity.review}`

/**
 * Parts of a `with` clause that count the groups of open findings in `judged`, which has `is_open`: `group_count` has them;
 * `written_group` stores the counts of listed runs.
 */
export const groupCounts = sql`
  page_group as (
    select run_id, group_id, page_key, max(rule_id) as rule_id, min(severity) as worst, count(*) filter (where ${isIssue}) as issues,
      count(*) as findings
    from judged where is_open group by run_id, group_id, page_key),
  group_count as materialized (
    select run_id, group_id, max(rule_id) as rule_id, min(worst) as worst, sum(issues)::int as issues,
      sum(findings - issues)::int as reviews, coalesce(nullif(count(*) filter (where issues > 0), 0), count(*))::int as pages
    from page_group group by run_id, group_id),
  -- A full join, which is never one of loops: without statistics, a planner may compare all rows.
  regrouped as (
    select stored.id, c.worst, coalesce(c.issues, 0) as issues, coalesce(c.reviews, 0) as reviews, coalesce(c.pages, 0) as pages, c.rule_id
    from (select g.* from listed_run l join issue_group g on g.scan_id = l.scan_id
      where l.run_id in (select run_id from counted_run)) stored
    full join (select * from group_count where run_id in (select run_id from listed_run)) c on c.group_id = stored.id
    where (stored.open_severity, stored.open_issues, stored.open_reviews, stored.open_pages, stored.open_rule_id)
      is distinct from (c.worst, coalesce(c.issues, 0), coalesce(c.reviews, 0), coalesce(c.pages, 0), c.rule_id)),
  written_group as (
    update issue_group g set open_severity = r.worst, open_issues = r.issues, open_reviews = r.reviews, open_pages = r.pages,
      open_rule_id = r.rule_id
    from regrouped r where g.id = r.id)`

/** Condition for a `run` without all counts for lists. */
const isUnlisted = sql`not exists (select from listed_run l where l.run_id = run.id and l.pages is not null)`

/** Newest completed runs without all counts for lists: of earlier versions, or since a newer run was deleted. */
export async function findUnlistedRuns(db: MonitorDb): Promise<{ id: string; scanId: string }[]> {
  const { rows: runRows } = await sql<{ id: string; scanId: string }>`
    select run.id, run.scan_id as "scanId" from scan s join run on run.id = s.last_completed_run_id
    where s.deleted_at is null and run.status = 'completed' and run.ended_at is not null and ${isUnlisted}
    order by run.id`.execute(db)
  return runRows
}

/** Locks a run before its counts, as all do that change them. Returns false if it has all counts by now, or is gone. */
export async function lockUnlistedRun(db: MonitorDb, runId: string): Promise<boolean> {
  const { rows } = await sql`select from run where id = ${runId} and ${isUnlisted} for no key update`.execute(db)
  return rows.length > 0
}

/** One run, as (run_id). */
export const selectRun = (runId: string): RawBuilder<unknown> => sql`(select ${runId}::uuid as run_id)`
