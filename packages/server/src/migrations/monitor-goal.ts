/** Targets of scans and scan groups, and annotations of trends. */
export const goalTables: readonly string[] = [
  ...['scan', 'scan_group'].map(
    (table) => `alter table ${table} add column target_score smallint check (target_score between 1 and 100),
      add column target_due date, add check ((target_score is null) = (target_due is null))`,
  ),
  `create table scan_annotation (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    day date not null,
    text text not null,
    author_id text not null,
    created_at timestamptz not null default now()
  )`,
  `create index scan_annotation_day on scan_annotation (scan_id, day, id)`,
  `create trigger audit_scan_annotation after insert or delete on scan_annotation
    for each row execute function audit_row('annotation', 'id', 'scan_id', '{}', '')`,
]
