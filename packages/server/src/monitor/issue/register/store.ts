import { type RawBuilder, sql } from 'kysely'
import type { IgnoreFilter, IgnoreQuery } from '@clearway/contract/monitor/issue/ignore/schema.ts'
import type { IgnoreScope } from '@clearway/contract/monitor/issue/schema.ts'
import type { RowBatches } from '../../../kit/csv/write.ts'
import { streamRows } from '../../../kit/large-read.ts'
import { buildLimitClause, buildOrderClause, joinConditions } from '../../../kit/paging.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import type { VisibleScans } from '../selection/store.ts'
import { selectNewestFinding } from '../chosen/store.ts'
import { isIgnoredBy } from '../ignore/store.ts'
import { isInForce, storedLiterals } from '../table.ts'

export type RegisterRow = {
  id: string
  scanId: string
  scanName: string
  scope: IgnoreScope
  rules: string[]
  pageUrl: string | null
  issues: number
  presentIssues: number
  issueId: string | null
  reason: string
  authorId: string
  author: string | null
  createdAt: Date
  until: Date | null
}

/** Maximum number of rules that a decision about single issues names. */
const maxNamedRules = 10
const maxChoices = 500

/** The ignored issues of scans with decisions. */
const selectIgnored = sql`(select i.id, i.scan_id, i.rule, i.ignore_id from issue i
  where i.status = ${storedLiterals.status.ignored} and i.scan_id = any(array(select scan_id from issue_ignore)))`

/** Decisions in force, as `n`: those of single issues count as long as one of them is ignored. */
const selectDecisions = (visible: VisibleScans, ignoredIssues = selectIgnored) => sql`
  from issue_ignore n join ${visible} v on v.scan_id = n.scan_id join scan s on s.id = n.scan_id
    left join person p on p.id = n.author_id
  where ${isInForce('n')} and (n.scope <> 'issue' or n.id in (select ignore_id from ${ignoredIssues} i))`

const hasRule = (rules: readonly string[]) => sql`(n.rule = any(${[...rules]}::text[]) or (n.scope = 'issue'
  and exists (select from issue i where ${isIgnoredBy} and i.rule = any(${[...rules]}::text[]))))`

const buildConditions = ({ scanId, rule, author, expiresInDays }: IgnoreFilter): RawBuilder<boolean> =>
  joinConditions([
    scanId.length > 0 && sql`n.scan_id = any(${scanId}::uuid[])`,
    rule.length > 0 && hasRule(rule),
    author.length > 0 && sql`n.author_id = any(${author}::text[])`,
    expiresInDays !== undefined && sql`n.until <= now() + make_interval(days => ${expiresInDays}::int)`,
  ])

const countCovered = sql`(select count(*)::int from issue i where ${isIgnoredBy})`
const sortColumns = {
  createdAt: sql`n.created_at`,
  until: sql`n.until`,
  scan: sql`lower(s.name)`,
  issues: countCovered,
}

export async function listDecisions(
  db: MonitorDb,
  visible: VisibleScans,
  query: IgnoreQuery & { id?: string },
): Promise<{ rows: RegisterRow[]; total: number }> {
  const conditions = query.id === undefined ? buildConditions(query) : sql<boolean>`n.id = ${query.id}`
  const { rows: resultRows } = await sql<RegisterRow & { total: number }>`
    select n.id, n."scanId", n."scanName", n.scope, n.reason, n."authorId", n.author, n."createdAt", n.until, n.total,
      covered.issues, covered."presentIssues", covered."issueId", case when n.scope = 'issue' then covered.rules else array[n.rule] end as rules,
      (select page.url from issue i cross join lateral (${selectNewestFinding(undefined)}) f join page on page.id = f.page_id
        where i.id = covered."sampleId" and (covered.issues = 1 or n.scope = 'rule-on-page')) as "pageUrl"
    from (
      select n.id, n.scan_id, n.scan_id as "scanId", s.name as "scanName", n.scope, n.rule, n.reason, n.author_id as "authorId",
        ${buildPersonName('p')} as author, n.created_at as "createdAt", n.until, count(*) over ()::int as total,
        row_number() over (${buildOrderClause(sortColumns, query.sort, sql`n.created_at desc`, sql`n.id desc`)}) as place
      ${selectDecisions(visible)} and ${conditions} order by place ${buildLimitClause(query)}) n
    cross join lateral (
      select count(*)::int as issues, count(*) filter (where i.presence = ${storedLiterals.presence.there})::int as "presentIssues",
        case when count(*) = 1 then min(i.id::text) end as "issueId", min(i.id::text)::uuid as "sampleId",
        coalesce((array_agg(distinct i.rule order by i.rule))[:${maxNamedRules}::int], '{}') as rules
      from issue i where ${isIgnoredBy}) covered
    order by n.place`.execute(db)
  const [firstRow] = resultRows
  const total = firstRow?.total ?? (query.page > 0 ? await countDecisions(db, visible, conditions) : 0)
  const registerRows = resultRows.map((row) => {
    const { total: _, ...registerRow } = row
    return registerRow
  })
  return { rows: registerRows, total }
}

async function countDecisions(db: MonitorDb, visible: VisibleScans, conditions: RawBuilder<boolean>): Promise<number> {
  const { rows: countRows } = await sql<{ total: number }>`
    select count(*)::int as total ${selectDecisions(visible)} and ${conditions}`.execute(db)
  return countRows[0]!.total
}

export type RegisterChoices = {
  scans: { id: string; name: string }[]
  rules: string[]
  people: { id: string; name: string | null }[]
}

export async function listRegisterChoices(db: MonitorDb, visible: VisibleScans): Promise<RegisterChoices> {
  const decisions = sql`decision as materialized (select n.*, s.name as scan_name, ${buildPersonName('p')} as person_name
    ${selectDecisions(visible)})`
  const { rows: choiceRows } = await sql<RegisterChoices>`
    with ${decisions}
    select
      (select coalesce(jsonb_agg(o order by lower(name), id), '[]') from (
        select distinct scan_id as id, scan_name as name from decision limit ${maxChoices}::int) o) as scans,
      (select coalesce(jsonb_agg(rule order by rule), '[]') from (
        select rule from decision where scope <> 'issue'
        union select i.rule from decision n join issue i on ${isIgnoredBy} where n.scope = 'issue'
        limit ${maxChoices}::int) o) as rules,
      (select coalesce(jsonb_agg(o order by lower(name), id), '[]') from (
        select distinct author_id as id, person_name as name from decision limit ${maxChoices}::int) o) as people`.execute(db)
  return choiceRows[0]!
}

export type ExportedIgnore = Omit<RegisterRow, 'rules' | 'issues' | 'presentIssues'> & { rule: string; selector: string | null }

/** All decisions, each with every issue that it ignores; one without any is a row of its own. */
export const streamRegister = (db: MonitorDb, visible: VisibleScans, filter: IgnoreFilter): RowBatches<ExportedIgnore> =>
  streamRows(
    db,
    sql<ExportedIgnore>`
      with ignored_issue as materialized ${selectIgnored}
      select n.id, n.scan_id as "scanId", s.name as "scanName", n.scope, coalesce(i.rule, n.rule) as rule, i.id as "issueId",
        page.url as "pageUrl", e.selector, n.reason, n.author_id as "authorId", ${buildPersonName('p')} as author,
        n.created_at as "createdAt", n.until
      from (select n.* ${selectDecisions(visible, sql`ignored_issue`)} and ${buildConditions(filter)}) n
      join scan s on s.id = n.scan_id left join person p on p.id = n.author_id
      left join ignored_issue i on i.ignore_id = n.id ${filter.rule.length > 0 ? sql`and i.rule = any(${filter.rule}::text[])` : sql``}
      left join lateral (${selectNewestFinding(undefined)}) f on true
      left join evidence e on e.hash = f.evidence
      left join page on page.id = f.page_id
      order by n.created_at desc, n.id desc, i.id`,
  )
