/**
 * Open findings of each run by rule, severity and drive, for lists and roll-ups over all scans. Null for runs in progress, and for
 * runs that ended before this migration; those in view are counted here: some 6 s for a million current issues.
 */
export const openRules: readonly string[] = [
  `alter table run add column open_rules integer[]`,
  `with viewed as (
    select run.id, run.scan_id, run.number from scan s join run on run.id = coalesce(s.last_completed_run_id, s.last_run_id)
    where run.ended_at is not null and run.archived_at is null),
  decided as (
    select viewed.id as run_id, t.issue_id from viewed join status_span t on t.scan_id = viewed.scan_id
      and t.first_run <= viewed.number and t.until_run >= viewed.number and t.status <> 1),
  located as materialized (
    select f.run_id, f.page_key, named.name_id, f.rule_id, f.severity, case when f.drive_level is null then -1 else 0 end as drive,
      count(*)::int as issues
    from (select f.run_id, f.issue_id, f.page_key, f.rule_id, f.severity, f.drive_level
      from finding f where f.run_id in (select id from viewed) and f.change <= 2) f
    full join decided on decided.run_id = f.run_id and decided.issue_id = f.issue_id
    join (select id, max(id) over (partition by name) as name_id from rule) named on named.id = f.rule_id
    where decided.issue_id is null group by 1, 2, 3, 4, 5, 6),
  page_count as (
    select run_id, name_id, count(*) filter (where has_issue)::int as issue_pages, count(*)::int as pages
    from (select run_id, name_id, page_key, bool_or(severity < 4) as has_issue from located group by 1, 2, 3) one group by 1, 2),
  counted as (
    select c.run_id, array_agg(array[c.rule_id, c.severity, c.drive, c.issues,
      case when c.place = 1 then p.issue_pages else 0 end, case when c.place = 1 then p.pages else 0 end]::int[]) as rules
    from (select run_id, name_id, rule_id, severity, drive, sum(issues)::int as issues,
        row_number() over (partition by run_id, name_id order by rule_id desc, severity, drive) as place
      from located group by 1, 2, 3, 4, 5) c
    join page_count p on p.run_id = c.run_id and p.name_id = c.name_id group by c.run_id)
  update run set open_rules = coalesce(counted.rules, '{}')
  from viewed left join counted on counted.run_id = viewed.id where run.id = viewed.id`,
]
