/** Indexes for lists by assignee or label without reading findings; drops a redundant index. */
export const speedTables: readonly string[] = [
  // The severity of the newest finding, if the finding is present.
  `alter table issue add column severity smallint not null default 4`,
  `update issue i set severity = f.severity from (
    select distinct on (issue_id) issue_id, severity from finding order by issue_id, run_id desc) f
    where f.issue_id = i.id`,
  // Queries for the rules of a run use finding_list, which contains the same columns.
  `drop index finding_rule`,
]
