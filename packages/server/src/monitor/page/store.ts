import type { PageFilter, PageListQuery, PageSummary } from '@clearway/contract/monitor/page/schema.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { allOf, containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import type { PageTables } from './table.ts'
import { isOpen, sumOpenIssues } from '../issue/table.ts'
import { healths } from './model.ts'

type Db = { db: MonitorDb }
type Visible = RawBuilder<{ scan_id: string; rank: number }>
export type PageRow = Selectable<PageTables['page']> & {
  scan_name: string
  run_number: number
  change: PageSummary['change']
}

const open = sumOpenIssues('p')

/** The run that the stored change of a run is against, while it has its pages. */
const runBefore = (run: RawBuilder<unknown>) => sql`(
  select before.id, before.number from run_plan plan join run on run.id = plan.run_id
  join run before on before.scan_id = run.scan_id and before.number = (plan.change->>'previousNumber')::int
  where plan.run_id = ${run} and before.archived_at is null)`
/** Of a page `p` its own of that run, as `q`. */
const pageBefore = sql`page q on q.run_id = before.id and q.key_hash = p.key_hash and q.status = 'completed'`
const difference = sql`${open} - coalesce(${sumOpenIssues('q')}, 0)`
/** What changed on a page `p`, by the same counts of pages that make the sums of runs. */
export const pageChange = sql<PageSummary['change']>`(
  select jsonb_build_object('previousNumber', before.number, 'isNew', q.id is null, 'openIssues', ${difference})
  from ${runBefore(sql`p.run_id`)} before left join ${pageBefore} where p.status = 'completed')`
/** What a list of pages `p` of runs `r` has to read to be sorted by the change: for all at once. */
const joinsOfChange = sql`left join lateral ${runBefore(sql`r.run_id`)} before on p.status = 'completed'
  left join ${pageBefore}`
const sortColumns = {
  url: sql`p.url`,
  title: sql`p.title`,
  health: sql`p.health`,
  status: sql`p.status`,
  openIssues: open,
  critical: sql`p.critical`,
  serious: sql`p.serious`,
  moderate: sql`p.moderate`,
  minor: sql`p.minor`,
  fixedIssues: sql`p.fixed`,
  change: sql`case when before.id is not null then ${difference} end`,
  source: sql`p.source`,
  analysedAt: sql`p.analysed_at`,
  scan: sql`lower(r.scan_name)`,
  durationMs: sql`p.duration_ms`,
  depth: sql`p.depth`,
  httpStatus: sql`p.http_status`,
}

/**
 * The runs that a list looks at: of each scan in view the newest completed one, or the newest of all while there is
 * none, or the one of a number.
 */
export function runsInView(
  visible: Visible,
  filter: {
    scanId: readonly string[]
    /** The scans of these groups too. */
    groupId?: readonly string[] | undefined
    runNumber?: number | undefined
  },
): RawBuilder<{ run_id: string }> {
  const { scanId, groupId = [] } = filter
  const named = sql`s.id = any(${[...scanId]}::uuid[])`
  const grouped = sql`exists (select from scan_group_scan g
    where g.scan_id = s.id and g.group_id = any(${[...groupId]}::uuid[]))`
  const all = scanId.length + groupId.length === 0
  const scans = all ? sql`true` : groupId.length === 0 ? named : sql`(${named} or ${grouped})`
  if (filter.runNumber !== undefined)
    return sql`(select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name, v.rank from ${visible} v
      join scan s on s.id = v.scan_id join run on run.scan_id = s.id and run.number = ${filter.runNumber}::int where ${scans})`
  return sql`(select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name, v.rank from ${visible} v
    join scan s on s.id = v.scan_id
    join run on run.id = coalesce(s.last_completed_run_id, s.last_run_id) where ${scans})`
}

/** Which pages a filter takes, as `p`. */
export const conditions = (query: Pick<PageFilter, Exclude<keyof PageFilter, 'scanId' | 'runNumber'>>) =>
  allOf([
    query.pageId.length > 0 && sql`p.id = any(${query.pageId}::uuid[])`,
    query.source.length > 0 && sql`p.source = any(${query.source}::text[])`,
    query.exclusion.length > 0 && sql`p.exclusion = any(${query.exclusion}::text[])`,
    query.status.length > 0 && sql`p.status = any(${query.status}::text[])`,
    query.health.length > 0 &&
      sql`p.health = any(${query.health.map((health) => healths.indexOf(health))}::int[])`,
    query.failure.length > 0 && sql`p.failure = any(${query.failure}::text[])`,
    query.search &&
      sql`(p.url ilike ${containing(query.search)} or p.title ilike ${containing(query.search)})`,
  ])

/** Pages of the runs in view. */
export async function listPages(
  { db }: Db,
  runs: RawBuilder<{ run_id: string }>,
  query: z.output<typeof PageListQuery>,
) {
  const joins = query.sort.some((word) => word.startsWith('change,')) ? joinsOfChange : sql``
  const pages = sql`from ${runs} r join page p on p.run_id = r.run_id`
  const where = sql`where ${conditions(query)}`
  const order = orderBy(sortColumns, query.sort, sql`p.health nulls last, ${open} desc, p.url`, sql`p.id`)
  const counted = await sql<{ count: number }>`select count(*) as count ${pages} ${where}`.execute(db)
  const { rows } = await sql<PageRow>`
    select p.*, r.scan_name, r.number as run_number, ${pageChange} as change
    ${pages} ${joins} ${where} ${order} ${limits(query)}`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export async function findPage({ db }: Db, id: string): Promise<PageRow | null> {
  const { rows } = await sql<PageRow>`
    select p.*, s.name as scan_name, run.number as run_number, ${pageChange} as change
    from page p join run on run.id = p.run_id join scan s on s.id = p.scan_id where p.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** An issue with its place in a photograph. `severity` as it is stored, `box` as x, y, width, height. */
export type ShownIssue = {
  id: string
  rule: string
  help: string
  severity: number
  selector: string
  picture: Buffer
  box: number[]
}

/** The open issues of a page that its photographs show, worst first. */
export async function issuesInViews(
  { db }: Db,
  page: Pick<PageRow, 'id' | 'run_id' | 'views'>,
): Promise<ShownIssue[]> {
  if (page.views.length === 0) return []
  const { rows } = await sql<ShownIssue>`
    select f.issue_id as id, rule.name as rule, rule.help, f.severity, e.selector, f.picture, f.picture_box as box
    from finding f join rule on rule.id = f.rule_id join evidence e on e.hash = f.evidence
    where f.page_id = ${page.id} and f.run_id = ${page.run_id} and ${isOpen('f')}
      and f.picture = any(${page.views}::bytea[])
    order by f.severity, f.picture_box[2], f.issue_id`.execute(db)
  return rows
}

/** What is known of bytes by their hash, and the bytes or where they are. */
export async function findBlob({ db }: Db, hash: Buffer) {
  return (await db.selectFrom('blob').selectAll().where('hash', '=', hash).executeTakeFirst()) ?? null
}
