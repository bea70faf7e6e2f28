/**
 * Changes by an API key. Its name is part of the entry, because the key may be deleted later. The key row is locked until the
 * change commits: a deletion waits for changes in progress, and no later change of the key succeeds.
 */
export const auditedKeys: readonly string[] = [
  `alter table audit add column key_id uuid, add column key_name text`,
  // Entries without a key keep the text that was hashed.
  `create or replace function audit_text(entry audit) returns text language sql stable set search_path from current as $$
    select (jsonb_build_object('number', entry.number, 'at', extract(epoch from entry.at)::text, 'actor', entry.actor,
      'address', entry.address, 'request', entry.request_id, 'action', entry.action, 'noun', entry.noun,
      'subject', entry.subject, 'scan', entry.scan_id, 'before', entry.before, 'after', entry.after)
      || case when entry.key_id is null then '{}'
        else jsonb_build_object('key', entry.key_id, 'keyName', entry.key_name) end)::text
  $$`,
  `create function audit_key() returns trigger language plpgsql set search_path from current as $$
    declare
      used_key jsonb := audit_actor() -> 'key';
    begin
      new.key_id := (used_key ->> 'id')::uuid;
      new.key_name := used_key ->> 'name';
      -- Does not wait for the update of its last use.
      perform from api_key where id = new.key_id for key share;
      if not found then raise exception 'the API key was deleted' using errcode = 'CW001'; end if;
      return new;
    end
  $$`,
  `create trigger audit_key before insert on audit for each row when (audit_actor() -> 'key' is not null)
    execute function audit_key()`,
]
