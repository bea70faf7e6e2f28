/** Prioritizes users' re-checks over automatic ones, and counts the re-checks missing in a run's counts. */
export const recheckOrderTables: readonly string[] = [
  `alter table recheck add column run_id uuid`,
  `update recheck r set run_id = p.run_id from page p where p.id = r.page_id`,
  `alter table recheck alter column run_id set not null`,
  // Requested automatically, for carried-over results that cannot be relied on.
  `alter table recheck add column automatic boolean not null default false`,
  `drop index recheck_open`,
  `create index recheck_open on recheck (automatic, requested_at) where state in ('waiting', 'working')`,
  `create index recheck_open_of_run on recheck (run_id, automatic) where state in ('waiting', 'working')`,
  `alter table run add column rechecked int not null default 0`,
  `create index run_rechecked on run (id) where rechecked > 0`,
]
