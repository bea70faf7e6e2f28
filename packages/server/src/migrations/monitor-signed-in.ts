/** Pages proved to be shown to the signed-in user. Null for older pages and for scans that do not sign in by a script. */
export const signedInColumns: readonly string[] = [
  `alter table page add column signed_in boolean`,
  `alter table run add column proved integer not null default 0, add column unproved integer not null default 0`,
]

/** Patterns of links that ended the session of a scan, learned by its runs. */
export const signOutUrls: readonly string[] = [`alter table scan add column sign_out_urls text[] not null default '{}'`]

/** The session of an active run: one worker signs in, the others use what it has. */
export const runSessions: readonly string[] = [
  `create table run_session (
    run_id uuid primary key references run on delete cascade,
    generation int not null default 0,
    sealed bytea,
    token uuid,
    lease_until timestamptz
  )`,
]
