/** A draft of unsaved scan settings. Not audited: it changes often, and nothing for other people. */
export const draftTables: readonly string[] = [
  `create table scan_draft (
        id uuid primary key,
        person_id text not null,
        scan_id uuid references scan on delete cascade,
        begun_with text not null default '',
        content jsonb not null,
        saved_at timestamptz not null default now(),
        unique nulls not distinct (person_id, scan_id, begun_with)
      )`,
  `create index scan_draft_scan on scan_draft (scan_id) where scan_id is not null`,
  `create index scan_draft_saved on scan_draft (saved_at)`,
]
