/** Saved filters and sort orders of lists, by name. */
export const viewTables: readonly string[] = [
  `create table view (
    id uuid primary key,
    screen text not null,
    name text not null,
    query jsonb not null,
    author_id text not null,
    -- Of one team, for everybody, or with neither for its author alone.
    team_id text references team on delete cascade,
    for_everybody boolean not null default false,
    version int not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (team_id is null or not for_everybody)
  )`,
  `create unique index view_own_name on view (author_id, screen, lower(name)) where team_id is null and not for_everybody`,
  `create unique index view_team_name on view (team_id, screen, lower(name)) where team_id is not null`,
  `create unique index view_common_name on view (screen, lower(name)) where for_everybody`,
  // The number of a person's views is checked before each new one.
  `create index view_author on view (author_id)`,
  `create trigger audit_view after insert or update or delete on view
    for each row execute function audit_row('view', 'id', '', '{version,updated_at}', '')`,
]
