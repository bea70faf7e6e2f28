import { type Migrations, runStatements } from '../kit/database.ts'
import { bulkEdits } from './monitor-bulk-edit.ts'
import { listedRuns } from './monitor-listed-run.ts'
import { openRules } from './monitor-open-rules.ts'
import { textIndexes } from './monitor-text-index.ts'

/** End of a span that lasts until a later run differs. */
const openEnd = 2147483647

/** Status of an issue by the change of its finding alone: 2 is fixed, 1 is open; the change 3 is fixed. */
const impliedStatus = (change: string) => `(case when ${change} = 3 then 2 else 1 end)`

/**
 * Statuses by run apart from findings, stored only where they differ from what the finding implies. A change of status then
 * writes one narrow row in one index, and no finding.
 */
const statusSpans: readonly string[] = [
  `create table status_span (
    scan_id uuid not null,
    issue_id uuid not null,
    first_run int not null,
    until_run int not null default ${openEnd},
    status smallint not null,
    primary key (scan_id, issue_id, first_run)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0.02)`,
  `insert into status_span (scan_id, issue_id, first_run, until_run, status)
    select scan_id, issue_id, first_run, until_run, status from finding_span
    where status <> ${impliedStatus('change')} order by 1, 2, 3`,
  // A foreign key would look up the issue of each row that is written.
  `create function delete_status_spans() returns trigger language plpgsql as $$
    begin
      delete from monitor.status_span t using deleted d where t.scan_id = d.scan_id and t.issue_id = d.id;
      return null;
    end $$`,
  `create trigger issue_status_spans after delete on issue referencing old table as deleted
    for each statement execute function delete_status_spans()`,
  `drop view finding`,
  // With the index of the list, which includes it.
  `alter table finding_span drop column status`,
  `create index finding_open_list on finding_open (scan_id, severity, issue_id)
    include (change, rule_id, first_run, until_run, group_id, page_key)`,
  // The status is looked up only in statements that ask for it.
  `create view finding as
    select run.id as run_id, run.number as run_number, s.issue_id, coalesce(page.id, s.last_page_id) as page_id, s.group_id, s.rule_id,
      s.severity, s.impact,
      coalesce((select t.status from status_span t where t.scan_id = s.scan_id and t.issue_id = s.issue_id
        and t.first_run <= run.number and t.until_run >= run.number order by t.first_run desc limit 1),
        ${impliedStatus('s.change')}::smallint) as status,
      case when s.change in (0, 2) and s.first_run < run.number then 1::smallint else s.change end as change,
      s.evidence, s.picture, s.picture_box, s.drive_level, s.states, s.scan_id, s.page_key
    from run
    join finding_span s on s.scan_id = run.scan_id and s.first_run <= run.number + 0 and s.until_run >= run.number + 0
    left join run_page page on page.run_id = run.id and page.key_hash = s.page_key
    where run.archived_at is null and case when run.judged then true else s.change <= 2 and is_page_completed(run.id, s.page_key) end`,
  // Ignoring issues then updates them in place. The issues of an ignore are among those of its scan with a status of their own.
  `drop index issue_ignore_covered`,
  // Room for a second version of every row, so that a change of all issues of a page is made in place.
  `alter table issue set (fillfactor = 45)`,
  // As for the other tables that grow.
  ...['page_version', 'evidence'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0.02)`,
  ),
]

/** Previous values of a bulk change, once for all issues of a part that had the same. */
const undoSets: readonly string[] = [
  `alter table issue_undo_part rename to issue_undo_entry`,
  `alter index issue_undo_part_pkey rename to issue_undo_entry_pkey`,
  `create table issue_undo_part (
    undo_id uuid not null references issue_undo on delete cascade,
    part int not null,
    place int not null,
    issue_ids uuid[] not null,
    versions int[] not null,
    before jsonb not null,
    restored_at timestamptz,
    primary key (undo_id, part, place)
  )`,
  `insert into issue_undo_part (undo_id, part, place, issue_ids, versions, before, restored_at)
    select undo_id, part, row_number() over (partition by undo_id, part), array_agg(id), array_agg(version), before, restored_at
    from (
      select u.undo_id, u.part, u.restored_at, (entry ->> 'id')::uuid as id, (entry ->> 'version')::int as version,
        jsonb_strip_nulls(entry - 'id' - 'version') as before
      from issue_undo_entry u cross join jsonb_array_elements(u.before) entry) entries
    group by undo_id, part, before, restored_at`,
  `drop table issue_undo_entry`,
]

export const statusMigrations: Migrations = {
  '0070-status-spans': runStatements(statusSpans),
  '0071-undo-sets': runStatements(undoSets),
  '0073-bulk-edit': runStatements(bulkEdits),
  '0074-open-rules': runStatements(openRules),
  '0075-text-indexes': runStatements(textIndexes),
  // Two calls at once then restore parts of different scans.
  '0076-undo-scan': runStatements([`alter table issue_undo_part add column scan_id uuid`]),
  '0077-listed-runs': runStatements(listedRuns),
}
