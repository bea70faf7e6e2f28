import type { PageFolder, PageFolderQuery } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { buildLimitClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { joinCounted, selectUncounted } from '../../run/listed/table.ts'
import { severityColumns } from '../../issue/model.ts'
import { isUnfiltered } from '../class-fast-path/store.ts'
import { healths } from '../model.ts'
import { buildConditions, limitToSearch } from '../store.ts'
import { buildScoreOf, healthLiterals } from '../table.ts'
import { versionedPages } from '../version/table.ts'

type FigureRow = {
  pages: number
  score: number | null
  critical: number
  serious: number
  moderate: number
  minor: number
  needs_review: number
}

export type FolderRow = FigureRow & Pick<PageFolder, 'path' | 'tested' | 'templates' | 'untested' | 'hasFolders'>

export type TemplateRow = FigureRow & { template: string | null; id: string; url: string; title: string | null }

type FolderQuery = z.output<typeof PageFolderQuery>
type Runs = RawBuilder<{ run_id: string }>

const sumColumn = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::int as ${sql.ref(column)}`
/** Number of pages, their score and issues. */
const selectFigures = sql`count(*)::int as pages,
  ${buildScoreOf((health) => sql`count(*) filter (where health = ${healthLiterals[health]})`)} as score,
  ${sql.join(['critical', 'serious', 'moderate', 'minor', 'needs_review'].map(sumColumn))}`

/** Matching pages below a folder: `rest` is their address in it. */
const selectBelow = (runs: Runs, query: FolderQuery) => sql`page_address as (
    select p.id, p.url, p.title, p.status, p.health, p.critical, p.serious, p.moderate, p.minor, p.needs_review, p.template,
      coalesce(p.failure, p.exclusion) as reason, split_part(split_part(p.url, '#', 1), '?', 1) as address
    from ${limitToSearch(runs, query)} r join ${versionedPages} p on p.run_id = r.run_id where ${buildConditions(query)}),
  below as (select *, substr(address, length(${query.parent}::text) + 1) as rest from page_address
    where starts_with(address, ${query.parent}::text))`

function splitTotal<Row extends object>(rows: (Row & { total: number })[]): { rows: Row[]; total: number } {
  return { rows: rows.map(({ total: _total, ...row }) => row as unknown as Row), total: rows[0]?.total ?? 0 }
}

/** The counts of a run whose pages are all of one site. */
const selectCountedSites = (runs: Runs) => sql`
    select l.site as path, l.pages, run.completed as tested, ${sql.join(healths.map((name) => sql.ref(`run.health_${name}`)))},
      ${sql.join(severityColumns.map((name) => sql.ref(`run.${name}`)))}, l.templates, l.untested, l.has_folders
    from ${joinCounted(runs)} where l.site is not null and l.pages is not null union all`

/** Folders directly below a folder, or the sites, with the matching pages. Pages of the folder itself are one row, the first. */
export async function listFolders({ db }: { db: MonitorDb }, runs: Runs, query: FolderQuery) {
  const { parent } = query
  const nextFolder = parent === '' ? sql`substring(address from '^[^:/]+://[^/]+/')` : sql`substring(rest from '^[^/]+/')`
  const hasCounts = parent === '' && isUnfiltered(query)
  const readRuns = hasCounts ? selectUncounted(runs, sql`l.site is not null and l.pages is not null`) : runs
  const { rows: folderRows } = await sql<FolderRow & { total: number }>`
    with ${selectBelow(readRuns, query)},
    placed as (select *, ${parent}::text || ${nextFolder} as path from below),
    untested as (select path, jsonb_object_agg(reason, urls) as reasons
      from (select path, reason, count(*)::int as urls from placed where reason is not null group by path, reason) counted
      group by path),
    part as materialized (
      ${hasCounts ? selectCountedSites(runs) : sql``}
      select path, count(*)::int as pages, count(*) filter (where status = 'completed')::int as tested,
        ${sql.join(healths.map((name) => sql`count(*) filter (where health = ${healthLiterals[name]})::int as ${sql.ref(`health_${name}`)}`))},
        ${sql.join(severityColumns.map((name) => sumColumn(name)))},
        coalesce(array_agg(distinct template) filter (where status = 'completed' and template is not null), '{}') as templates,
        (select reasons from untested where untested.path is not distinct from placed.path) as untested,
        path is not null and bool_or(position('/' in substr(address, length(path) + 1)) > 0) as has_folders
      from placed group by path),
    shown as (
      select path, ${sql.join(['pages', 'tested', ...severityColumns].map(sumColumn))},
        ${buildScoreOf((health) => sql`sum(${sql.ref(`health_${health}`)})`)} as score,
        bool_or(has_folders) as "hasFolders", count(*) over ()::int as total
      from part group by path order by path nulls first ${buildLimitClause(query)})
    select shown.*,
      (select count(distinct template)::int from part cross join lateral unnest(part.templates) template
        where part.path is not distinct from shown.path) as templates,
      (select coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'urls', urls) order by urls desc, reason), '[]') from (
        select reason, sum(urls::int)::int as urls from part cross join lateral jsonb_each_text(part.untested) by_reason (reason, urls)
        where part.path is not distinct from shown.path group by reason) summed) as untested
    from shown order by path nulls first`.execute(db)
  return splitTotal<FolderRow>(folderRows)
}

/** Structures of the tested pages in a folder itself, the most frequent first. */
export async function listTemplates({ db }: { db: MonitorDb }, runs: Runs, query: FolderQuery) {
  const { rows: templateRows } = await sql<TemplateRow & { total: number }>`
    with ${selectBelow(runs, query)},
    ranked as (select *, row_number() over (partition by template order by health nulls last, critical desc, url) as position
      from below where status = 'completed' and position('/' in rest) = 0)
    select template, ${selectFigures}, count(*) over ()::int as total,
      (array_agg(id) filter (where position = 1))[1] as id, (array_agg(url) filter (where position = 1))[1] as url,
      (array_agg(title) filter (where position = 1))[1] as title
    from ranked group by template order by count(*) desc, template nulls last ${buildLimitClause(query)}`.execute(db)
  return splitTotal<TemplateRow>(templateRows)
}
