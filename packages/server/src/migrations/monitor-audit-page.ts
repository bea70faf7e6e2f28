/** Records deleted pages and uploads by the tables that store pages since they are versions. */
export const auditedPages: readonly string[] = [
  `create function audit_gone_pages() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
    begin
      if who is null then return null; end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, before)
      select who ->> 'id', who ->> 'address', who ->> 'request', 'deleted', 'pages', v.scan_id::text, v.scan_id,
        jsonb_build_object('count', count(*)) from gone join page_version v on v.id = gone.version_id group by v.scan_id;
      return null;
    end
  $$`,
  `create trigger audit_page after delete on run_page referencing old table as gone
    for each statement execute function audit_gone_pages()`,
  `create or replace function audit_upload() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
    begin
      if who is null then return null; end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, after)
      select who ->> 'id', who ->> 'address', who ->> 'request', 'created', 'upload', new.id::text, v.scan_id,
        jsonb_build_object('run_id', new.run_id, 'url', v.url)
      from page_version v where v.id = new.version_id and v.source = 'uploaded';
      return null;
    end
  $$`,
  // Only uploads are completed without a visit.
  `create trigger audit_upload after insert on run_page for each row when (new.status = 'completed' and new.attempts = 0)
    execute function audit_upload()`,
]
