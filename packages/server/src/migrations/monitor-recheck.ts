/** The latest re-check of a page: waiting, in progress under a lease, or finished. */
export const recheckTables: readonly string[] = [
  `create table recheck (
    page_id uuid primary key references page on delete cascade,
    state text not null check (state in ('waiting', 'working', 'done', 'stale', 'failed')),
    requested_by text not null,
    requested_at timestamptz not null default now(),
    token uuid,
    lease_until timestamptz,
    attempts smallint not null default 0,
    ended_at timestamptz,
    failure text,
    detail text,
    -- new, back, fixed, still
    issues int[]
  )`,
  `create index recheck_open on recheck (requested_at) where state in ('waiting', 'working')`,
]
