import { type RawBuilder, sql } from 'kysely'
import {
  type Fix,
  type IgnoreScope,
  maxHistoryRuns,
  type ReviewAnswer,
  type Target,
} from '@clearway/contract/monitor/issue/schema.ts'
import type { PageSource } from '@clearway/contract/monitor/page/schema.ts'
import { buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import { prepareOnce } from '../../kit/postgres/prepared.ts'
import type { MonitorDb } from '../database.ts'
import { severities } from './model.ts'
import { readSmallPage } from './few-issues-fast-path/store.ts'
import { buildConditions, buildFromClause, type CountQuery, type IssueQuery, type RunsInView, toNumbers } from './filter/store.ts'
import {
  buildOpenGroupPage,
  buildOpenPage,
  buildRulePage,
  getRuleOrder,
  hasRunCountOrder,
  isFilteredByRule,
  isUnfiltered,
  type OpenCounts,
  readOpenCounts,
  readRuleCounts,
} from './run-count-fast-path/store.ts'
import { createId } from '../../kit/id.ts'
import { selectNewestFinding } from './chosen/store.ts'
import { selectLastSeenRun } from './span/store.ts'
import { isInForce, parseFix, isPresent, parseTarget, storedLiterals, storedPicture } from './table.ts'
import { buildPersonName } from '../access/table.ts'

type DatabaseDeps = { db: MonitorDb }

/** A finding with the columns of its issue and page that lists show. */
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
  issues: number
  new_issues: number
  back_issues: number
  pages: number
  labels: string[]
  tags: string[]
  marked: boolean | null
  review: ReviewAnswer | null
  component: string | null
  ticket_url: string | null
  assigned_to: string | null
  assigned_name: string | null
  first_seen_at: Date
  updated_at: Date
  group_id: string
  carried_from: number | null
  drive_level: number | null
  states: string[] | null
}

/** Issues of the run with the element, rule and status of the finding `f`, there or gone as it is: those of the row of a group. */
const alikeFindings = sql`from finding g
  where g.run_id = f.run_id and g.group_id = f.group_id and g.status = f.status and (${isPresent('g')}) = (${isPresent('f')})`

const detailColumns = sql`
  f.issue_id as id, r.scan_id, r.scan_name, f.run_id, r.number as run_number, f.page_id, p.url as page_url, p.source, p.carried_from,
  rule.name as rule, rule.help, rule.tags, f.impact, f.severity, f.status, f.change, f.drive_level, f.states, e.selector,
  i.labels, i.marked, i.review, i.component, i.ticket_url, i.assigned_to, ${buildPersonName('a')} as assigned_name, i.first_seen_at, i.updated_at,
  f.group_id, counted.issues, counted.new_issues, counted.back_issues, counted.pages`
const detailJoins = sql`
  join issue i on i.id = f.issue_id
  join page p on p.id = f.page_id
  join evidence e on e.hash = f.evidence
  left join person a on a.id = i.assigned_to`
/** Numbers of new and of reappeared issues among findings, as `new_issues` and `back_issues`. */
const countByChange = (alias: string) => sql`
  count(*) filter (where ${sql.ref(`${alias}.change`)} = ${storedLiterals.change.new})::int as new_issues,
  count(*) filter (where ${sql.ref(`${alias}.change`)} = ${storedLiterals.change.back})::int as back_issues`
const alikeCounts = sql`cross join lateral (
  select count(*)::int as issues, ${countByChange('g')}, count(distinct g.page_key)::int as pages ${alikeFindings}) counted`

const groupPageCount = sql`(select count(distinct g.page_key) ${alikeFindings})`
const sortColumns = {
  severity: sql`f.severity`,
  rule: sql`rule.name`,
  pages: groupPageCount,
  status: sql`f.status`,
  firstSeenAt: sql`(select first_seen_at from issue where id = f.issue_id)`,
  pageUrl: sql`(select url from page where id = f.page_id)`,
  selector: sql`(select selector from evidence where hash = f.evidence)`,
  assignedTo: sql`(select ${buildPersonName('p')}
    from issue join person p on p.id = issue.assigned_to where issue.id = f.issue_id)`,
  change: sql`f.change`,
  scan: sql`lower(r.scan_name)`,
}

/**
 * Details of chosen findings, (run_id, issue_id, place), in the order of `place`.
 * @param counts joins the numbers of issues and pages of a row, as `counted`
 */
async function loadDetails(
  db: MonitorDb,
  runs: RunsInView,
  chosenFindings: RawBuilder<unknown>,
  counts = alikeCounts,
): Promise<IssueRow[]> {
  const { rows: issueRows } = await sql<IssueRow>`
    with chosen as materialized (${chosenFindings})
    select ${detailColumns} from chosen join ${runs} r on r.run_id = chosen.run_id
    -- Looked up one by one: the planner would otherwise look at all runs of a finding.
    join lateral (select * from finding where run_id = chosen.run_id and issue_id = chosen.issue_id offset 0) f on true join rule on rule.id = f.rule_id ${detailJoins} ${counts} order by chosen.place`.execute(
    db,
  )
  return issueRows
}

/** Ungrouped issues: selects one page of keys first, then their details. */
function listUngrouped({ db }: DatabaseDeps, runs: RunsInView, query: IssueQuery): Promise<IssueRow[]> {
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`f.severity`, sql`f.run_id, f.issue_id`)
  return loadDetails(
    db,
    runs,
    sql`select top.*, row_number() over () as place from (
      select f.run_id, f.issue_id ${buildFromClause(runs, query)}
      where ${buildConditions(query, { severity: false })} ${orderClause} ${buildLimitClause(query)}) top`,
  )
}

/** Issues after the cursor, in the order of ids. */
const listAfterCursor = (db: MonitorDb, runs: RunsInView, query: IssueQuery, cursor: string): Promise<IssueRow[]> =>
  loadDetails(
    db,
    runs,
    sql`select top.*, row_number() over () as place from (
      select f.run_id, f.issue_id ${buildFromClause(runs, query)}
      where ${buildConditions(query, { severity: false })} ${cursor === '' ? sql`` : sql`and f.issue_id > ${cursor}::uuid`}
      order by f.issue_id limit ${query.size}::int) top`,
  )

const selectMinimum = (column: string, table: string, key: string) =>
  sql.raw(`min((select ${column} from ${table} where ${key}))`)
const groupColumns = {
  severity: sql`min(f.severity)`,
  rule: sql`min(rule.name)`,
  pages: sql`count(distinct f.page_key)`,
  status: sql`min(f.status)`,
  firstSeenAt: selectMinimum('first_seen_at', 'issue', 'id = f.issue_id'),
  pageUrl: selectMinimum('url', 'page', 'id = f.page_id'),
  selector: selectMinimum('selector', 'evidence', 'hash = f.evidence'),
  assignedTo: selectMinimum('assigned_to', 'issue', 'id = f.issue_id'),
  change: sql`min(f.change)`,
  scan: sql`min(lower(r.scan_name))`,
}

/** Issues grouped by element and rule, each group represented by its first issue, with its numbers; and the number of groups. */
async function listGroups(
  { db }: DatabaseDeps,
  runs: RunsInView,
  query: IssueQuery,
): Promise<{ rows: IssueRow[]; total: number }> {
  const findingFilter = buildConditions(query, { severity: false })
  const orderClause = buildOrderClause(groupColumns, query.sort, sql`min(f.severity), count(*) desc`, sql`f.run_id, f.group_id`)
  const groupResult = await sql<{ total: number } & Pick<IssueRow, 'run_id' | 'group_id' | 'issues' | 'pages'>>`
    select f.run_id, f.group_id, count(*)::int as issues, ${countByChange('f')}, ${groupColumns.pages}::int as pages, count(*) over () as total
    ${buildFromClause(runs, query)}
    where ${findingFilter} group by f.run_id, f.group_id ${orderClause} ${buildLimitClause(query)}`.execute(db)
  const groupsJson = JSON.stringify(groupResult.rows.map(({ total: _total, ...group }, place) => ({ ...group, place })))
  const rows = await loadDetails(
    db,
    runs,
    sql`select g.run_id, one.issue_id, g.place, g.issues, g.new_issues, g.back_issues, g.pages
      from jsonb_to_recordset(${groupsJson}::jsonb)
        as g (run_id uuid, group_id uuid, place int, issues int, new_issues int, back_issues int, pages int)
      join lateral (select f.issue_id ${buildFromClause(runs, query)}
        where ${findingFilter} and f.run_id = g.run_id and f.group_id = g.group_id
        order by f.severity, f.issue_id limit 1) one on true`,
    sql`cross join lateral (select chosen.issues, chosen.new_issues, chosen.back_issues, chosen.pages) counted`,
  )
  return { rows, total: groupResult.rows[0]?.total ?? (query.page === 0 ? 0 : await countGroups(db, runs, query)) }
}

async function countGroups(db: MonitorDb, runs: RunsInView, query: IssueQuery): Promise<number> {
  const { rows: countRows } = await sql<{ count: number }>`
    select count(*) as count from (select ${buildFromClause(runs, query)}
      where ${buildConditions(query, { severity: false })} group by f.run_id, f.group_id) t`.execute(db)
  return countRows[0]?.count ?? 0
}

/** Matching issues by severity, ignoring the severity filter. */
async function countBySeverity(db: MonitorDb, runs: RunsInView, query: CountQuery): Promise<OpenCounts> {
  if (isUnfiltered(query)) return readOpenCounts(db, runs)
  if (isFilteredByRule(query)) return readRuleCounts(db, runs, query)
  const { rows: severityRows } = await sql<{ severity: number; issues: number }>`
    select f.severity, count(*) as issues ${buildFromClause(runs, query)}
    where ${buildConditions(query, { severity: true })} group by f.severity`.execute(db)
  const countsBySeverity = severities.map(
    (_n, severityIndex) => severityRows.find((row) => row.severity === severityIndex)?.issues ?? 0,
  )
  return { bySeverity: countsBySeverity, groups: null }
}

/** Counts shown next to the severity filter of each list, and the total number of issues. */
export async function countIssues({ db }: DatabaseDeps, runs: RunsInView, query: CountQuery) {
  const { bySeverity: countsBySeverity, groups: groupCount } = await countBySeverity(db, runs, query)
  const severityNumbers = getSeverityNumbers(query)
  return { bySeverity: countsBySeverity, groups: groupCount, totalIssues: sumCounts(countsBySeverity, severityNumbers) }
}

const getSeverityNumbers = ({ severity }: CountQuery) =>
  severity.length > 0 ? toNumbers(severity, severities) : severities.map((_n, severityIndex) => severityIndex)
const sumCounts = (countsBySeverity: readonly number[], severityNumbers: readonly number[]) =>
  severityNumbers.reduce((total, severityIndex) => total + (countsBySeverity[severityIndex] ?? 0), 0)

export async function listIssues({ db }: DatabaseDeps, runs: RunsInView, query: IssueQuery) {
  const severityNumbers = getSeverityNumbers(query)
  if (query.cursor !== undefined) {
    const { totalIssues, bySeverity } = await countIssues({ db }, runs, query)
    const issueRows = await listAfterCursor(db, runs, query, query.cursor)
    return { rows: issueRows, total: totalIssues, totalIssues, bySeverity }
  }
  const smallPage = await readSmallPage(db, runs, query, severityNumbers)
  if (smallPage) {
    const totalIssues = sumCounts(smallPage.bySeverity, severityNumbers)
    const issueRows = await loadDetails(db, runs, smallPage.chosen)
    return { rows: issueRows, total: totalIssues, totalIssues, bySeverity: smallPage.bySeverity }
  }
  const { bySeverity: countsBySeverity, groups: groupCount, totalIssues } = await countIssues({ db }, runs, query)
  const issueCounts = { totalIssues, bySeverity: countsBySeverity }
  const canUseRunCounts = hasRunCountOrder(query)
  if (query.grouped)
    return canUseRunCounts && groupCount !== null && query.severity.length === 0
      ? { rows: await loadDetails(db, runs, buildOpenGroupPage(runs, query)), total: groupCount, ...issueCounts }
      : { ...(await listGroups({ db }, runs, query)), ...issueCounts }
  const ruleOrder = getRuleOrder(query)
  const issueRows = canUseRunCounts
    ? await loadDetails(db, runs, buildOpenPage(runs, severityNumbers, query))
    : ruleOrder
      ? await loadDetails(db, runs, buildRulePage(runs, query, ruleOrder))
      : await listUngrouped({ db }, runs, query)
  return { rows: issueRows, total: totalIssues, ...issueCounts }
}

export type FullIssueRow = IssueRow & {
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
    until: string | null
    expired: boolean
  } | null
  reviewed: { reason: string | null; authorId: string | null; author: string | null; at: string } | null
}

const reviewedColumn = sql`(select jsonb_build_object('reason', i.review_reason, 'authorId', i.reviewed_by, 'at', i.reviewed_at,
  'author', (select ${buildPersonName('q')} from person q where q.id = i.reviewed_by)) where i.review is not null and i.reviewed_at is not null)`
const ignoreColumn = sql`(select jsonb_build_object('id', n.id, 'scope', n.scope, 'reason', n.reason, 'authorId', n.author_id,
    'author', ${buildPersonName('q')}, 'createdAt', n.created_at, 'until', n.until, 'expired', not ${isInForce('n')})
  from issue_ignore n left join person q on q.id = n.author_id where n.id = i.ignore_id)`

/** An issue that is there was found by the newest run, which does not write it. */
const lastRunColumn = sql`case when i.presence = ${storedLiterals.presence.there}
  then coalesce((select number from ${selectLastSeenRun} seen), i.last_run) else i.last_run end`

/** One issue in the run with the given number, or else in the newest run that has a finding of it. */
export async function findIssue(
  { db }: DatabaseDeps,
  issueId: string,
  runNumber: number | undefined,
): Promise<FullIssueRow | null> {
  const { rows: issueRows } = await prepareOnce(sql<Omit<FullIssueRow, 'target' | 'fix'> & { target: unknown; fix: unknown }>`
    select ${detailColumns}, rule.description, rule.help_url, e.target, e.html, e.fix, p.title as page_title,
      ${storedPicture('r')} as picture, f.picture_box, i.first_run, ${lastRunColumn} as last_run, i.fixed_in_run, i.version,
      i.matched_by, i.remediation, ${ignoreColumn} as ignore, ${reviewedColumn} as reviewed
    from (select run.id as run_id, run.number, run.contents_cleared_at, s.id as scan_id, s.name as scan_name
          from issue i cross join lateral (${selectNewestFinding(runNumber)}) one join run on run.id = one.run_id
          join scan s on s.id = run.scan_id where i.id = ${issueId}) r
    join finding f on f.run_id = r.run_id and f.issue_id = ${issueId} join rule on rule.id = f.rule_id ${detailJoins} ${alikeCounts}`).execute(
    db,
  )
  const issueRow = issueRows[0]
  return issueRow ? { ...issueRow, target: parseTarget(issueId, issueRow.target), fix: parseFix(issueId, issueRow.fix) } : null
}

type GroupedIssue = { runId: string; groupId: string; pageId: string; status: number }

/** Other pages of the same run with the same element, rule and status, each once, at most fifty. */
export async function listOtherPages({ db }: DatabaseDeps, issue: GroupedIssue) {
  const { rows: pageRows } = await sql<{ issueId: string; pageId: string; url: string }>`
    select distinct on (p.url, f.page_id) f.issue_id as "issueId", f.page_id as "pageId", p.url
    from finding f join page p on p.id = f.page_id
    where f.run_id = ${issue.runId} and f.group_id = ${issue.groupId} and f.page_id <> ${issue.pageId} and f.status = ${issue.status} and ${isPresent('f')}
    order by p.url, f.page_id, f.issue_id limit 50`.execute(db)
  return pageRows
}

export type HistoryRow = { number: number; ended_at: Date | null; change: number; severity: number }

export async function listHistory({ db }: DatabaseDeps, issueId: string): Promise<HistoryRow[]> {
  const { rows: historyRows } = await sql<HistoryRow>`
    select run.number, run.ended_at, f.change, f.severity from finding f join run on run.id = f.run_id
    where f.issue_id = ${issueId} order by run.number desc limit ${maxHistoryRuns}`.execute(db)
  return historyRows
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

const commentColumns = sql`c.id, c.text, c.author_id, c.created_at, c.edited_at, ${buildPersonName('p')} as author,
  array(select jsonb_build_object('id', one, 'name', ${buildPersonName('q')})
    from unnest(c.mentions) one left join person q on q.id = one) as mentions`

/** Comments on an issue, oldest first, at most a thousand. */
export async function listComments({ db }: DatabaseDeps, issueId: string): Promise<CommentRow[]> {
  const { rows: commentRows } = await sql<CommentRow>`select ${commentColumns} from issue_comment c
    left join person p on p.id = c.author_id where c.issue_id = ${issueId} order by c.id limit 1000`.execute(db)
  return commentRows
}

/** Adds a comment. Returns null if the issue was deleted in the meantime. */
export async function insertComment(
  { db }: DatabaseDeps,
  comment: { issueId: string; authorId: string; text: string; mentions: readonly string[] },
): Promise<CommentRow | null> {
  const { rows: commentRows } = await sql<CommentRow>`
    with i as (select id from issue where id = ${comment.issueId} for key share),
    c as (insert into issue_comment (id, issue_id, author_id, text, mentions)
      select ${createId()}::uuid, i.id, ${comment.authorId}, ${comment.text}, ${[...comment.mentions]}::text[] from i
      returning *)
    select ${commentColumns} from c left join person p on p.id = c.author_id`.execute(db)
  return commentRows[0] ?? null
}

/** Ids of people mentioned in an author's comment; null for an unknown comment. Locks it until the transaction ends. */
export async function readMentions(
  { db }: DatabaseDeps,
  comment: { issueId: string; id: string; authorId: string },
): Promise<string[] | null> {
  const { rows: mentionRows } = await sql<{ mentions: string[] }>`select mentions from issue_comment
    where id = ${comment.id} and issue_id = ${comment.issueId} and author_id = ${comment.authorId} for update`.execute(db)
  return mentionRows[0]?.mentions ?? null
}

/** Changes the text of an author's comment; null for an unknown comment. */
export async function updateComment(
  { db }: DatabaseDeps,
  comment: { issueId: string; id: string; authorId: string; text: string; mentions: readonly string[] },
): Promise<CommentRow | null> {
  const { rows: commentRows } = await sql<CommentRow>`
    with c as (update issue_comment set text = ${comment.text}, mentions = ${[...comment.mentions]}::text[], edited_at = now()
      where id = ${comment.id} and issue_id = ${comment.issueId} and author_id = ${comment.authorId} returning *)
    select ${commentColumns} from c left join person p on p.id = c.author_id`.execute(db)
  return commentRows[0] ?? null
}

/** Deletes a comment of an issue; with `authorId`, only that author's. False for an unknown comment. */
export async function deleteComment(
  { db }: DatabaseDeps,
  comment: { issueId: string; id: string; authorId: string | null },
): Promise<boolean> {
  const authorFilter = comment.authorId === null ? sql`true` : sql`author_id = ${comment.authorId}`
  const { rows: deletedRows } = await sql`delete from issue_comment
    where id = ${comment.id} and issue_id = ${comment.issueId} and ${authorFilter} returning id`.execute(db)
  return deletedRows.length > 0
}
