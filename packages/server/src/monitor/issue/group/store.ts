import type * as z from 'zod/mini'
import type { IssueGroup, IssueGroupBy, IssueGroupQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { buildConditions, buildFromClause, buildRuleConditions, hasOnlyOpen, type RunsInView } from '../filter/store.ts'
import { listedPages } from '../../page/version/table.ts'
import { selectRuleCounts } from '../rule-count/table.ts'
import { storedLiterals } from '../table.ts'

type Grouping = {
  key: RawBuilder<unknown>
  /** Joins that the key needs. */
  needs: { rule?: boolean; issue?: boolean }
  /** True when one finding of the group, `g.one` as (run_id, issue_id), is needed to describe it. */
  hasExample: boolean
  /** Identifies a page within a group: its key, which needs no lookup, where the group is one of a scan. */
  page: RawBuilder<unknown>
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
    page: sql`f.page_id`,
    needs: { rule: true },
    hasExample: false,
    joins: sql``,
    name: sql`g.key`,
    rule: sql`g.key`,
    help: sql`(select rule.help from rule where rule.name = g.key order by rule.id desc limit 1)`,
    scanName: nullColumn,
  },
  page: {
    key: sql`f.page_id`,
    page: sql`f.page_id`,
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
    page: sql`f.page_id`,
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
    page: sql`f.page_key`,
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

/** Pages with open issues, by the counts that they carry. An archived run keeps some pages, without their issues. */
const selectCountedPages = (runs: RunsInView) => sql`
    select p.id as key, case ${sql.join(
      (['critical', 'serious', 'moderate', 'minor'] as const).map(
        (name) => sql`when p.${sql.ref(name)} > 0 then ${storedLiterals.severity[name]}`,
      ),
      sql` `,
    )} else ${storedLiterals.severity.review} end::smallint as severity,
      p.critical + p.serious + p.moderate + p.minor as issues, 1 as pages, p.needs_review as "needsReview", null as one
    from ${runs} r join run on run.id = r.run_id and run.archived_at is null join ${listedPages} p on p.run_id = r.run_id
    where p.critical + p.serious + p.moderate + p.minor + p.needs_review > 0`

/** The counts of rules that runs carry, by name. */
const selectCountedRules = (runs: RunsInView, query: z.output<typeof IssueGroupQuery>) => sql`
    select rule.name as key, min(f.severity) as severity, coalesce(sum(f.issues) filter (where ${isIssue}), 0)::int as issues,
      coalesce(nullif(sum(f.issue_pages), 0), sum(f.pages))::int as pages,
      coalesce(sum(f.issues) filter (where not ${isIssue}), 0)::int as "needsReview", null as one
    from ${selectRuleCounts(runs)} f join rule on rule.id = f.rule_id where ${buildRuleConditions(query, { severity: true })} group by 1`

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
    page: pageColumn,
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
  const hasEverySeverity = query.severity.length === 0
  const groupsQuery =
    query.by === 'rule' && hasEverySeverity && hasOnlyOpen(groupFilter, ['rule'])
      ? selectCountedRules(runs, query)
      : query.by === 'page' && hasEverySeverity && hasOnlyOpen(groupFilter)
        ? selectCountedPages(runs)
        : sql`
    select ${keyColumn} as key, min(f.severity) as severity, count(*) filter (where ${isIssue})::int as issues,
      coalesce(nullif(count(distinct ${pageColumn}) filter (where ${isIssue}), 0), count(distinct ${pageColumn}))::int as pages,
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
