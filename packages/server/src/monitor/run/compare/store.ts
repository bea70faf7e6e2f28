import type * as z from 'zod/mini'
import { type RawBuilder, sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import type {
  ComparedIssue,
  ComparedIssuesQuery,
  ComparedPagesQuery,
  ComparedSide,
  GroupQuery,
  SelectorQuery,
} from '@clearway/contract/monitor/run/schema.ts'
import { allOf, containing, limits, orderBy } from '../../../kit/paging.ts'
import { isOpen, storedLiterals } from '../../issue/table.ts'

type Counts = { onlyHere: number; both: number; onlyThere: number }
export type ComparedRule = Counts & {
  rule: string
  help: string
  severity: number
  /** Of the ones on one side only: what only the other rule set caused. */
  ruleSetHere: number
  ruleSetThere: number
}
/** A run, and the tags of its rule set. */
export type ComparedRun = { id: string; tags: readonly string[] }

/**
 * Whether a finding that the other run lacks is there because of the rule set alone: its rule was off there, or the page is
 * the same byte for byte.
 */
const byRuleSet = (page: RawBuilder<unknown>, other: ComparedRun) => sql<boolean>`(
  not (select tags from rule where id = t.rule_id) && ${[...other.tags]}::text[] or exists (
    select from page p join page q on q.run_id = ${other.id} and q.key_hash = p.key_hash
    where p.id = ${page} and p.content_hash = q.content_hash))`

/**
 * Issues that count in either of two runs, by rule and severity: only in the first, in both, only in the second. The
 * key of findings begins with the run, so each side is read once, in the order of issues.
 * @param runs.ruleSetChanged whether their rule sets differ; else nothing is put down to these
 */
export async function comparedIssues(
  db: MonitorDb,
  runs: { here: ComparedRun; there: ComparedRun; ruleSetChanged: boolean },
): Promise<ComparedRule[]> {
  const { here, there, ruleSetChanged } = runs
  const side = ({ id }: ComparedRun) => sql`(select issue_id, rule_id, severity, page_id from finding
    where run_id = ${id} and ${isOpen()})`
  const alone = (where: RawBuilder<boolean>, other: ComparedRun, page: RawBuilder<unknown>) =>
    ruleSetChanged ? sql`count(*) filter (where ${where} and ${byRuleSet(page, other)})::int` : sql`0`
  const { rows } = await sql<ComparedRule>`
    select rule.name as rule, min(rule.help) as help, t.severity,
      sum(only_here)::int as "onlyHere", sum(in_both)::int as "both", sum(only_there)::int as "onlyThere",
      sum(rule_set_here)::int as "ruleSetHere", sum(rule_set_there)::int as "ruleSetThere"
    from (
      select rule_id, severity, count(*) filter (where there is null) as only_here,
        count(*) filter (where here is not null and there is not null) as in_both,
        count(*) filter (where here is null) as only_there,
        ${alone(sql`there is null`, there, sql`here`)} as rule_set_here,
        ${alone(sql`here is null`, here, sql`there`)} as rule_set_there
      from (select coalesce(a.rule_id, b.rule_id) as rule_id, coalesce(a.severity, b.severity) as severity,
          a.page_id as here, b.page_id as there
        from ${side(here)} a full join ${side(there)} b on b.issue_id = a.issue_id) t group by 1, 2) t
    join rule on rule.id = t.rule_id group by rule.name, t.severity order by rule.name, t.severity`.execute(
    db,
  )
  return rows
}

type Numbered = { id: string; number: number }
type Sides = { here: Numbered; there: Numbered }
/** The run that shows what is on a side, and what of the other one decides. */
const sidesOf = (side: ComparedSide, { here, there }: Sides) =>
  side === 'onlyThere' ? { shown: there, against: here } : { shown: here, against: there }
const alsoThere = (side: ComparedSide, found: RawBuilder<unknown>) =>
  side === 'both' ? sql`exists ${found}` : sql`not exists ${found}`

export type ListedIssue = Omit<z.output<typeof ComparedIssue>, 'severity' | 'runNumber'> & {
  severity: number
}

/** Issues that count, on one side of two runs: what `comparedIssues` counts there. */
export async function listComparedIssues(
  db: MonitorDb,
  sides: Sides,
  query: z.output<typeof ComparedIssuesQuery>,
): Promise<{ rows: ListedIssue[]; total: number; runNumber: number }> {
  const { shown, against } = sidesOf(query.side, sides)
  const other = sql`(select from finding b
    where b.run_id = ${against.id} and b.issue_id = f.issue_id and ${isOpen('b')})`
  const from = sql`from finding f join rule on rule.id = f.rule_id
    where f.run_id = ${shown.id} and ${isOpen('f')} and ${alsoThere(query.side, other)}
      and ${query.rule === undefined ? sql`true` : sql`rule.name = ${query.rule}`}`
  const { rows } = await sql<ListedIssue & { total: number }>`
    with found as materialized (select f.issue_id, f.severity, f.evidence, f.page_id, rule.name, rule.help ${from}),
    listed as (
      select found.*, p.url from found join page p on p.id = found.page_id
      order by severity, name, p.url, issue_id ${limits(query)})
    select c.total, l.issue_id as "issueId", l.name as rule, l.help, l.severity, e.selector, l.url as "pageUrl"
    from (select count(*)::int as total from found) c left join listed l on true left join evidence e on e.hash = l.evidence
    order by l.severity, l.name, l.url, l.issue_id`.execute(db)
  return { rows: rows.filter((row) => row.issueId !== null), total: rows[0]!.total, runNumber: shown.number }
}

/** Completed pages on one side of two runs: what `comparedPages` counts there. */
export async function listComparedPages(
  db: MonitorDb,
  sides: Sides,
  query: z.output<typeof ComparedPagesQuery>,
) {
  const { shown, against } = sidesOf(query.side, sides)
  const other = sql`(select from page q
    where q.run_id = ${against.id} and q.key_hash = p.key_hash and q.status = 'completed')`
  const { rows } = await sql<{ pageId: string; url: string; title: string | null; total: number }>`
    with found as materialized (
      select distinct on (p.key_hash) p.id, p.url, p.title from page p
      where p.run_id = ${shown.id} and p.status = 'completed' and ${alsoThere(query.side, other)} order by p.key_hash, p.id),
    listed as (select * from found order by url, id ${limits(query)})
    select c.total, l.id as "pageId", l.url, l.title
    from (select count(*)::int as total from found) c left join listed l on true order by l.url, l.id`.execute(
    db,
  )
  return { rows: rows.filter((row) => row.pageId !== null), total: rows[0]!.total, runNumber: shown.number }
}

/** Completed pages of either run: only in the first, in both, only in the second. */
export async function comparedPages(db: MonitorDb, here: string, there: string): Promise<Counts> {
  const side = (runId: string) =>
    sql`(select distinct key_hash from page where run_id = ${runId} and status = 'completed')`
  const { rows } = await sql<Counts>`
    select count(*) filter (where b.key_hash is null) as "onlyHere",
      count(*) filter (where a.key_hash is not null and b.key_hash is not null) as "both",
      count(*) filter (where a.key_hash is null) as "onlyThere"
    from ${side(here)} a full join ${side(there)} b on b.key_hash = a.key_hash`.execute(db)
  return rows[0]!
}

type Db = { db: MonitorDb }
type Query = z.output<typeof GroupQuery>

export type GroupRow = {
  component: string
  groupId: string
  rule: string
  help: string
  impact: number | null
  severity: number
  selector: string
  pages: number
  issues: number
  issueId: string
}

/** What counts in a run, or with what is to be reviewed. */
const counted = (runId: string, review: boolean): RawBuilder<boolean> =>
  sql`f.run_id = ${runId} and ${isOpen('f')} and ${review ? sql`true` : sql`f.severity < ${storedLiterals.severity.review}`}`

const columns = {
  pages: sql`pages`,
  issues: sql`issues`,
  severity: sql`severity`,
  rule: sql`rule`,
  selector: sql`selector`,
}

async function groups(db: MonitorDb, found: RawBuilder<unknown>, query: Query) {
  const text = query.search && containing(query.search)
  const where = text ? sql`rule ilike ${text} or help ilike ${text} or selector ilike ${text}` : sql`true`
  const order = orderBy(columns, query.sort, sql`severity, pages desc`, sql`"issueId"`)
  const { rows } = await sql<GroupRow & { count: number }>`
    with found as (${found}),
    shown as (
      select found.*, rule.name as rule, rule.help, e.selector from found
      join finding one on one.run_id = found.run_id and one.issue_id = found."issueId"
      join rule on rule.id = one.rule_id join evidence e on e.hash = one.evidence)
    select shown.*, count(*) over () as count from shown where ${where} ${order} ${limits(query)}`.execute(db)
  return { rows, total: rows[0]?.count ?? 0 }
}

const sums = sql`f.run_id, count(*)::int as issues, count(distinct f.page_id)::int as pages,
  min(f.severity)::int as severity, min(f.impact)::int as impact, min(f.issue_id::text)::uuid as "issueId"`

/** The same rule and element on two pages or more: one fault of a template. */
export const violationGroups = ({ db }: Db, runId: string, query: Query) =>
  groups(
    db,
    sql`select f.group_id as "groupId", '' as component, ${sums} from finding f
      where ${counted(runId, query.includeNeedsReview)}
      group by f.run_id, f.group_id having count(distinct f.page_id) > 1`,
    query,
  )

/** Faults inside common components, each once with the pages it is on. */
export const commonIssues = ({ db }: Db, runId: string, query: Query) =>
  groups(
    db,
    sql`select f.group_id as "groupId", i.component, ${sums}
      from issue i join finding f on f.run_id = ${runId} and f.issue_id = i.id
      where i.scan_id = (select scan_id from run where id = ${runId}) and i.component is not null
        and ${counted(runId, query.includeNeedsReview)}
      group by f.run_id, i.component, f.group_id`,
    query,
  )

export type SelectorRow = {
  selector: string
  issues: number
  pages: number
  rules: string[]
  severity: number
}

/** Selectors of what counts in a run, with the rules that fail there. */
export async function selectorsOf({ db }: Db, runId: string, query: z.output<typeof SelectorQuery>) {
  const { selector, issues, pages, severity } = columns
  const order = orderBy(
    { selector, issues, pages, severity },
    query.sort,
    sql`issues desc, severity`,
    sql`selector`,
  )
  const { rows } = await sql<SelectorRow & { count: number }>`
    select t.*, count(*) over () as count from (
      select e.selector, count(*)::int as issues, count(distinct f.page_id)::int as pages,
        array_agg(distinct rule.name order by rule.name) as rules, min(f.severity)::int as severity
      from finding f join evidence e on e.hash = f.evidence join rule on rule.id = f.rule_id
      where ${allOf([
        counted(runId, query.includeNeedsReview),
        query.search && sql`e.selector ilike ${containing(query.search)}`,
      ])}
      group by e.selector) t ${order} ${limits(query)}`.execute(db)
  return { rows: rows.map(({ count: _count, ...row }) => row), total: rows[0]?.count ?? 0 }
}
