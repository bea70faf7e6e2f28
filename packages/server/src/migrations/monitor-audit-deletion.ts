/**
 * The deletion of a scan marks its row first. Its entry in the audit log has the whole row, as that of any other deletion: the
 * row itself is soon gone.
 */
export const auditedDeletions: readonly string[] = [
  `create or replace function audit_row() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
      old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      named jsonb := coalesce(new_row, old_row);
      hidden text[] := tg_argv[3]::text[];
      is_deletion boolean := tg_op = 'DELETE'
        or coalesce(tg_op = 'UPDATE' and old_row ->> 'deleted_at' is null and new_row ->> 'deleted_at' is not null, false);
    begin
      if who is null then return null; end if;
      old_row := (old_row - hidden) #- '{settings,advanced,extraHeaders}';
      new_row := (new_row - hidden) #- '{settings,advanced,extraHeaders}';
      if is_deletion then
        new_row := null;
      elsif tg_op = 'UPDATE' then
        select coalesce(jsonb_object_agg(key, value), '{}') into old_row
          from jsonb_each(to_jsonb(old) - hidden) o where o.value is distinct from (to_jsonb(new) -> o.key);
        select coalesce(jsonb_object_agg(key, value), '{}') into new_row
          from jsonb_each(to_jsonb(new) - hidden) n where n.value is distinct from (to_jsonb(old) -> n.key);
        old_row := old_row #- '{settings,advanced,extraHeaders}';
        new_row := new_row #- '{settings,advanced,extraHeaders}';
        if new_row = '{}' and old_row = '{}' and tg_argv[4] = '' then return null; end if;
      end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, before, after)
      values (who ->> 'id', who ->> 'address', who ->> 'request',
        case when tg_op = 'INSERT' then 'created' when is_deletion then 'deleted' else 'changed' end,
        tg_argv[0], coalesce(named ->> tg_argv[1], ''), (named ->> nullif(tg_argv[2], ''))::uuid, old_row, new_row);
      return null;
    end
  $$`,
]
