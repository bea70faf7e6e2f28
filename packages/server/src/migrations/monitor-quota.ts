/** Usage of a person that is limited and not recorded elsewhere. */
export const quotaTables: readonly string[] = [
  // Null for a run by a schedule.
  `alter table run add column started_by text`,
  `create index run_started_by on run (started_by) where ended_at is null`,
  // Requests of clients that disconnected with the previous server.
  `delete from preview_task`,
  `alter table preview_task add column person_id text not null`,
  // Uses per day; the count restarts on the next day.
  `create table daily_use (
    person_id text not null,
    kind text not null check (kind in ('upload')),
    day date not null,
    count int not null,
    primary key (person_id, kind)
  )`,
]
