/**
 * Requests that a user waits for: previews, dry runs, keystores. Settings and results are sealed; a row lives as long
 * as a client polls it.
 */
export const previewTables: readonly string[] = [
  `create table preview_task (
    id uuid primary key,
    kind text not null check (kind in ('preview', 'test', 'dry-run', 'keystore')),
    sealed bytea not null,
    created_at timestamptz not null default now(),
    watched_until timestamptz not null,
    token uuid,
    lease_until timestamptz
  )`,
  `create table preview_event (
    task_id uuid not null references preview_task on delete cascade,
    number int not null,
    sealed bytea not null,
    primary key (task_id, number)
  )`,
]

/** A worker can be asked to try a sign-in. */
export const signInTry: readonly string[] = [
  'alter table preview_task drop constraint preview_task_kind_check',
  `alter table preview_task add constraint preview_task_kind_check
    check (kind in ('preview', 'test', 'reach', 'dry-run', 'sign-in', 'keystore'))`,
]

/** A worker can be asked for the buttons of a page. */
export const pageButtons: readonly string[] = [
  'alter table preview_task drop constraint preview_task_kind_check',
  `alter table preview_task add constraint preview_task_kind_check
    check (kind in ('preview', 'test', 'reach', 'dry-run', 'sign-in', 'buttons', 'keystore'))`,
]
