import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** End of a span that lasts until a later run differs. */
const openEnd = 2147483647

/**
 * Findings as spans of runs: one row for each stretch of runs in which nothing of a finding differs. Spans that last are in a
 * partition of their own, so that lists of the newest run read nothing else.
 */
const spanTable: readonly string[] = [
  // True from the end of a run with results: its issues without a page of the run were judged, too.
  `alter table run add column judged boolean not null default false`,
  `update run set judged = true where ended_at is not null and (completed > 0 or exists (select from finding f where f.run_id = run.id))`,
  `alter table finding rename to finding_row`,
  `create table finding_span (
    issue_id uuid not null,
    scan_id uuid not null references scan on delete cascade,
    group_id uuid not null,
    last_page_id uuid,
    page_key bytea not null,
    evidence bytea not null,
    picture bytea,
    first_run int not null,
    until_run int not null default ${openEnd},
    rule_id int not null,
    severity smallint not null,
    impact smallint,
    status smallint not null,
    change smallint not null,
    drive_level smallint,
    picture_box real[],
    states text[],
    -- With the scan, a search for an issue in a run needs no other index; spans that ended before are skipped.
    primary key (issue_id, scan_id, until_run, first_run)
  ) partition by range (until_run)`,
  `create table finding_open partition of finding_span for values from (${openEnd}) to (maxvalue)
    with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0.01)`,
  `create table finding_past partition of finding_span for values from (minvalue) to (${openEnd})
    with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 50000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_analyze_scale_factor = 0.01)`,
]

/** Indexes, created after the rows are moved. */
const spanIndexes: readonly string[] = [
  // Contains the filtered columns, so that lists and counts of the newest run are read from the index alone.
  `create index finding_open_list on finding_open (scan_id, severity, issue_id)
    include (change, status, rule_id, first_run, until_run, group_id, page_key)`,
  `create index finding_past_until on finding_past (scan_id, until_run, first_run)`,
  `create index finding_span_group on finding_span (scan_id, group_id)`,
  `create index finding_span_page on finding_span (scan_id, page_key, until_run)`,
  `create index finding_span_last_page on finding_span (last_page_id) where last_page_id is not null`,
  // The sweep looks for a run that still has its findings, or its contents, among all runs of a span.
  `create index run_kept on run (scan_id, number) where archived_at is null`,
  `create index run_with_contents on run (scan_id, number) where contents_cleared_at is null`,
]

/**
 * True if a run has completed a page. Not in SQL, which the planner would move into each statement and expect to run for every
 * finding, although only those of runs in progress need it.
 */
const isPageCompleted = `create function is_page_completed(run uuid, key bytea) returns boolean
  language plpgsql stable strict parallel safe cost 1 as $$
    begin
      return (select p.status from monitor.page p where p.run_id = run and p.key_hash = key) = 'completed';
    end $$`

/**
 * Findings by run, whatever spans they are part of. The sums keep the planner from looking for all runs of a span, of which it
 * expects few: a statement names its runs.
 */
const findingView = `create view finding as
  select run.id as run_id, s.issue_id, coalesce(page.id, s.last_page_id) as page_id, s.group_id, s.rule_id, s.severity, s.impact,
    s.status, case when s.change in (0, 2) and s.first_run < run.number then 1::smallint else s.change end as change,
    s.evidence, s.picture, s.picture_box, s.drive_level, s.states, s.scan_id, s.page_key
  from run
  join finding_span s on s.scan_id = run.scan_id and s.first_run <= run.number + 0 and s.until_run >= run.number + 0
  left join page on page.run_id = run.id and page.key_hash = s.page_key
  where run.archived_at is null and case when run.judged then true else s.change <= 2 and is_page_completed(run.id, s.page_key) end`

const valueColumns = `page_key, last_page_id, group_id, rule_id, severity, impact, status, evidence, picture, picture_box, drive_level, states`

/**
 * Moves the findings of one scan into spans. Runs count by their place among those with findings, so that a failed run between
 * two others does not end a span. A run in progress is the last place; its issues of pages not yet visited last.
 */
const moveScan = async (db: Kysely<unknown>, scanId: string): Promise<void> => {
  await sql`
    with place as materialized (
      select id, number, ended_at is null as is_active, row_number() over (order by number) as at, count(*) over () as places
      from run where scan_id = ${scanId}::uuid and archived_at is null and (judged or ended_at is null)),
    seen as (
      select f.issue_id, f.run_id, f.group_id, f.rule_id, f.severity, f.impact, f.status, f.change, f.evidence, f.picture,
        f.picture_box, f.drive_level, f.states, place.number, place.at, place.places, coalesce(page.key_hash, i.page_key) as page_key,
        case when page.run_id is distinct from f.run_id then f.page_id end as last_page_id
      from place join finding_row f on f.run_id = place.id join issue i on i.id = f.issue_id left join page on page.id = f.page_id),
    compared as (
      select seen.*, (lag(at) over w is distinct from at - 1 or change not in (1, 4) or (lag(change) over w <= 2) <> (change <= 2)
          or (lag(change) over w > 2 and lag(change) over w <> change)
          or (${sql.raw(
            valueColumns
              .split(', ')
              .map((column) => `lag(${column}) over w`)
              .join(', '),
          )}) is distinct from (${sql.raw(valueColumns)}))::int as is_first
      from seen window w as (partition by issue_id order by at)),
    numbered as (select compared.*, sum(is_first) over (partition by issue_id order by at) as stretch from compared),
    span as (
      select distinct on (issue_id, stretch) numbered.*, max(number) over s as last_number, max(at) over s as last_at
      from numbered window s as (partition by issue_id, stretch) order by issue_id, stretch, at)
    insert into finding_span (issue_id, scan_id, first_run, until_run, change, ${sql.raw(valueColumns)})
    select issue_id, ${scanId}::uuid, number, case
        when change in (3, 5) then last_number
        when last_at = places then ${sql.lit(openEnd)}
        -- The next place is a run in progress, which has not visited the page yet.
        when last_at = places - 1 and exists (select from place where is_active) and not exists (
          select from place join page on page.run_id = place.id and page.key_hash = span.page_key and page.status = 'completed'
          where place.is_active) then ${sql.lit(openEnd)}
        else last_number end,
      change, ${sql.raw(valueColumns)}
    from span`.execute(db)
}

export const findingSpans: Migration = {
  async up(db) {
    for (const statement of spanTable) await sql.raw(statement).execute(db)
    const { rows: scanRows } = await sql<{ id: string }>`select id from scan order by id`.execute(db)
    for (const { id } of scanRows) await moveScan(db, id)
    await sql`drop table finding_row`.execute(db)
    for (const statement of [...spanIndexes, isPageCompleted, findingView]) await sql.raw(statement).execute(db)
  },
}
