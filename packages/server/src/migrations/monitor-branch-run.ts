/** Results of gates on branches, apart from the runs of a scan. */
export const branchRuns: readonly string[] = [
  `create table branch_run (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    branch text not null,
    commit text,
    build_url text,
    result text not null,
    report jsonb not null,
    uploaded_by text not null,
    uploaded_at timestamptz not null default now()
  )`,
  `create index branch_run_scan on branch_run (scan_id, uploaded_at desc, id desc)`,
  `create trigger audit_branch_run after insert or delete on branch_run
    for each row execute function audit_row('branch-run', 'id', 'scan_id', '{report}', '')`,
]
