import type { GroupQuery, SelectorQuery } from '@clearway/contract/monitor/run/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { allOf, containing, limits, orderBy } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'

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
  sql`f.run_id = ${runId} and f.change <= 2 and f.status = 1 and ${review ? sql`true` : sql`f.severity < 4`}`

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

/** Faults inside common components, each once with the pages it stands on. */
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
