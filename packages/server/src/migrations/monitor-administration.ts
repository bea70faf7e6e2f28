/** Languages, sharing, presets, scripts, session secrets, schedules, and subscriptions to runs. */
export const administrationTables: readonly string[] = [
  `alter table person add column language text`,
  // Only the hash, so that database readers cannot open the link.
  `create table share_token (
    scan_id uuid primary key references scan on delete cascade,
    hash bytea not null unique,
    created_by text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz
  )`,
  `create table preset (
    id uuid primary key,
    name text not null,
    settings jsonb not null,
    version int not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index preset_name on preset (lower(name))`,
  `create table script (
    id uuid primary key,
    name text not null,
    type text not null check (type in ('TASK', 'SESSION')),
    shared boolean not null,
    content text not null,
    variables jsonb not null,
    version int not null default 1,
    created_by text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index script_name on script (lower(name)) where shared`,
  // Secrets of scan and script settings, sealed with a key outside the database.
  `create table secret (
    owner_id uuid not null,
    name text not null,
    sealed bytea not null,
    primary key (owner_id, name)
  )`,
  // next_run_at is computed when the schedule is saved and when it falls due; null if no run remains.
  `create table schedule (
    scan_id uuid primary key references scan on delete cascade,
    recurrence jsonb not null,
    started int not null default 0,
    next_run_at timestamptz,
    last_started_at timestamptz
  )`,
  `create index schedule_due on schedule (next_run_at) where next_run_at is not null`,
  // Written in the transaction that ends a run; deleted when its messages are written.
  `create table ended_run (
    run_id uuid primary key references run on delete cascade,
    at timestamptz not null default now()
  )`,
  `create table subscriber (
    scan_id uuid not null references scan on delete cascade,
    person_id text not null,
    primary key (scan_id, person_id)
  )`,
  `create table webhook (
    id uuid primary key,
    scan_id uuid not null references scan on delete cascade,
    url text not null,
    secret bytea not null,
    events text[] not null,
    active boolean not null,
    created_at timestamptz not null default now()
  )`,
  `create index webhook_scan on webhook (scan_id)`,
  // A message to one receiver. Kept until it is delivered or given up, and then for a while as a record.
  `create table delivery (
    id uuid primary key,
    kind text not null check (kind in ('mail', 'webhook')),
    scan_id uuid not null references scan on delete cascade,
    webhook_id uuid references webhook on delete cascade,
    run_number int,
    event text not null,
    receiver text not null,
    payload jsonb not null,
    state text not null default 'waiting',
    attempts int not null default 0,
    next_at timestamptz,
    lease_until timestamptz,
    last_status int,
    last_error text,
    created_at timestamptz not null default now(),
    delivered_at timestamptz
  )`,
  `create index delivery_due on delivery (next_at) where state = 'waiting'`,
  `create index delivery_webhook on delivery (webhook_id, created_at desc)`,
  `create index delivery_old on delivery (created_at) where state <> 'waiting'`,
  `create index delivery_scan on delivery (scan_id)`,
  `create index delivery_mail on delivery (created_at) where kind = 'mail'`,
  `alter table scan add column preset_id uuid generated always as ((settings ->> 'presetId')::uuid) stored`,
  `create index scan_preset on scan (preset_id) where preset_id is not null`,
]

/** URLs of webhooks often contain a token. The server seals the existing ones when it starts; messages name the webhook. */
export const sealedWebhookUrls: readonly string[] = [
  `alter table webhook alter column url type bytea using convert_to(url, 'UTF8')`,
  `update delivery set receiver = webhook_id where kind = 'webhook'`,
]
