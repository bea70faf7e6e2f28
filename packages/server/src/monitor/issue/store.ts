import { sql } from 'kysely'
import type { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import type * as z from 'zod/mini'
import { limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from './model.ts'
import { anyOf, conditions, from, numbers, type Runs } from './store-filter.ts'

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

/** Issues one by one: the page of keys first, then what is shown of them. */
async function listSingle({ db }: Db, runs: Runs, query: Query): Promise<IssueRow[]> {
  const order = orderBy(sortColumns, query.sort, sql`f.severity`, sql`f.issue_id`)
  const { rows } = await sql<IssueRow>`
    with chosen as (
      select top.*, row_number() over () as place from (
        select f.run_id, f.issue_id ${from(runs, query)}
        where ${conditions(query, { severity: false })} ${order} ${limits(query)}) top)
    select ${details} from chosen join finding f on f.run_id = chosen.run_id and f.issue_id = chosen.issue_id
    join ${runs} r on r.run_id = f.run_id join rule on rule.id = f.rule_id ${detailJoins} order by chosen.place`.execute(
    db,
  )
  return rows
}

const groupColumns = {
  severity: sql`min(f.severity)`,
  rule: sql`min(rule.name)`,
  pages: sql`count(distinct f.page_id)`,
  status: sql`min(f.status)`,
  firstSeenAt: sql`min(f.issue_id::text)`,
  pageUrl: sql`min((select url from page where id = f.page_id))`,
  selector: sql`min((select selector from evidence where hash = f.evidence))`,
  assignedTo: sql`min((select assigned_to from issue where id = f.issue_id))`,
  change: sql`min(f.change)`,
  scan: sql`min(lower(r.scan_name))`,
}

/** The same element and rule on many pages as one row, by its first issue. */
async function listGroups({ db }: Db, runs: Runs, query: Query): Promise<IssueRow[]> {
  const order = orderBy(groupColumns, query.sort, sql`min(f.severity), count(*) desc`, sql`f.group_id`)
  const { rows } = await sql<IssueRow>`
    with chosen as (
      select f.run_id, min(f.issue_id::text)::uuid as issue_id, row_number() over (${order}) as place ${from(runs, query)}
      where ${conditions(query, { severity: false })} group by f.run_id, f.group_id ${order} ${limits(query)})
    select ${details} from chosen join finding f on f.run_id = chosen.run_id and f.issue_id = chosen.issue_id
    join ${runs} r on r.run_id = f.run_id join rule on rule.id = f.rule_id ${detailJoins} order by chosen.place`.execute(
    db,
  )
  return rows
}

/** Issues of the runs in view, with the counts that stand beside the severity filter. */
export async function listIssues({ db }: Db, runs: Runs, query: Query) {
  const wanted =
    query.severity.length > 0 ? anyOf(sql`severity`, numbers(query.severity, severities)) : sql`true`
  const counted = await sql<{ severity: number; issues: number; groups: number; wanted: boolean }>`
    select f.severity, count(*) as issues,
      ${query.grouped ? sql`count(distinct (f.run_id, f.group_id))` : sql`0`} as groups, ${wanted} as wanted
    ${from(runs, query)} where ${conditions(query, { severity: true })} group by f.severity`.execute(db)
  const bySeverity = severities.map(
    (_n, place) => counted.rows.find((row) => row.severity === place)?.issues ?? 0,
  )
  const inFilter = counted.rows.filter((row) => row.wanted)
  const totalIssues = inFilter.reduce((sum, row) => sum + row.issues, 0)
  const total = query.grouped ? await countGroups({ db }, runs, query) : totalIssues
  const rows = query.grouped ? await listGroups({ db }, runs, query) : await listSingle({ db }, runs, query)
  return { rows, total, totalIssues, bySeverity }
}

async function countGroups({ db }: Db, runs: Runs, query: Query): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(distinct (f.run_id, f.group_id)) as count ${from(runs, query)}
    where ${conditions(query, { severity: false })}`.execute(db)
  return rows[0]?.count ?? 0
}
