import type { IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { allOf, containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { changes, issueStatuses, lastPresentChange, severities } from './model.ts'
import { recount } from './store-lifecycle.ts'

type Db = { db: MonitorDb }
type Query = z.output<typeof IssueListQuery>
type Runs = RawBuilder<{ run_id: string }>

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
  assigned_to: string | null
  assigned_name: string | null
  first_seen_at: Date
}

const numbers = (words: readonly string[], all: readonly string[]) => words.map((word) => all.indexOf(word))
const anyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
  values.length > 0 && sql`${column} = any(${[...values]}::int[])`

/** Which findings a filter takes; `but` leaves one part out, for the counts beside that filter. */
function conditions(query: Query, but: { severity: boolean }): RawBuilder<boolean> {
  const { search } = query
  const text = search && containing(search)
  // What is not there any more shows only to those who ask for it.
  const absentAsked = query.change.length > 0 || query.status.includes('fixed')
  return allOf([
    !absentAsked && sql`f.change <= ${sql.lit(lastPresentChange)}`,
    !but.severity && anyOf(sql`f.severity`, numbers(query.severity, severities)),
    anyOf(sql`f.status`, numbers(query.status, issueStatuses)),
    anyOf(sql`f.change`, numbers(query.change, changes)),
    query.pageId.length > 0 && sql`f.page_id = any(${query.pageId}::uuid[])`,
    query.rule.length > 0 && sql`rule.name = any(${query.rule}::text[])`,
    query.tag.length > 0 && sql`rule.tags && ${query.tag}::text[]`,
    text &&
      sql`(rule.name ilike ${text} or rule.help ilike ${text} or exists
        (select from evidence e where e.hash = f.evidence and e.selector ilike ${text}) or exists
        (select from page p where p.id = f.page_id and p.url ilike ${text}))`,
  ])
}

/** Rules are joined only for those filters and sorts that look at them. */
function from(runs: Runs, query: Query): RawBuilder<unknown> {
  const looks =
    query.rule.length > 0 ||
    query.tag.length > 0 ||
    !!query.search ||
    query.sort.some((word) => word.startsWith('rule,'))
  return sql`from ${runs} r join finding f on f.run_id = r.run_id ${looks ? sql`join rule on rule.id = f.rule_id` : sql``}`
}

/** What a row of the list shows, once it is known which rows: looked up for these few only. */
const details = sql`
  f.issue_id as id, r.scan_id, r.scan_name, f.run_id, r.number as run_number, f.page_id, p.url as page_url,
  rule.name as rule, rule.help, f.impact, f.severity, f.status, f.change, e.selector,
  i.assigned_to, coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), a.username) as assigned_name, i.first_seen_at,
  (select count(distinct g.page_id) from finding g where g.run_id = f.run_id and g.group_id = f.group_id and g.change <= 2) as pages`
const detailJoins = sql`
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
  pageUrl: sql`min(f.page_id::text)`,
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

export type IssueFull = IssueRow & {
  description: string
  help_url: string
  tags: string[]
  target: (string | string[])[]
  html: string
  fix: { any: string[]; all: string[]; none: string[] }
  page_title: string | null
  picture: Buffer | null
  picture_box: number[] | null
  first_run: number
  last_run: number
  fixed_in_run: number | null
  version: number
  group_id: string
}

/** One issue as a run saw it: that of the number, else the newest that has a row of it. */
export async function findIssue(
  { db }: Db,
  id: string,
  runNumber: number | undefined,
): Promise<IssueFull | null> {
  const which = runNumber === undefined ? sql`true` : sql`run.number = ${runNumber}::int`
  const { rows } = await sql<IssueFull>`
    select ${details}, rule.description, rule.help_url, rule.tags, e.target, e.html, e.fix, p.title as page_title,
      f.picture, f.picture_box, i.first_run, i.last_run, i.fixed_in_run, i.version, f.group_id
    from (select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name
          from finding one join run on run.id = one.run_id join scan s on s.id = run.scan_id
          where one.issue_id = ${id} and ${which} order by run.number desc limit 1) r
    join finding f on f.run_id = r.run_id and f.issue_id = ${id} join rule on rule.id = f.rule_id ${detailJoins}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Other pages of the same run with the same element and rule, fifty at most. */
export async function otherPages({ db }: Db, issue: { runId: string; groupId: string; id: string }) {
  const { rows } = await sql<{ issueId: string; pageId: string; url: string }>`
    select f.issue_id as "issueId", f.page_id as "pageId", p.url from finding f join page p on p.id = f.page_id
    where f.run_id = ${issue.runId} and f.group_id = ${issue.groupId} and f.issue_id <> ${issue.id} and f.change <= 2
    order by p.url, f.issue_id limit 50`.execute(db)
  return rows
}

/**
 * Sets the status of an issue, in the newest run that has it, and what is counted from it. Runs before that keep what was.
 * @returns false when `version` is given and not the issue's any more
 */
export async function setStatus(
  { db }: Db,
  id: string,
  status: number,
  version: number | undefined,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const same = version === undefined ? sql`true` : sql`version = ${version}::int`
    const changed = await sql`update issue set status = ${status}::int, version = version + 1
      where id = ${id} and ${same} returning id`.execute(trx)
    if (changed.rows.length === 0) return false
    const { rows } = await sql<{ run_id: string; page_id: string }>`
      update finding f set status = ${status}::int
      from (select one.run_id from finding one join run on run.id = one.run_id
            where one.issue_id = ${id} order by run.number desc limit 1) newest
      where f.run_id = newest.run_id and f.issue_id = ${id} returning f.run_id, f.page_id`.execute(trx)
    const finding = rows[0]
    if (!finding) return true
    // The run first: workers that store pages take it too.
    await sql`select 1 from run where id = ${finding.run_id} for no key update`.execute(trx)
    await recount(trx, finding.run_id, [finding.page_id])
    return true
  })
}
