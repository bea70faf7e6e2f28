/** What one person has or does, as far as it is bounded and nothing else tells it. */
export const quotaTables: readonly string[] = [
  // Null: by a schedule.
  `alter table run add column started_by text`,
  `create index run_started_by on run (started_by) where ended_at is null`,
  // Whoever waited for these has gone with the server that was there before.
  `delete from preview_task`,
  `alter table preview_task add column person_id text not null`,
  // Uses of one day; the next day begins anew.
  `create table daily_use (
    person_id text not null,
    kind text not null check (kind in ('upload')),
    day date not null,
    count int not null,
    primary key (person_id, kind)
  )`,
]
