/** Ignored issues of a run. Statuses and changes are stored by number: 3 is ignored, changes up to 2 are present, 4 needs review. */
export const ignoredIssueCounts: readonly string[] = [
  `alter table run add column ignored integer not null default 0`,
  `update run set ignored = t.ignored from (
    select run_id, count(*)::int as ignored from finding where status = 3 and change <= 2 and severity < 4 group by run_id) t
  where run.id = t.run_id`,
]
