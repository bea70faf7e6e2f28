/** Audited tables: the noun, the column with the subject's id, and the columns that are never recorded. */
const auditedTables: readonly {
  table: string
  noun: string
  subject: string
  scan?: string
  except?: readonly string[]
}[] = [
  {
    table: 'person',
    noun: 'person',
    subject: 'id',
    except: ['seen_at', 'language', 'email', 'first_name', 'last_name'],
  },
  {
    table: 'scan',
    noun: 'scan',
    subject: 'id',
    scan: 'id',
    except: ['version', 'updated_at', 'run_count', 'last_run_id', 'last_completed_run_id'],
  },
  { table: 'scan_group', noun: 'group', subject: 'id' },
  { table: 'scan_group_admin', noun: 'group-admin', subject: 'group_id' },
  { table: 'scan_group_scan', noun: 'group-scan', subject: 'group_id', scan: 'scan_id' },
  { table: 'scan_access', noun: 'access', subject: 'id', scan: 'scan_id' },
  { table: 'share_token', noun: 'share', subject: 'scan_id', scan: 'scan_id', except: ['hash'] },
  { table: 'api_key', noun: 'api-key', subject: 'id', except: ['hash', 'hint', 'used_at'] },
  { table: 'preset', noun: 'preset', subject: 'id', except: ['version', 'updated_at'] },
  {
    table: 'script',
    noun: 'script',
    subject: 'id',
    except: ['version', 'updated_at', 'content', 'variables'],
  },
  { table: 'secret', noun: 'secret', subject: 'owner_id', except: ['sealed'] },
  { table: 'webhook', noun: 'webhook', subject: 'id', scan: 'scan_id', except: ['secret', 'url'] },
  { table: 'system_setting', noun: 'setting', subject: 'name' },
]

/**
 * The audit log. The statement that makes a change also writes the entry, so that neither exists alone. The actor is a
 * setting of the connection; changes outside of requests are not recorded. A chain of hashes links the entries in
 * commit order.
 */
export const auditTables: readonly string[] = [
  `create table audit (
    id bigint generated always as identity primary key,
    number bigint unique,
    at timestamptz not null default clock_timestamp(),
    actor text,
    address text,
    request_id text,
    action text not null,
    noun text not null,
    subject text not null,
    scan_id uuid,
    before jsonb,
    after jsonb,
    previous bytea,
    hash bytea
  )`,
  `create index audit_at on audit (at)`,
  `create index audit_actor on audit (actor, number)`,
  `create index audit_noun on audit (noun, number)`,
  `create index audit_scan on audit (scan_id, number) where scan_id is not null`,
  // A single row with the end of the chain, which reveals a removal of the newest entries.
  `create table audit_chain (id boolean primary key default true check (id), number bigint not null, hash bytea not null)`,
  `insert into audit_chain (number, hash) values (0, '')`,
  `create function audit_text(entry audit) returns text language sql stable set search_path from current as $$
    select jsonb_build_object('number', entry.number, 'at', extract(epoch from entry.at)::text, 'actor', entry.actor,
      'address', entry.address, 'request', entry.request_id, 'action', entry.action, 'noun', entry.noun,
      'subject', entry.subject, 'scan', entry.scan_id, 'before', entry.before, 'after', entry.after)::text
  $$`,
  `create function chain_audit() returns trigger language plpgsql set search_path from current as $$
    declare
      link audit_chain;
      entry audit;
    begin
      select * into link from audit_chain for update;
      update audit set number = link.number + 1, previous = link.hash where id = new.id returning * into entry;
      if entry.id is null then return null; end if;
      entry.hash := sha256(entry.previous || convert_to(audit_text(entry), 'UTF8'));
      update audit set hash = entry.hash where id = entry.id;
      update audit_chain set number = entry.number, hash = entry.hash;
      return null;
    end
  $$`,
  // Deferred to the end of the transaction, so that the lock on the chain is held briefly and cannot deadlock.
  `create constraint trigger audit_chained after insert on audit deferrable initially deferred
    for each row when (new.number is null) execute function chain_audit()`,
  // The actor from the connection setting; null without one.
  `create function audit_actor() returns jsonb language sql stable set search_path from current as $$
    select nullif(current_setting('clearway.actor', true), '')::jsonb
  $$`,
  `create function audit_row() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
      old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
      named jsonb := coalesce(new_row, old_row);
      hidden text[] := tg_argv[3]::text[];
    begin
      if who is null then return null; end if;
      old_row := (old_row - hidden) #- '{settings,advanced,extraHeaders}';
      new_row := (new_row - hidden) #- '{settings,advanced,extraHeaders}';
      if tg_op = 'UPDATE' then
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
        case when tg_op = 'INSERT' then 'created'
          when tg_op = 'DELETE' or new_row ->> 'deleted_at' is not null then 'deleted' else 'changed' end,
        tg_argv[0], coalesce(named ->> tg_argv[1], ''), (named ->> nullif(tg_argv[2], ''))::uuid, old_row, new_row);
      return null;
    end
  $$`,
  // A bulk deletion is one entry.
  `create function audit_gone() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
    begin
      if who is null then return null; end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, before)
      select who ->> 'id', who ->> 'address', who ->> 'request', 'deleted', tg_argv[0], gone.scan_id::text, gone.scan_id,
        jsonb_build_object('count', count(*)) from gone group by gone.scan_id;
      return null;
    end
  $$`,
  `create trigger audit_issue after delete on issue referencing old table as gone
    for each statement execute function audit_gone('issues')`,
  `create trigger audit_page after delete on page referencing old table as gone
    for each statement execute function audit_gone('pages')`,
  `create function audit_upload() returns trigger language plpgsql set search_path from current as $$
    declare
      who jsonb := audit_actor();
    begin
      if who is null then return null; end if;
      insert into audit (actor, address, request_id, action, noun, subject, scan_id, after)
      values (who ->> 'id', who ->> 'address', who ->> 'request', 'created', 'upload', new.id::text, new.scan_id,
        jsonb_build_object('run_id', new.run_id, 'url', new.url));
      return null;
    end
  $$`,
  `create trigger audit_upload after insert on page for each row when (new.source = 'uploaded')
    execute function audit_upload()`,
  ...auditedTables.map(({ table, noun, subject, scan = '', except = [] }) => {
    // A replaced secret shows no difference, so it is always recorded.
    const recordMode = table === 'secret' ? 'always' : ''
    return `create trigger audit_${table} after insert or update or delete on ${table}
      for each row execute function audit_row('${noun}', '${subject}', '${scan}', '{${except.join(',')}}', '${recordMode}')`
  }),
]
