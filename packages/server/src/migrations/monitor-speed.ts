/** What lists of some people's or labels' issues page by, without a look at findings; and one index less to write. */
export const speedTables: readonly string[] = [
  // The severity of the newest finding, where that says it is there.
  `alter table issue add column severity smallint not null default 4`,
  `update issue i set severity = f.severity from (
    select distinct on (issue_id) issue_id, severity from finding order by issue_id, run_id desc) f
    where f.issue_id = i.id`,
  // What asks for the rules of a run reads finding_list, which holds them too.
  `drop index finding_rule`,
]
