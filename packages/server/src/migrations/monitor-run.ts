const toCountColumns = (columnNames: readonly string[]) =>
  columnNames.map((columnName) => `${columnName} int not null default 0`).join(', ')
const severityColumns = ['critical', 'serious', 'moderate', 'minor', 'needs_review']

/** Runs, their pages, and the URLs in progress. */
export const runTables: readonly string[] = [
  // Narrow, because its counters change with every page; its settings are in a separate table.
  `create table run (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    number int not null,
    status text not null,
    partial boolean not null default false,
    problem text,
    problem_detail text,
    priority smallint not null,
    cancelled boolean not null default false,
    queued_at timestamptz not null default now(),
    started_at timestamptz,
    ended_at timestamptz,
    served_at timestamptz,
    wave int not null default -1,
    ${toCountColumns(['found', 'completed', 'failed', 'retried', 'excluded', 'other_domain', 'not_reached', 'unique_pages'])},
    ${toCountColumns(['health_critical', 'health_serious', 'health_moderate', 'health_good'])},
    ${toCountColumns([...severityColumns, 'total_issues'])},
    score numeric(5, 4),
    unique (scan_id, number)
  ) with (fillfactor = 70)`,
  `create index run_active on run (priority, queued_at) where ended_at is null`,
  `create table run_plan (
    run_id uuid primary key references run on delete cascade,
    scan_name text not null,
    settings jsonb not null,
    rule_set_hash text not null,
    axe_release text not null,
    browser text,
    change jsonb
  )`,
  // The frontier. Rows live only as long as the run. state: 0 waiting, 1 in progress, 2 done, 3 recorded as excluded.
  `create table frontier (
    id bigint generated always as identity primary key,
    run_id uuid not null references run on delete cascade,
    key_hash bytea not null,
    state smallint not null default 0,
    wave int not null,
    parent_place int not null,
    link_place int not null,
    place int,
    depth int not null,
    attempt smallint not null default 0,
    losses smallint not null default 0,
    token uuid,
    worker uuid,
    lease_until timestamptz,
    not_before timestamptz,
    exclusion text,
    url text not null,
    key text not null,
    found_on text,
    unique (run_id, key_hash)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`,
  `create index frontier_waiting on frontier (run_id, wave, place) where state = 0`,
  `create index frontier_resting on frontier (run_id) where state = 0 and not_before is not null`,
  `create index frontier_working on frontier (run_id, lease_until) where state = 1`,
  `create table worker (
    id uuid primary key,
    host text not null,
    pid int not null,
    browser text,
    browser_source text,
    problem text,
    started_at timestamptz not null default now(),
    beat_at timestamptz not null default now()
  )`,
  `create table page (
    id uuid primary key,
    run_id uuid not null references run on delete cascade,
    scan_id uuid not null,
    key_hash bytea not null,
    url text not null,
    final_url text,
    title text,
    status text not null,
    source text not null default 'automated',
    health smallint,
    failure text,
    exclusion text,
    detail text,
    http_status int,
    mime_type text,
    leads_to text,
    found_on text,
    depth int not null,
    attempts smallint not null,
    duration_ms int,
    notices text[] not null default '{}',
    ${toCountColumns([...severityColumns, 'fixed', 'not_stored'])},
    content_hash bytea,
    analysed_at timestamptz,
    unique (run_id, key_hash)
  )`,
  `create index page_list on page (run_id, status, health)`,
]

/** Findings and issues. */
export const findingTables: readonly string[] = [
  `create table rule (
    id int generated always as identity primary key,
    hash bytea not null unique,
    name text not null,
    help text not null,
    description text not null,
    help_url text not null,
    tags text[] not null
  )`,
  `create table issue_group (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    pattern_hash bytea not null,
    rule text not null,
    unique (scan_id, pattern_hash)
  )`,
  // One row per problem, regardless of how many runs find it.
  `create table issue (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    identity_hash bytea not null,
    group_id uuid not null references issue_group on delete cascade,
    page_key bytea not null,
    rule text not null,
    status smallint not null default 1,
    presence smallint not null default 0,
    assigned_to text,
    version int not null default 1,
    key_version smallint not null default 1,
    matched_by text not null default 'key',
    first_run int not null,
    last_run int not null,
    fixed_in_run int,
    first_seen_at timestamptz not null,
    last_seen_at timestamptz not null,
    unique (scan_id, identity_hash)
  ) with (fillfactor = 85)`,
  `create index issue_group_of on issue (group_id)`,
  `create index issue_last on issue (scan_id, presence, last_run)`,
  // Texts of findings, stored once per scan regardless of how many runs repeat them.
  `create table evidence (
    hash bytea primary key,
    scan_id uuid not null references scan on delete cascade,
    selector text not null,
    target jsonb not null,
    html text not null,
    fix jsonb not null
  )`,
  `create index evidence_scan on evidence (scan_id)`,
  `create table blob (
    hash bytea primary key,
    scan_id uuid not null references scan on delete cascade,
    media_type text not null,
    encoding text,
    bytes bytea not null
  )`,
  // Already compressed.
  `alter table blob alter column bytes set storage external`,
  `create index blob_scan on blob (scan_id)`,
  // The largest table: one row per issue and run. Wide columns are elsewhere.
  `create table finding (
    run_id uuid not null references run on delete cascade,
    issue_id uuid not null,
    page_id uuid not null,
    group_id uuid not null,
    rule_id int not null,
    severity smallint not null,
    impact smallint,
    status smallint not null,
    change smallint not null,
    evidence bytea not null,
    picture bytea,
    picture_box real[],
    primary key (run_id, issue_id)
  )`,
  // Contains the filtered columns, so that lists and counts read the table only for visible rows.
  `create index finding_list on finding (run_id, severity, issue_id) include (change, status, rule_id, page_id, group_id)`,
  `create index finding_rule on finding (run_id, rule_id)`,
  `create index finding_group on finding (run_id, group_id)`,
  `create index finding_page on finding (page_id)`,
  `create index finding_issue on finding (issue_id)`,
]

/** Present findings by rule. Null for runs in progress, and for runs that ended before this migration. */
export const runRules: readonly string[] = [
  `alter table run add column rule_ids integer[], add column rule_issues integer[]`,
  // Few issues have a label or belong to a component.
  `create index issue_named on issue (scan_id) where labels <> '{}' or component is not null`,
]
