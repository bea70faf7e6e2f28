/** An end of ignores, the issues that each of them covers, and entries of the audit log. */
export const ignoreUntil: readonly string[] = [
  `alter table issue_ignore add column until timestamptz, add column expired_at timestamptz`,
  `create index issue_ignore_until on issue_ignore (until) where until is not null`,
  // The status is left out: updates in place need its changes outside of every index.
  `create index issue_ignore_covered on issue (ignore_id) where ignore_id is not null`,
  // A change of many issues is one entry for each scan.
  `create function audit_ignores() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
    begin
      if who is null then return null; end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, before, after)
      select who ->> 'id', who ->> 'address', who ->> 'request', tg_argv[0], 'ignore', min(touched.id::text),
        touched.scan_id, case when tg_argv[0] = 'deleted' then facts end, case when tg_argv[0] = 'created' then facts end
      from touched, lateral jsonb_build_object('scope', touched.scope, 'reason', touched.reason, 'until', touched.until) facts
      group by touched.scan_id, facts;
      return null;
    end
  $$`,
  `create trigger audit_ignore_created after insert on issue_ignore referencing new table as touched
    for each statement execute function audit_ignores('created')`,
  `create trigger audit_ignore_deleted after delete on issue_ignore referencing old table as touched
    for each statement execute function audit_ignores('deleted')`,
  `create trigger audit_ignore_changed after update of until, reason on issue_ignore
    for each row execute function audit_row('ignore', 'id', 'scan_id', '{group_id,page_key}', '')`,
]
