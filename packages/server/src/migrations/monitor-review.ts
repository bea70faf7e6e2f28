/** Comments and labels of issues, ignore rules, and columns for exports and retention. */
export const reviewTables: readonly string[] = [
  `alter table issue
    add column element_key text not null default '',
    add column marked boolean,
    add column labels text[] not null default '{}',
    add column remediation text,
    add column component text,
    add column ignore_id uuid`,
  // Matching changes an issue's key when its element moves, and two issues may swap keys while the page is locked.
  `alter table issue drop constraint issue_scan_id_identity_hash_key`,
  `create index issue_page on issue (scan_id, page_key)`,
  `create index issue_labels on issue using gin (labels)`,
  `create index issue_assigned on issue (assigned_to) where assigned_to is not null`,
  // Run ids sort by creation, so the last entry is the newest finding of an issue.
  `drop index finding_issue`,
  `create index finding_issue on finding (issue_id, run_id)`,
  `create index page_content on page (content_hash) where content_hash is not null`,
  `create table issue_ignore (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    scope text not null check (scope in ('issue', 'group', 'rule-on-page', 'rule')),
    rule text not null,
    group_id uuid references issue_group on delete cascade,
    page_key bytea,
    reason text not null,
    author_id text not null,
    created_at timestamptz not null default now()
  )`,
  `create index issue_ignore_scan on issue_ignore (scan_id, rule)`,
  `create table issue_comment (
    id uuid primary key,
    issue_id uuid not null references issue on delete cascade,
    author_id text not null,
    text text not null,
    created_at timestamptz not null default now()
  )`,
  `create index issue_comment_issue on issue_comment (issue_id, id)`,
  `alter table run add column archived_at timestamptz, add column contents_cleared_at timestamptz,
    -- Groups of open issues by their worst severity, critical first; null while nobody has counted them.
    add column open_groups int[]`,
  `create index run_ended on run (ended_at) where ended_at is not null and archived_at is null`,
  // Keys of the public API, stored as hashes only.
  `create table api_key (
    id uuid primary key,
    person_id text not null,
    name text not null,
    hash bytea not null unique,
    hint text not null,
    scopes text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index api_key_person on api_key (person_id)`,
  // The person's latest token, for keys that act on their behalf.
  `alter table person add column is_admin boolean not null default false,
    add column has_access boolean not null default false`,
]
