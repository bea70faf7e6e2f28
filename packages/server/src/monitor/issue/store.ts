import { type RawBuilder, sql } from 'kysely'
import type { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import type * as z from 'zod/mini'
import { limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from './model.ts'
import { conditions, from, numbers, type Runs } from './store-filter.ts'
import { fewPage, isFew } from './store-few.ts'
import { isPlain, openCounts, type OpenCounts, openGroupPage, openPage, plainSorts } from './store-open.ts'

type Db = { db: MonitorDb }
type Query = z.output<typeof IssueListQuery>

/** A finding with what lists show of its issue and page. */
export type IssueRow = {
  id: string
  scan_id: string
  scan_name: string
  run_id: string
  run_number: number
  page_id: string
  page_url: string
  rule: string
  help: string
  impact: number | null
  severity: number
  status: number
  change: number
  selector: string
  pages: number
  labels: string[]
  marked: boolean | null
  component: string | null
  assigned_to: string | null
  assigned_name: string | null
  first_seen_at: Date
}

/** What a row of the list shows, once it is known which rows: looked up for these few only. */
export const details = sql`
  f.issue_id as id, r.scan_id, r.scan_name, f.run_id, r.number as run_number, f.page_id, p.url as page_url,
  rule.name as rule, rule.help, f.impact, f.severity, f.status, f.change, e.selector,
  i.labels, i.marked, i.component, i.assigned_to, coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.username) as assigned_name, i.first_seen_at,
  (select count(distinct g.page_id) from finding g where g.run_id = f.run_id and g.group_id = f.group_id and g.change <= 2) as pages`
export const detailJoins = sql`
  join issue i on i.id = f.issue_id
  join page p on p.id = f.page_id
  join evidence e on e.hash = f.evidence
  left join person a on a.id = i.assigned_to`

const pagesOfGroup = sql`(select count(distinct g.page_id) from finding g
  where g.run_id = f.run_id and g.group_id = f.group_id and g.change <= 2)`
const sortColumns = {
  severity: sql`f.severity`,
  rule: sql`rule.name`,
  pages: pagesOfGroup,
  status: sql`f.status`,
  firstSeenAt: sql`(select first_seen_at from issue where id = f.issue_id)`,
  pageUrl: sql`(select url from page where id = f.page_id)`,
  selector: sql`(select selector from evidence where hash = f.evidence)`,
  assignedTo: sql`(select coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.username)
    from issue join person p on p.id = issue.assigned_to where issue.id = f.issue_id)`,
  change: sql`f.change`,
  scan: sql`lower(r.scan_name)`,
}

/** What is shown of chosen findings, (run_id, issue_id, place), in the order of their places. */
async function show(db: MonitorDb, runs: Runs, chosen: RawBuilder<unknown>): Promise<IssueRow[]> {
  const { rows } = await sql<IssueRow>`
    with chosen as materialized (${chosen})
    select ${details} from chosen join finding f on f.run_id = chosen.run_id and f.issue_id = chosen.issue_id
    join ${runs} r on r.run_id = f.run_id join rule on rule.id = f.rule_id ${detailJoins} order by chosen.place`.execute(
    db,
  )
  return rows
}

/** Issues one by one: the page of keys first, then what is shown of them. */
function listSingle({ db }: Db, runs: Runs, query: Query): Promise<IssueRow[]> {
  const order = orderBy(sortColumns, query.sort, sql`f.severity`, sql`f.run_id, f.issue_id`)
  return show(
    db,
    runs,
    sql`select top.*, row_number() over () as place from (
      select f.run_id, f.issue_id ${from(runs, query)}
      where ${conditions(query, { severity: false })} ${order} ${limits(query)}) top`,
  )
}

const firstOf = (column: string, table: string, key: string) =>
  sql.raw(`min((select ${column} from ${table} where ${key}))`)
const groupColumns = {
  severity: sql`min(f.severity)`,
  rule: sql`min(rule.name)`,
  pages: sql`count(distinct f.page_id)`,
  status: sql`min(f.status)`,
  firstSeenAt: firstOf('first_seen_at', 'issue', 'id = f.issue_id'),
  pageUrl: firstOf('url', 'page', 'id = f.page_id'),
  selector: firstOf('selector', 'evidence', 'hash = f.evidence'),
  assignedTo: firstOf('assigned_to', 'issue', 'id = f.issue_id'),
  change: sql`min(f.change)`,
  scan: sql`min(lower(r.scan_name))`,
}

/** The same element and rule on many pages as one row, by its first issue; and how many such rows there are. */
async function listGroups(
  { db }: Db,
  runs: Runs,
  query: Query,
): Promise<{ rows: IssueRow[]; total: number }> {
  const where = conditions(query, { severity: false })
  const order = orderBy(
    groupColumns,
    query.sort,
    sql`min(f.severity), count(*) desc`,
    sql`f.run_id, f.group_id`,
  )
  const found = await sql<{ run_id: string; group_id: string; total: number }>`
    select f.run_id, f.group_id, count(*) over () as total ${from(runs, query)}
    where ${where} group by f.run_id, f.group_id ${order} ${limits(query)}`.execute(db)
  const groups = JSON.stringify(
    found.rows.map(({ run_id, group_id }, place) => ({ run_id, group_id, place })),
  )
  const rows = await show(
    db,
    runs,
    sql`select g.run_id, one.issue_id, g.place
      from jsonb_to_recordset(${groups}::jsonb) as g (run_id uuid, group_id uuid, place int)
      join lateral (select f.issue_id ${from(runs, query)}
        where ${where} and f.run_id = g.run_id and f.group_id = g.group_id
        order by f.severity, f.issue_id limit 1) one on true`,
  )
  return { rows, total: found.rows[0]?.total ?? (query.page === 0 ? 0 : await countGroups(db, runs, query)) }
}

async function countGroups(db: MonitorDb, runs: Runs, query: Query): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select ${from(runs, query)}
      where ${conditions(query, { severity: false })} group by f.run_id, f.group_id) t`.execute(db)
  return rows[0]?.count ?? 0
}

/** Issues that match by severity, as if no severity were asked for. */
async function countBySeverity(db: MonitorDb, runs: Runs, query: Query): Promise<OpenCounts> {
  if (isPlain(query)) return openCounts(db, runs)
  const { rows } = await sql<{ severity: number; issues: number }>`
    select f.severity, count(*) as issues ${from(runs, query)}
    where ${conditions(query, { severity: true })} group by f.severity`.execute(db)
  const bySeverity = severities.map((_n, place) => rows.find((row) => row.severity === place)?.issues ?? 0)
  return { bySeverity, groups: null }
}

/** Issues of the runs in view, with the counts that stand beside the severity filter. */
export async function listIssues({ db }: Db, runs: Runs, query: Query) {
  const all = severities.map((_n, place) => place)
  const wanted = query.severity.length > 0 ? numbers(query.severity, severities) : all
  const sum = (counted: readonly number[]) =>
    wanted.reduce((total, place) => total + (counted[place] ?? 0), 0)
  if (isFew(query)) {
    const few = await fewPage(db, runs, query, wanted)
    const totalIssues = sum(few.bySeverity)
    const rows = await show(db, runs, few.chosen)
    return { rows, total: totalIssues, totalIssues, bySeverity: few.bySeverity }
  }
  const { bySeverity, groups } = await countBySeverity(db, runs, query)
  const totalIssues = sum(bySeverity)
  const counts = { totalIssues, bySeverity }
  const plain = isPlain(query) && plainSorts.has(query.sort.join())
  if (query.grouped)
    return plain && groups !== null && query.severity.length === 0
      ? { rows: await show(db, runs, openGroupPage(runs, query)), total: groups, ...counts }
      : { ...(await listGroups({ db }, runs, query)), ...counts }
  const rows = plain
    ? await show(db, runs, openPage(runs, wanted, query))
    : await listSingle({ db }, runs, query)
  return { rows, total: totalIssues, ...counts }
}
