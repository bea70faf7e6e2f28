/** Time of the last change that users see, for programs that copy issues. Runs that find an issue again do not change it. */
export const issueUpdates: readonly string[] = [
  `alter table issue add column updated_at timestamptz not null default now()`,
  `create function set_issue_updated() returns trigger language plpgsql as $$
    begin
      new.updated_at := clock_timestamp();
      return new;
    end $$`,
  `create trigger issue_updated before update on issue for each row when (
    (old.status, old.presence, old.severity, old.marked, old.assigned_to, old.remediation, old.ticket_url, old.labels,
      old.component, old.ignore_id)
    is distinct from (new.status, new.presence, new.severity, new.marked, new.assigned_to, new.remediation, new.ticket_url,
      new.labels, new.component, new.ignore_id))
    execute function set_issue_updated()`,
]
