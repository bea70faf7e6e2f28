import type { PageFilter, PageListQuery, PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { joinConditions, buildContainsPattern, buildUrlSearch, buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { blankClearedContents, type PageTables } from './table.ts'
import { buildVersionedPages, buildPageHits, isFoundByIndex, limitToPageText, versionedPages } from './version/table.ts'
import { inByteOrder } from '../run/listed/table.ts'
import { buildClassCount, buildHealthRange, limitToOrder } from './class-fast-path/store.ts'
import { isOpen, sumOpenIssues } from '../issue/table.ts'
import { healths } from './model.ts'

type DatabaseDeps = { db: MonitorDb }
type VisibleScans = RawBuilder<{ scan_id: string; rank: number }>
export type PageRow = Selectable<PageTables['page']> & { scan_name: string; run_number: number; change: PageSummary['change'] }

const openIssueCount = sumOpenIssues('p')

/** The run against which the stored change of a run was computed, while it has its pages. */
const selectPreviousRun = (runColumn: RawBuilder<unknown>) => sql`(
  select before.id, before.number from run_plan plan join run on run.id = plan.run_id
  join run before on before.scan_id = run.scan_id and before.number = (plan.change->>'previousNumber')::int
  where plan.run_id = ${runColumn} and before.archived_at is null)`
/** The page in that run with the same key as `p`, as `q`. */
const joinPreviousPage = sql`page q on q.run_id = before.id and q.key_hash = p.key_hash and q.status = 'completed'`
const openIssuesDifference = sql`${openIssueCount} - coalesce(${sumOpenIssues('q')}, 0)`
/** Changes of a page `p`, from the same page counts that the sums of runs use. */
export const pageChange = sql<PageSummary['change']>`(
  select jsonb_build_object('previousNumber', before.number, 'isNew', q.id is null, 'openIssues', ${openIssuesDifference})
  from ${selectPreviousRun(sql`p.run_id`)} before left join ${joinPreviousPage} where p.status = 'completed')`
/** Joins for sorting pages `p` of runs `r` by their change, for all pages at once. */
const changeJoins = sql`left join lateral ${selectPreviousRun(sql`r.run_id`)} before on p.status = 'completed'
  left join ${joinPreviousPage}`
const sortColumns = {
  url: inByteOrder(sql`p.url`),
  title: sql`p.title`,
  health: sql`p.health`,
  status: sql`p.status`,
  openIssues: openIssueCount,
  critical: sql`p.critical`,
  serious: sql`p.serious`,
  moderate: sql`p.moderate`,
  minor: sql`p.minor`,
  fixedIssues: sql`p.fixed`,
  notRecheckedIssues: sql`p.not_rechecked`,
  change: sql`case when before.id is not null then ${openIssuesDifference} end`,
  source: sql`p.source`,
  analysedAt: sql`p.analysed_at`,
  scan: sql`lower(r.scan_name)`,
  durationMs: sql`p.duration_ms`,
  depth: sql`p.depth`,
  httpStatus: sql`p.http_status`,
}

/** The runs of a list: for each scan in view its newest completed run, else its newest, or the one with the given number. */
export function runsInView(
  visibleScans: VisibleScans,
  filter: {
    scanId: readonly string[]
    /** Also includes the scans of these groups. */
    groupId?: readonly string[] | undefined
    runNumber?: number | undefined
  },
): RawBuilder<{ run_id: string }> {
  const { scanId, groupId = [] } = filter
  const isNamedScan = sql`s.id = any(${[...scanId]}::uuid[])`
  const isInGroup = sql`exists (select from scan_group_scan g
    where g.scan_id = s.id and g.group_id = any(${[...groupId]}::uuid[]))`
  const includesAllScans = scanId.length + groupId.length === 0
  const scanFilter = includesAllScans ? sql`true` : groupId.length === 0 ? isNamedScan : sql`(${isNamedScan} or ${isInGroup})`
  if (filter.runNumber !== undefined)
    return sql`(select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name, v.rank from ${visibleScans} v
      join scan s on s.id = v.scan_id join run on run.scan_id = s.id and run.number = ${filter.runNumber}::int where ${scanFilter})`
  return sql`(select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name, v.rank from ${visibleScans} v
    join scan s on s.id = v.scan_id
    join run on run.id = coalesce(s.last_completed_run_id, s.last_run_id) where ${scanFilter})`
}

/** Conditions for pages that match a filter, as `p`. */
export const buildConditions = (query: Pick<PageFilter, Exclude<keyof PageFilter, 'scanId' | 'runNumber'>>) =>
  joinConditions([
    query.pageId.length > 0 && sql`p.id = any(${query.pageId}::uuid[])`,
    query.source.length > 0 && sql`p.source = any(${query.source}::text[])`,
    query.exclusion.length > 0 && sql`p.exclusion = any(${query.exclusion}::text[])`,
    query.status.length > 0 && sql`p.status = any(${query.status}::text[])`,
    query.health.length > 0 && sql`p.health = any(${query.health.map((health) => healths.indexOf(health))}::int[])`,
    query.failure.length > 0 && sql`p.failure = any(${query.failure}::text[])`,
    query.search && sql`(${buildUrlSearch(sql`p.url`, query.search)} or p.title ilike ${buildContainsPattern(query.search)})`,
  ])

/** The runs in view that a search for pages reads. */
export const limitToSearch = (
  runs: RawBuilder<{ run_id: string }>,
  { search: searchText, scanId: scanIds }: Pick<PageFilter, 'search' | 'scanId'>,
) => (searchText && scanIds.length === 0 ? limitToPageText(runs, searchText) : runs)

export async function listPages(
  { db }: DatabaseDeps,
  runs: RawBuilder<{ run_id: string }>,
  query: z.output<typeof PageListQuery>,
) {
  const sortJoins = query.sort.some((word) => word.startsWith('change,')) ? changeJoins : sql``
  const orderClause = buildOrderClause(
    sortColumns,
    query.sort,
    sql`p.health nulls last, ${openIssueCount} desc, ${inByteOrder(sql`p.url`)}`,
    sql`p.id`,
  )
  const classCount = buildClassCount(runs, query)
  const range = buildHealthRange(runs, query)
  const hits = isFoundByIndex(query) ? buildPageHits(runs, query.search!) : null
  const pagesFromClause = hits
    ? sql`from ${runs} r join ${buildVersionedPages(sql`hit_page`)} p on p.run_id = r.run_id ${sortJoins}
        where ${buildConditions({ ...query, search: undefined })}`
    : sql`from ${limitToOrder(runs, query)} r join ${versionedPages} p on p.run_id = r.run_id ${sortJoins} where ${buildConditions(query)}`
  const parts = range?.parts ?? hits
  const topPages = range
    ? sql`select p.id, r.scan_name, r.number, ${range.total} as total from shown_page shown join ${runs} r on r.run_id = shown.run_id
        join ${versionedPages} p on p.id = shown.id ${orderClause} limit ${query.size} offset ${range.offset}`
    : sql`select p.id, r.scan_name, r.number, ${classCount ?? sql`count(*) over ()::int`} as total
        ${pagesFromClause} ${orderClause} ${buildLimitClause(query)}`
  const { rows: pageRows } = await sql<PageRow & { total: number }>`
    with ${parts ? sql`${parts},` : sql``} top as materialized (select top.*, row_number() over () as place from (${topPages}) top)
    select p.*, top.scan_name, top.number as run_number, top.total, ${pageChange} as change
    from top join page p on p.id = top.id order by top.place`.execute(db)
  const [firstRow] = pageRows
  if (firstRow || query.page === 0) return { rows: pageRows, total: firstRow?.total ?? 0 }
  const countResult = await sql<{ count: number }>`
    ${hits ? sql`with ${hits}` : sql``} select count(*)::int as count ${pagesFromClause}`.execute(db)
  return { rows: pageRows, total: countResult.rows[0]!.count }
}

export async function findPage({ db }: DatabaseDeps, pageId: string): Promise<(PageRow & { is_rechecked: boolean }) | null> {
  const { rows: pageRows } = await sql<PageRow & { is_cleared: boolean; is_rechecked: boolean }>`
    select p.*, s.name as scan_name, run.number as run_number, run.contents_cleared_at is not null as is_cleared,
      ${pageChange} as change, exists (select from recheck where recheck.page_id = p.id) as is_rechecked
    from page p join run on run.id = p.run_id join scan s on s.id = run.scan_id where p.id = ${pageId}`.execute(db)
  return pageRows[0] ? blankClearedContents(pageRows[0]) : null
}

/** An issue with its position in a photograph: stored `severity`, and `box` as x, y, width, height. */
export type ShownIssue = {
  id: string
  rule: string
  help: string
  severity: number
  selector: string
  picture: Buffer
  box: number[]
}

/** Open issues shown in the photographs of a page, worst first. */
export async function listIssuesInViews(
  { db }: DatabaseDeps,
  page: Pick<PageRow, 'run_id' | 'key_hash' | 'views'>,
): Promise<ShownIssue[]> {
  if (page.views.length === 0) return []
  const { rows: issueRows } = await sql<ShownIssue>`
    select f.issue_id as id, rule.name as rule, rule.help, f.severity, e.selector, f.picture, f.picture_box as box
    from finding f join rule on rule.id = f.rule_id join evidence e on e.hash = f.evidence
    where f.run_id = ${page.run_id} and f.page_key = ${page.key_hash} and ${isOpen('f')}
      and f.picture = any(${page.views}::bytea[])
    order by f.severity, f.picture_box[2], f.issue_id`.execute(db)
  return issueRows
}

/** A blob by its hash, with its bytes or their location. */
export async function findBlob({ db }: DatabaseDeps, blobHash: Buffer) {
  return (await db.selectFrom('blob').selectAll().where('hash', '=', blobHash).executeTakeFirst()) ?? null
}
