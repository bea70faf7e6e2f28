import type * as z from 'zod/mini'
import type { IssueGroup, IssueGroupBy, IssueGroupQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { buildConditions, buildFromClause, type RunsInView } from '../filter/store.ts'
import { storedLiterals } from '../table.ts'

type Grouping = {
  key: RawBuilder<unknown>
  /** Joins that the key needs. */
  needs: { rule?: boolean; issue?: boolean }
  /** True when one finding of the group, `g.one` as (run_id, issue_id), is needed to describe it. */
  hasExample: boolean
  /** Joins that describe a group, based on `g.key` and `g.one`. */
  joins: RawBuilder<unknown>
  name: RawBuilder<unknown>
  rule: RawBuilder<unknown>
  help: RawBuilder<unknown>
  scanName: RawBuilder<unknown>
}
const nullColumn = sql`null`
const exampleJoins = sql`join finding one on one.run_id = (g.one[1])::uuid and one.issue_id = (g.one[2])::uuid
  join rule on rule.id = one.rule_id`

const groupings: Readonly<Record<IssueGroupBy, Grouping>> = {
  rule: {
    key: sql`rule.name`,
    needs: { rule: true },
    hasExample: true,
    joins: exampleJoins,
    name: sql`g.key`,
    rule: sql`g.key`,
    help: sql`rule.help`,
    scanName: nullColumn,
  },
  page: {
    key: sql`f.page_id`,
    needs: {},
    hasExample: false,
    joins: sql`join page p on p.id = g.key join scan s on s.id = p.scan_id`,
    name: sql`p.url`,
    rule: nullColumn,
    help: nullColumn,
    scanName: sql`s.name`,
  },
  component: {
    key: sql`coalesce(i.component, '')`,
    needs: { issue: true },
    hasExample: false,
    joins: sql``,
    name: sql`g.key`,
    rule: nullColumn,
    help: nullColumn,
    scanName: nullColumn,
  },
  template: {
    key: sql`f.group_id`,
    needs: {},
    hasExample: true,
    joins: sql`${exampleJoins} join evidence e on e.hash = one.evidence
      join issue i on i.id = one.issue_id join scan s on s.id = i.scan_id`,
    name: sql`e.selector`,
    rule: sql`rule.name`,
    help: sql`rule.help`,
    scanName: sql`s.name`,
  },
}

/** Results that need review are counted apart: they may not be issues. */
const isIssue = sql`(f.severity < ${storedLiterals.severity.review})`

type IssueGroupRow = Omit<IssueGroup, 'severity'> & { severity: number }

/** The list's issues grouped by a common property; the worst and largest first. */
export async function listIssueGroups(
  { db }: { db: MonitorDb },
  runs: RunsInView,
  query: z.output<typeof IssueGroupQuery>,
): Promise<{ rows: IssueGroupRow[]; total: number }> {
  const {
    key: keyColumn,
    needs: requiredJoins,
    joins: detailJoins,
    name: nameColumn,
    rule: ruleColumn,
    help: helpColumn,
    scanName: scanNameColumn,
    hasExample,
  } = groupings[query.by]
  const { sort: sortWords, by: _by, ...groupFilter } = query
  // Names are looked up only for this page's groups, unless the list is sorted by name.
  const isSortedByName = sortWords?.some((word) => word.startsWith('name,')) ?? false
  const sortColumns = {
    severity: sql`severity`,
    issues: sql`issues`,
    pages: sql`pages`,
    name: sql`lower(name)`,
  }
  const orderClause = buildOrderClause(sortColumns, sortWords, sql`severity, issues desc, "needsReview" desc`, sql`key`)
  const groupsQuery = sql`
    select ${keyColumn} as key, min(f.severity) as severity, count(*) filter (where ${isIssue})::int as issues,
      coalesce(nullif(count(distinct f.page_id) filter (where ${isIssue}), 0), count(distinct f.page_id))::int as pages,
      count(*) filter (where not ${isIssue})::int as "needsReview",
      ${hasExample ? sql`min(array[f.run_id::text, f.issue_id::text])` : nullColumn} as one
    ${buildFromClause(runs, groupFilter, requiredJoins)} where ${buildConditions(groupFilter, { severity: false })} group by 1`
  const { rows: groupRows } = await sql<IssueGroupRow & { total: number }>`
    with groups as materialized (${groupsQuery}),
    shown as (select * from groups ${isSortedByName ? sql`` : sql`${orderClause} ${buildLimitClause(query)}`}),
    named as (
      select g.key::text as key, g.severity, g.issues, g.pages, g."needsReview",
        ${nameColumn} as name, ${ruleColumn} as rule, ${helpColumn} as help, ${scanNameColumn} as "scanName"
      from shown g ${detailJoins})
    select c.total, top.* from (select count(*)::int as total from groups) c left join (
      select * from named ${orderClause} ${isSortedByName ? buildLimitClause(query) : sql``}) top on true ${orderClause}`.execute(
    db,
  )
  // Past the last page there is a single row with the total only.
  return {
    rows: groupRows.filter((groupRow) => groupRow.key !== null).map(({ total: _total, ...groupRow }) => groupRow),
    total: groupRows[0]!.total,
  }
}
