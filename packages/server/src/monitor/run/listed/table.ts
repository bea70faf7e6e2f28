import { type ColumnType, type RawBuilder, sql } from 'kysely'
import { severities, severityColumns } from '../../issue/model.ts'
import { healths } from '../../page/model.ts'

// Lists over all scans read what the newest completed run of each scan carries here, and pages and findings of other runs alone.

export type ListedTables = {
  /** Counts of the newest completed run of a scan. Those of its groups of issues are in `issue_group`. */
  listed_run: {
    scan_id: string
    run_id: string
    /** Its pages by `selectPageClass`: (health, worst severity, open issues, results to review, pages). */
    page_classes: number[][]
    /** Number of its pages; null until these columns are counted. */
    pages: number | null
    first_url: string | null
    last_url: string | null
    first_id: string | null
    last_id: string | null
    /** The site of all of its pages; null for several sites. */
    site: string | null
    /** Its site has folders. */
    has_folders: boolean | null
    /** Structures of its tested pages. */
    templates: string[] | null
    /** Numbers of pages by the reason for which they were not tested. */
    untested: ColumnType<Record<string, number> | null, string | null, string | null>
  }
}

type Runs = RawBuilder<unknown>

/** A text in the order of its bytes: bounds that are stored must hold in a database with another collation, too. */
export const inByteOrder = (text: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${text} collate "C")`

/** Condition for a `run` whose counts are current: an archived run has lost most of its pages, and re-checked pages are summed up later. */
const isCurrent = sql`run.archived_at is null and run.rechecked = 0`
/** Joins runs, given as (run_id), that have current counts: with `listed_run` as `l`, and with `run`. */
export const joinCounted = (runs: Runs): RawBuilder<unknown> =>
  sql`${runs} r join listed_run l on l.run_id = r.run_id join run on run.id = r.run_id and ${isCurrent}`
/** Runs without current counts, with the columns of the given ones. */
export const selectUncounted = <Run extends Runs>(runs: Run, isListed: RawBuilder<unknown> = sql`true`): Run =>
  sql`(select r.* from ${runs} r where not exists (
    select from listed_run l join run on run.id = l.run_id and ${isCurrent} where l.run_id = r.run_id and ${isListed}))` as Run

/** Order of pages without a health among the healths, and of pages without issues among the severities: last. */
const noHealth = healths.length
export const noIssues = severities.length
const issuesOf = (page: string) =>
  sql`(coalesce(${sql.ref(`${page}.critical`)}, 0) + coalesce(${sql.ref(`${page}.serious`)}, 0)
    + coalesce(${sql.ref(`${page}.moderate`)}, 0) + coalesce(${sql.ref(`${page}.minor`)}, 0))`

/** Numbers from which classes have rounded ones, so that a run has few classes. */
const firstRounded = 16
const roundDown = (count: RawBuilder<unknown>) =>
  sql`(case when ${count} < ${sql.lit(firstRounded)} then ${count} when ${count} < 64 then ${count} / 16 * 16 else ${count} / 64 * 64 end)`

/** The worst severity of a page, stored; `noIssues` for none. */
export const selectWorst = (page: string): RawBuilder<number> =>
  sql`case ${sql.join(
    severityColumns.map((name, severity) => sql`when ${sql.ref(`${page}.${name}`)} > 0 then ${sql.lit(severity)}`),
    sql` `,
  )} else ${sql.lit(noIssues)} end`

/** The class of a page, by which lists are ordered: its health, worst severity, open issues, and results to review. */
function selectPageClass(page: string): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(`${page}.health`)}, ${sql.lit(noHealth)})::int as health, ${selectWorst(page)} as worst,
    ${roundDown(issuesOf(page))} as issues, ${roundDown(sql`coalesce(${sql.ref(`${page}.needs_review`)}, 0)`)} as reviews`
}

/** Number of pages of some runs, given as (run_id), by class: (run_id, health, worst, issues, reviews, pages). */
export const selectPageClasses = (runs: Runs): RawBuilder<unknown> => sql`(
  select r.run_id, l.page_classes[n][1] as health, l.page_classes[n][2] as worst, l.page_classes[n][3] as issues,
    l.page_classes[n][4] as reviews, l.page_classes[n][5] as pages
  from ${joinCounted(runs)} cross join lateral generate_subscripts(l.page_classes, 1) n
  union all ${countPageClasses(selectUncounted(runs))})`

/** The same, counted from the pages. */
export const countPageClasses = (runs: Runs): RawBuilder<unknown> => sql`
  select run_id, health, worst, issues, reviews, count(*)::int as pages
  from (select p.run_id, ${selectPageClass('p')} from ${runs} r join run_page p on p.run_id = r.run_id) classed group by 1, 2, 3, 4, 5`

/** Orders of pages: by the columns of their class, then by one whose bounds in each run are known. */
const classOrders = {
  health: { columns: ['health', 'issues'], first: inByteOrder(sql`first_url`), last: inByteOrder(sql`last_url`) },
  worst: { columns: ['worst', 'issues', 'reviews'], first: inByteOrder(sql`first_id`), last: inByteOrder(sql`last_id`) },
} as const

/**
 * Parts of a `with` clause for one page of a list of pages, ordered by class, then by URL or id: `shown_page` has the pages (id,
 * run_id) of the classes and runs that the page of the list may show.
 * @param isChosen condition for the classes `c` of the list
 * @returns the parts, the total, and the number of pages of `shown_page` before the page of the list
 */
export function buildClassRange(
  runs: Runs,
  { order, isChosen }: { order: keyof typeof classOrders; isChosen: RawBuilder<unknown> },
  { page, size }: { page: number; size: number },
) {
  const offset = page * size
  const { columns, first, last } = classOrders[order]
  const listColumns = (alias: string) => sql.join(columns.map((name) => sql.ref(`${alias}.${name}`)))
  const isRounded = sql.join(
    columns.slice(1).map((name) => sql`c.${sql.ref(name)} >= ${sql.lit(firstRounded)}`),
    sql` or `,
  )
  return {
    parts: sql`page_class as materialized (
        select c.run_id, ${listColumns('c')}, sum(c.pages)::int as pages from ${selectPageClasses(runs)} c where ${isChosen}
        group by c.run_id, ${listColumns('c')}),
      placed_class as (select ${listColumns('c')}, sum(pages) as pages,
        sum(sum(pages)) over (order by ${sql.join(columns.map((name, place) => sql`c.${sql.ref(name)} ${sql.raw(place > 0 ? 'desc' : 'asc')}`))}) as until
        from page_class c group by ${listColumns('c')}),
      shown_class as materialized (select c.*, until - pages as before from placed_class c
        where until > ${offset}::int and until - pages < ${offset + size}::int),
      -- Runs whose pages of a class all come after the page of the list are not read.
      shown_run as materialized (
        select run_id from (
          select *, min(last) filter (where reach >= ${offset + size}::int - before) over (partition by ${listColumns('c')}) as bound from (
            select c.run_id, ${listColumns('c')}, s.before, b.first, b.last, ${isRounded} as is_rounded,
              sum(c.pages) over (partition by ${listColumns('c')} order by b.last) as reach
            from page_class c join shown_class s on (${listColumns('s')}) = (${listColumns('c')})
            left join (select run_id, ${first} as first, ${last} as last from listed_run where pages is not null) b on b.run_id = c.run_id) c) c
        where is_rounded or first is null or bound is null or first <= bound),
      shown_page as materialized (
        select p.id, p.run_id from (
          select p.id, p.run_id, ${selectPageClass('p')} from run_page p where p.run_id = any(array(select run_id from shown_run)) offset 0) p
        where (${listColumns('p')}) in (select ${listColumns('s')} from shown_class s))`,
    total: sql`(select coalesce(sum(pages), 0)::int from page_class)`,
    offset: sql`(select greatest(0, ${offset}::int - coalesce(min(before), 0))::int from shown_class)`,
  }
}

/**
 * Runs, given as (run_id), that may contribute to a page of a list sorted by URL.
 * @param direction the order
 * @param maxPages number of pages up to the end of the page of the list
 */
export function limitToUrls<Run extends Runs>(runs: Run, direction: 'asc' | 'desc', maxPages: number): Run {
  const [near, far, isBefore] =
    direction === 'asc'
      ? [inByteOrder(sql`first_url`), inByteOrder(sql`last_url`), sql`<=`]
      : [inByteOrder(sql`last_url`), inByteOrder(sql`first_url`), sql`>=`]
  const farWord = sql.raw(direction)
  return sql`(
    with counted as materialized (select r.*, l.first_url, l.last_url, l.pages as counted_pages from ${joinCounted(runs)} where l.pages is not null),
    enough as (select far from (select ${far} as far, sum(counted_pages) over (order by ${far} ${farWord}) as pages from counted) reached
      where pages >= ${maxPages}::int order by far ${farWord} limit 1)
    select r.* from ${runs} r where not exists (
      select from counted where counted.run_id = r.run_id and not ${near} ${isBefore} coalesce((select far from enough), ${near})))` as Run
}

/** Number of pages of some runs, given as (run_id), in chosen classes `c`. */
export const sumPageClasses = (runs: Runs, isChosen: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(select coalesce(sum(pages), 0)::int as count from ${selectPageClasses(runs)} c where ${isChosen})`
