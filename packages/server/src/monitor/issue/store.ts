import type * as z from 'zod/mini'
import { type RawBuilder, sql } from 'kysely'
import {
  type Fix,
  type IssueListQuery,
  type IgnoreScope,
  longestHistory,
  type Target,
} from '@clearway/contract/monitor/issue/schema.ts'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'
import { limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from './model.ts'
import {
  conditions,
  type Counted,
  from,
  numbers,
  type Runs,
  fewPage,
  isFew,
  isPlain,
  openCounts,
  type OpenCounts,
  openGroupPage,
  openPage,
  plainSorts,
} from './filter/store.ts'
import { newId } from '../../kit/id.ts'
import { fixOf, isPresent, targetOf } from './table.ts'
import { buildPersonName } from '../access/table.ts'

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
  source: PageSource
  rule: string
  help: string
  impact: number | null
  severity: number
  status: number
  change: number
  selector: string
  pages: number
  labels: string[]
  tags: string[]
  marked: boolean | null
  component: string | null
  ticket_url: string | null
  assigned_to: string | null
  assigned_name: string | null
  first_seen_at: Date
  group_id: string
  carried_from: number | null
}

/** What a row of the list shows, once it is known which rows: looked up for these few only. */
const details = sql`
  f.issue_id as id, r.scan_id, r.scan_name, f.run_id, r.number as run_number, f.page_id, p.url as page_url, p.source, p.carried_from,
  rule.name as rule, rule.help, rule.tags, f.impact, f.severity, f.status, f.change, e.selector,
  i.labels, i.marked, i.component, i.ticket_url, i.assigned_to, ${buildPersonName('a')} as assigned_name, i.first_seen_at,
  f.group_id, (select count(distinct g.page_id) from finding g where g.run_id = f.run_id and g.group_id = f.group_id and ${isPresent('g')}) as pages`
const detailJoins = sql`
  join issue i on i.id = f.issue_id
  join page p on p.id = f.page_id
  join evidence e on e.hash = f.evidence
  left join person a on a.id = i.assigned_to`

const pagesOfGroup = sql`(select count(distinct g.page_id) from finding g
  where g.run_id = f.run_id and g.group_id = f.group_id and ${isPresent('g')})`
const sortColumns = {
  severity: sql`f.severity`,
  rule: sql`rule.name`,
  pages: pagesOfGroup,
  status: sql`f.status`,
  firstSeenAt: sql`(select first_seen_at from issue where id = f.issue_id)`,
  pageUrl: sql`(select url from page where id = f.page_id)`,
  selector: sql`(select selector from evidence where hash = f.evidence)`,
  assignedTo: sql`(select ${buildPersonName('p')}
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
async function countBySeverity(db: MonitorDb, runs: Runs, query: Counted): Promise<OpenCounts> {
  if (isPlain(query)) return openCounts(db, runs)
  const { rows } = await sql<{ severity: number; issues: number }>`
    select f.severity, count(*) as issues ${from(runs, query)}
    where ${conditions(query, { severity: true })} group by f.severity`.execute(db)
  const bySeverity = severities.map((_n, place) => rows.find((row) => row.severity === place)?.issues ?? 0)
  return { bySeverity, groups: null }
}

/** What is beside the severity filter of every list, and how many issues the list is of. */
export async function countIssues({ db }: Db, runs: Runs, query: Counted) {
  const { bySeverity, groups } = await countBySeverity(db, runs, query)
  const wanted = wantedSeverities(query)
  return { bySeverity, groups, totalIssues: sumOf(bySeverity, wanted) }
}

const wantedSeverities = ({ severity }: Counted) =>
  severity.length > 0 ? numbers(severity, severities) : severities.map((_n, place) => place)
const sumOf = (bySeverity: readonly number[], wanted: readonly number[]) =>
  wanted.reduce((total, place) => total + (bySeverity[place] ?? 0), 0)

/** Issues of the runs in view, with the counts that are beside the severity filter. */
export async function listIssues({ db }: Db, runs: Runs, query: Query) {
  const wanted = wantedSeverities(query)
  if (isFew(query)) {
    const few = await fewPage(db, runs, query, wanted)
    const totalIssues = sumOf(few.bySeverity, wanted)
    const rows = await show(db, runs, few.chosen)
    return { rows, total: totalIssues, totalIssues, bySeverity: few.bySeverity }
  }
  const { bySeverity, groups, totalIssues } = await countIssues({ db }, runs, query)
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

export type IssueFull = IssueRow & {
  description: string
  help_url: string
  target: Target
  html: string
  fix: Fix
  page_title: string | null
  picture: Buffer | null
  picture_box: number[] | null
  first_run: number
  last_run: number
  fixed_in_run: number | null
  version: number
  matched_by: 'key' | 'alike' | 'moved' | 'group'
  remediation: string | null
  ignore: {
    id: string
    scope: IgnoreScope
    reason: string
    authorId: string
    author: string | null
    createdAt: string
  } | null
}

const ignoreOf = sql`(select jsonb_build_object('id', n.id, 'scope', n.scope, 'reason', n.reason, 'authorId', n.author_id,
    'author', ${buildPersonName('q')}, 'createdAt', n.created_at)
  from issue_ignore n left join person q on q.id = n.author_id where n.id = i.ignore_id)`

/** One issue as a run saw it: that of the number, else the newest that has a row of it. */
export async function findIssue(
  { db }: Db,
  id: string,
  runNumber: number | undefined,
): Promise<IssueFull | null> {
  const which = runNumber === undefined ? sql`true` : sql`run.number = ${runNumber}::int`
  const { rows } = await sql<Omit<IssueFull, 'target' | 'fix'> & { target: unknown; fix: unknown }>`
    select ${details}, rule.description, rule.help_url, e.target, e.html, e.fix, p.title as page_title,
      f.picture, f.picture_box, i.first_run, i.last_run, i.fixed_in_run, i.version,
      i.matched_by, i.remediation, ${ignoreOf} as ignore
    from (select run.id as run_id, run.number, s.id as scan_id, s.name as scan_name
          from finding one join run on run.id = one.run_id join scan s on s.id = run.scan_id
          where one.issue_id = ${id} and ${which} order by run.number desc limit 1) r
    join finding f on f.run_id = r.run_id and f.issue_id = ${id} join rule on rule.id = f.rule_id ${detailJoins}`.execute(
    db,
  )
  const row = rows[0]
  return row ? { ...row, target: targetOf(id, row.target), fix: fixOf(id, row.fix) } : null
}

/** Other pages of the same run with the same element and rule, fifty at most; each once, however often it has the element. */
export async function otherPages({ db }: Db, issue: { runId: string; groupId: string; pageId: string }) {
  const { rows } = await sql<{ issueId: string; pageId: string; url: string }>`
    select distinct on (p.url, f.page_id) f.issue_id as "issueId", f.page_id as "pageId", p.url
    from finding f join page p on p.id = f.page_id
    where f.run_id = ${issue.runId} and f.group_id = ${issue.groupId} and f.page_id <> ${issue.pageId} and ${isPresent('f')}
    order by p.url, f.page_id, f.issue_id limit 50`.execute(db)
  return rows
}

export type MomentRow = { number: number; ended_at: Date | null; change: number; severity: number }

/** What each run saw of an issue, newest first. */
export async function momentsOf({ db }: Db, id: string): Promise<MomentRow[]> {
  const { rows } = await sql<MomentRow>`
    select run.number, run.ended_at, f.change, f.severity from finding f join run on run.id = f.run_id
    where f.issue_id = ${id} order by run.number desc limit ${longestHistory}`.execute(db)
  return rows
}

export type CommentRow = {
  id: string
  text: string
  mentions: { id: string; name: string | null }[]
  author_id: string
  author: string | null
  created_at: Date
  edited_at: Date | null
}

const columns = sql`c.id, c.text, c.author_id, c.created_at, c.edited_at, ${buildPersonName('p')} as author,
  array(select jsonb_build_object('id', one, 'name', ${buildPersonName('q')})
    from unnest(c.mentions) one left join person q on q.id = one) as mentions`

/** Comments on an issue, oldest first; a thousand at most. */
export async function listComments({ db }: Db, issueId: string): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`select ${columns} from issue_comment c
    left join person p on p.id = c.author_id where c.issue_id = ${issueId} order by c.id limit 1000`.execute(
    db,
  )
  return rows
}

export async function insertComment(
  { db }: Db,
  comment: { issueId: string; authorId: string; text: string; mentions: readonly string[] },
): Promise<CommentRow> {
  const { rows } = await sql<CommentRow>`
    with c as (insert into issue_comment (id, issue_id, author_id, text, mentions)
      values (${newId()}, ${comment.issueId}, ${comment.authorId}, ${comment.text}, ${[...comment.mentions]}::text[])
      returning *)
    select ${columns} from c left join person p on p.id = c.author_id`.execute(db)
  return rows[0]!
}

/** The people whom an author's comment mentions; null when there is no such comment. Locked until the transaction ends. */
export async function mentionsOf(
  { db }: Db,
  comment: { issueId: string; id: string; authorId: string },
): Promise<string[] | null> {
  const { rows } = await sql<{ mentions: string[] }>`select mentions from issue_comment
    where id = ${comment.id} and issue_id = ${comment.issueId} and author_id = ${comment.authorId} for update`.execute(
    db,
  )
  return rows[0]?.mentions ?? null
}

/** Changes the text of a comment by its author; null when there is no such one. */
export async function updateComment(
  { db }: Db,
  comment: { issueId: string; id: string; authorId: string; text: string; mentions: readonly string[] },
): Promise<CommentRow | null> {
  const { rows } = await sql<CommentRow>`
    with c as (update issue_comment set text = ${comment.text}, mentions = ${[...comment.mentions]}::text[], edited_at = now()
      where id = ${comment.id} and issue_id = ${comment.issueId} and author_id = ${comment.authorId} returning *)
    select ${columns} from c left join person p on p.id = c.author_id`.execute(db)
  return rows[0] ?? null
}

/** Deletes a comment of an issue; only the author's own when `authorId` is given. False when there is no such one. */
export async function deleteComment(
  { db }: Db,
  comment: { issueId: string; id: string; authorId: string | null },
): Promise<boolean> {
  const own = comment.authorId === null ? sql`true` : sql`author_id = ${comment.authorId}`
  const { rows } = await sql`delete from issue_comment
    where id = ${comment.id} and issue_id = ${comment.issueId} and ${own} returning id`.execute(db)
  return rows.length > 0
}
