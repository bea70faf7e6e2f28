/**
 * Counts of the newest completed run of each scan, for lists over all scans. Without them, lists count pages and findings. They are
 * counted when a run ends, and for the runs of earlier versions scan by scan, after the start.
 */
const counts: readonly string[] = [
  `create table listed_run (
    scan_id uuid primary key references scan on delete cascade,
    run_id uuid not null unique references run on delete cascade,
    page_classes int[] not null,
    pages int,
    first_url text,
    last_url text,
    first_id text,
    last_id text,
    site text,
    has_folders boolean,
    templates text[],
    untested jsonb
  )`,
  `alter table issue_group
    add column open_severity smallint,
    add column open_issues int not null default 0,
    add column open_reviews int not null default 0,
    add column open_pages int not null default 0,
    add column open_rule_id int`,
  // Counts change in place.
  `alter table issue_group set (fillfactor = 80)`,
  `alter table listed_run set (fillfactor = 50)`,
]

/** The first run of the span of a finding, for lists of new ones. The view is as before otherwise. */
const firstRuns: readonly string[] = [
  `create index finding_open_first on finding_open (scan_id, first_run)`,
  `create or replace view finding as
    select run.id as run_id, run.number as run_number, s.issue_id, coalesce(page.id, s.last_page_id) as page_id, s.group_id, s.rule_id,
      s.severity, s.impact,
      coalesce((select t.status from status_span t where t.scan_id = s.scan_id and t.issue_id = s.issue_id
        and t.first_run <= run.number and t.until_run >= run.number order by t.first_run desc limit 1),
        case when s.change = 3 then 2 else 1 end::smallint) as status,
      case when s.change in (0, 2) and s.first_run < run.number then 1::smallint else s.change end as change,
      s.evidence, s.picture, s.picture_box, s.drive_level, s.states, s.scan_id, s.page_key, s.first_run
    from run
    join finding_span s on s.scan_id = run.scan_id and s.first_run <= run.number + 0 and s.until_run >= run.number + 0
    left join run_page page on page.run_id = run.id and page.key_hash = s.page_key
    where run.archived_at is null and case when run.judged then true else s.change <= 2 and is_page_completed(run.id, s.page_key) end`,
]

export const listedRuns: readonly string[] = [...counts, ...firstRuns]
