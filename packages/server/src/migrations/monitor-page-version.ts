import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a visit saw of a page, which the runs that see the same share. */
const versionColumns =
  'url, final_url, title, source, http_status, mime_type, found_on, depth, content_hash, content_key, canonical, views, fingerprint, signed_in, evidence, driven'

/** What a run has of a page, in the order that leaves no gaps in a row. */
const runColumns =
  'id, run_id, analysed_at, duration_ms, carried_from, health, attempts, key_hash, status, failure, exclusion, detail, leads_to, requests'

/** Counts of issues; null for none, which takes no space. */
const counters = ['critical', 'serious', 'moderate', 'minor', 'needs_review', 'fixed', 'not_rechecked', 'not_stored']

const pageTables: readonly string[] = [
  `create table page_version (
    id bigint generated always as identity primary key,
    scan_id uuid not null references scan on delete cascade,
    hash bytea not null,
    url text not null,
    final_url text,
    title text,
    source text not null default 'automated',
    http_status int,
    mime_type text,
    found_on text,
    depth int not null,
    content_hash bytea,
    content_key text,
    canonical text,
    views bytea[] not null default '{}',
    fingerprint text,
    signed_in boolean,
    evidence jsonb,
    driven jsonb,
    unique (scan_id, hash)
  )`,
  // Of all values, so that versions with the same hash are the same. Columns that are added later change no hash while they are null.
  `create function page_version_hash(v page_version) returns bytea language sql immutable parallel safe as $$
    select substring(sha256(convert_to((jsonb_strip_nulls(to_jsonb(v)) - 'id' - 'scan_id' - 'hash')::text, 'UTF8')) for 16) $$`,
  `create table run_page (
    id uuid not null,
    run_id uuid not null,
    version_id bigint not null,
    analysed_at timestamptz,
    ${counters.map((name) => `${name} int`).join(', ')},
    duration_ms int,
    carried_from int,
    health smallint,
    attempts smallint not null,
    key_hash bytea not null,
    status text not null,
    failure text,
    exclusion text,
    detail text,
    leads_to text,
    notices text[],
    requests jsonb
  ) with (fillfactor = 95, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
    autovacuum_vacuum_insert_scale_factor = 0)`,
]

const moveRows: readonly string[] = [
  `alter table page rename to page_row`,
  `insert into page_version (scan_id, hash, ${versionColumns})
    select scan_id, page_version_hash(row(null, scan_id, null, ${versionColumns})::page_version), ${versionColumns} from page_row
    on conflict do nothing`,
  `analyze page_version`,
  `insert into run_page (version_id, notices, ${counters.join(', ')}, ${runColumns})
    select v.id, nullif(p.notices, '{}'), ${counters.map((name) => `nullif(p.${name}, 0)`).join(', ')}, ${runColumns
      .split(', ')
      .map((column) => `p.${column}`)
      .join(', ')}
    from (select *, page_version_hash(row(null, scan_id, null, ${versionColumns})::page_version) as version_hash from page_row) p
    join page_version v on v.scan_id = p.scan_id and v.hash = p.version_hash order by p.id`,
  `drop view finding`,
  `alter table recheck drop constraint recheck_page_id_fkey`,
  `drop table page_row`,
]

const selectOfVersion = (column: string) => `(select v.${column} from page_version v where v.id = p.version_id) as ${column}`

/** Columns of the view `page`, to which later migrations add others. */
const pageViewColumns = `select p.id, p.run_id, ${selectOfVersion('scan_id')}, p.key_hash, p.status, p.health, p.failure, p.exclusion, p.detail,
      p.leads_to, p.attempts, p.duration_ms, coalesce(p.notices, '{}') as notices,
      ${counters.map((name) => `coalesce(p.${name}, 0) as ${name}`).join(', ')}, p.analysed_at, p.requests, p.carried_from,
      ${versionColumns.split(', ').map(selectOfVersion).join(', ')}`

const pageIndexes: readonly string[] = [
  `alter table run_page add primary key (id)`,
  `alter table run_page add unique (run_id, key_hash)`,
  `alter table run_page add foreign key (run_id) references run on delete cascade`,
  `alter table recheck add foreign key (page_id) references run_page on delete cascade`,
  `create index page_list on run_page (run_id, status, health)`,
  // URLs may be longer than a key of an index.
  `create index page_duplicate on run_page (run_id, md5(leads_to)) where exclusion = 'duplicate'`,
  // Each value is looked up by itself, and only in statements that ask for it. A join would hide the table's indexes in statements of
  // many joins, and read the versions of all scans for the pages of one.
  `create view page as ${pageViewColumns} from run_page p`,
]

/** As before, by the table that has a row for each run. */
const findingViews: readonly string[] = [
  `analyze run_page`,
  `create or replace function is_page_completed(run uuid, key bytea) returns boolean
    language plpgsql stable strict parallel safe cost 1 as $$
      begin
        return (select p.status from monitor.run_page p where p.run_id = run and p.key_hash = key) = 'completed';
      end $$`,
  `create view finding as
    select run.id as run_id, s.issue_id, coalesce(page.id, s.last_page_id) as page_id, s.group_id, s.rule_id, s.severity, s.impact,
      s.status, case when s.change in (0, 2) and s.first_run < run.number then 1::smallint else s.change end as change,
      s.evidence, s.picture, s.picture_box, s.drive_level, s.states, s.scan_id, s.page_key
    from run
    join finding_span s on s.scan_id = run.scan_id and s.first_run <= run.number + 0 and s.until_run >= run.number + 0
    left join run_page page on page.run_id = run.id and page.key_hash = s.page_key
    where run.archived_at is null and case when run.judged then true else s.change <= 2 and is_page_completed(run.id, s.page_key) end`,
]

/** Pages as versions that runs share, so that a run of an unchanged page adds a narrow row alone. */
export const pageVersions: Migration = {
  async up(db) {
    for (const statement of [...pageTables, ...moveRows, ...pageIndexes, ...findingViews]) await sql.raw(statement).execute(db)
  },
}

/**
 * The structure of a page, unknown for older ones and those that no browser rendered. The known URLs that a page stands for, and sums of
 * these for a run, unknown for runs that left nothing out.
 */
export const pageTemplates: readonly string[] = [
  `alter table page_version add column template text`,
  `create or replace view page as ${pageViewColumns}, ${selectOfVersion('template')} from run_page p`,
  `alter table run_page add column weight real`,
  `alter table run add column site_weights float8[]`,
]
