/** Tables that grow with every run: fewer index entries, updates in place, and a vacuum that keeps up. */
export const growthTables: readonly string[] = [
  // The same columns as in finding_issue, which every run writes too.
  `alter table finding drop constraint finding_pkey`,
  `drop index finding_issue`,
  `alter table finding add constraint finding_pkey primary key (issue_id, run_id)`,
  // Every run sets last_run; in an index, it forbids updates in place.
  `drop index issue_last`,
  `create index issue_presence on issue (scan_id, presence)`,
  // Room for the new versions of the issues of a page, or of a bulk change.
  `alter table issue set (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
  `alter table page set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_vacuum_insert_scale_factor = 0)`,
  // Lists read findings from the index alone once a vacuum has seen the rows: a fifth of the table may be millions.
  `alter table finding set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 50000,
    autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0.01)`,
  // Foreign keys: a deletion looks for rows that refer to what it deletes.
  `create index issue_ignore_group on issue_ignore (group_id) where group_id is not null`,
  `create index scan_group_admin_group on scan_group_admin (group_id)`,
  `create index scan_group_scan_group on scan_group_scan (group_id)`,
  `create index team_member_team on team_member (team_id)`,
]
