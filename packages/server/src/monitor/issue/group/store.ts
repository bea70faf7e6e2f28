import type * as z from 'zod/mini'
import type { IssueGroup, IssueGroupBy, IssueGroupQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { buildLimitClause, buildOrderClause } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { buildConditions, buildFromClause, buildRuleConditions, hasOnlyOpen, type RunsInView } from '../filter/store.ts'
import { versionedPages } from '../../page/version/table.ts'
import { selectRuleCounts } from '../rule-count/table.ts'
import {
  buildClassRange,
  joinCounted,
  noIssues,
  selectPageClasses,
  selectUncounted,
  selectWorst,
} from '../../run/listed/table.ts'
import { severityColumns } from '../model.ts'
import { isOpen, isOpenAmongMany, storedLiterals } from '../table.ts'

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

/** Groups of a list, all of them or at least those of its page. */
type GroupSource = {
  /** Parts of a `with` clause. */
  parts?: RawBuilder<unknown>
  groups: RawBuilder<unknown>
  /** Joins that describe a group, based on `g`. */
  joins?: RawBuilder<unknown>
  total?: RawBuilder<unknown>
  /** Number of these groups before the page of the list. */
  offset?: RawBuilder<unknown>
}

const exampleJoins = sql`join finding one on one.run_id = (g.one[1])::uuid and one.issue_id = (g.one[2])::uuid
  join rule on rule.id = one.rule_id`
const templateJoins = sql`join evidence e on e.hash = one.evidence join issue i on i.id = one.issue_id join scan s on s.id = i.scan_id`

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
    joins: sql`${exampleJoins} ${templateJoins}`,
    name: sql`e.selector`,
    rule: sql`rule.name`,
    help: sql`rule.help`,
    scanName: sql`s.name`,
  },
}

/** Results that need review are counted apart: they may not be issues. */
const isIssue = sql`(f.severity < ${storedLiterals.severity.review})`

/** Groups of pages `p`, by the counts that they carry. */
const pageColumns = sql`p.id as key, (${selectWorst('p')})::smallint as severity, p.critical + p.serious + p.moderate + p.minor as issues, 1 as pages,
  p.needs_review as "needsReview", null::text[] as one`
/** An archived run keeps some pages, without their issues. */
const selectKept = (runs: RunsInView): RunsInView =>
  sql`(select r.* from ${runs} r join run on run.id = r.run_id and run.archived_at is null)`

/** Pages with open issues. */
const selectCountedPages = (runs: RunsInView) => sql`select ${pageColumns}
    from ${selectKept(runs)} r join ${versionedPages} p on p.run_id = r.run_id
    where p.critical + p.serious + p.moderate + p.minor + p.needs_review > 0`

/** Templates by the counts of listed runs, and by the findings of others. The example of a counted one is found when it is shown. */
const selectCountedTemplates = (runs: RunsInView) => sql`
    select g.id as key, g.open_severity as severity, g.open_issues as issues, g.open_pages as pages, g.open_reviews as "needsReview",
      array[l.run_id::text] as one
    from ${joinCounted(runs)} join issue_group g on g.scan_id = l.scan_id and g.open_severity is not null
    union all
    select f.group_id, min(f.severity), count(*) filter (where ${isIssue})::int,
      coalesce(nullif(count(distinct f.page_key) filter (where ${isIssue}), 0), count(distinct f.page_key))::int,
      count(*) filter (where not ${isIssue})::int, array[f.run_id::text]
    from ${selectUncounted(runs)} r join finding f on f.run_id = r.run_id where ${isOpenAmongMany('f')} group by f.run_id, f.group_id`
/**
 * Components by the findings of issues that have one. The others are what remains of the counts of runs and pages.
 * A page has none of them if all that it counts have a component.
 */
function buildCountedComponents(runs: RunsInView): GroupSource {
  const keptRuns = selectKept(runs)
  const sums = sql.join(severityColumns.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const listCounters = (alias: string) => sql.join(severityColumns.map((name) => sql.ref(`${alias}.${name}`)))
  const severityCounts = sql.join(
    severityColumns.map((name, severity) => sql`(${sql.lit(severity)}, coalesce(${sql.ref(`s.${name}`)}, 0))`),
  )
  return {
    parts: sql`named_finding as materialized (
        select i.component, f.run_id, f.page_key, f.severity from ${keptRuns} r
        join issue i on i.scan_id = r.scan_id and i.component <> '' join finding f on f.run_id = r.run_id and f.issue_id = i.id
        where ${isOpen('f')}),
      summed as (select ${sums} from (
        select ${listCounters('run')} from ${joinCounted(keptRuns)}
        union all select ${listCounters('p')} from ${selectUncounted(keptRuns)} r join run_page p on p.run_id = r.run_id) counted),
      rest as (select c.severity, c.issues - (select count(*) from named_finding n where n.severity = c.severity) as issues
        from summed s cross join lateral (values ${severityCounts}) c (severity, issues)),
      named_page as (select count(*) filter (where f.issues > 0 and f.issues = p.critical + p.serious + p.moderate + p.minor) as issue_pages,
          count(*) filter (where f.findings = p.critical + p.serious + p.moderate + p.minor + p.needs_review) as pages
        from (select run_id, page_key, count(*) as findings, count(*) filter (where ${isIssue}) as issues
          from named_finding f group by 1, 2) f join ${versionedPages} p on p.run_id = f.run_id and p.key_hash = f.page_key),
      counted_page as (select coalesce(sum(pages) filter (where issues > 0), 0) as issue_pages,
          coalesce(sum(pages) filter (where worst <> ${sql.lit(noIssues)}), 0) as pages from ${selectPageClasses(keptRuns)} c)`,
    groups: sql`
    select component as key, min(severity) as severity, count(*) filter (where ${isIssue})::int as issues,
      coalesce(nullif(count(distinct (run_id, page_key)) filter (where ${isIssue}), 0), count(distinct (run_id, page_key)))::int as pages,
      count(*) filter (where not ${isIssue})::int as "needsReview", null as one
    from named_finding f group by component
    union all
    select '', min(f.severity) filter (where f.issues > 0), coalesce(sum(f.issues) filter (where ${isIssue}), 0)::int,
      coalesce(nullif((select c.issue_pages - n.issue_pages from counted_page c, named_page n), 0),
        (select c.pages - n.pages from counted_page c, named_page n))::int,
      coalesce(sum(f.issues) filter (where not ${isIssue}), 0)::int, null
    from rest f having sum(f.issues) > 0`,
  }
}

/** The first open finding of a counted template. */
const countedExampleJoins = sql`cross join lateral (
    select f.* from finding f where f.run_id = (g.one[1])::uuid and f.group_id = g.key and ${isOpen('f')}
    order by f.issue_id limit 1) one join rule on rule.id = one.rule_id`

/** The counts of rules that runs carry, by name. */
const selectCountedRules = (runs: RunsInView, query: z.output<typeof IssueGroupQuery>) => sql`
    select rule.name as key, min(f.severity) as severity, coalesce(sum(f.issues) filter (where ${isIssue}), 0)::int as issues,
      coalesce(nullif(sum(f.issue_pages), 0), sum(f.pages))::int as pages,
      coalesce(sum(f.issues) filter (where not ${isIssue}), 0)::int as "needsReview", null as one
    from ${selectRuleCounts(runs)} f join rule on rule.id = f.rule_id where ${buildRuleConditions(query, { severity: true })} group by 1`

type IssueGroupRow = Omit<IssueGroup, 'severity'> & { severity: number }
type GroupQuery = z.output<typeof IssueGroupQuery>

/** Groups from counts; null for a list whose findings are counted. */
function buildCountedGroups(runs: RunsInView, query: GroupQuery, isSortedByName: boolean): GroupSource | null {
  const { sort, by, ...filter } = query
  if (query.severity.length > 0) return null
  if (by === 'rule') return hasOnlyOpen(filter, ['rule']) ? { groups: selectCountedRules(runs, query) } : null
  if (!hasOnlyOpen(filter)) return null
  if (by === 'template')
    return isSortedByName ? null : { groups: selectCountedTemplates(runs), joins: sql`${countedExampleJoins} ${templateJoins}` }
  if (by === 'component') return buildCountedComponents(runs)
  if ((sort ?? []).length > 0 || query.size === 0) return { groups: selectCountedPages(runs) }
  const hasFinding = sql`c.worst <> ${sql.lit(noIssues)}`
  const range = buildClassRange(selectKept(runs), { order: 'worst', isChosen: hasFinding }, query)
  return {
    ...range,
    groups: sql`select ${pageColumns} from shown_page shown join ${versionedPages} p on p.id = shown.id`,
  }
}

/** Groups from the findings of the list. */
function buildFoundGroups(runs: RunsInView, query: GroupQuery): GroupSource {
  const { key, needs: requiredJoins, hasExample, page: pageColumn } = groupings[query.by]
  const { sort: _sort, by: _by, ...filter } = query
  return {
    groups: sql`
    select ${key} as key, min(f.severity) as severity, count(*) filter (where ${isIssue})::int as issues,
      coalesce(nullif(count(distinct ${pageColumn}) filter (where ${isIssue}), 0), count(distinct ${pageColumn}))::int as pages,
      count(*) filter (where not ${isIssue})::int as "needsReview",
      ${hasExample ? sql`min(array[f.run_id::text, f.issue_id::text])` : nullColumn} as one
    ${buildFromClause(runs, filter, requiredJoins)} where ${buildConditions(filter, { severity: false })} group by 1`,
  }
}

/** The list's issues grouped by a common property; the worst and largest first. */
export async function listIssueGroups(
  { db }: { db: MonitorDb },
  runs: RunsInView,
  query: GroupQuery,
): Promise<{ rows: IssueGroupRow[]; total: number }> {
  const {
    joins: detailJoins,
    name: nameColumn,
    rule: ruleColumn,
    help: helpColumn,
    scanName: scanNameColumn,
  } = groupings[query.by]
  // Names are looked up only for this page's groups, unless the list is sorted by name.
  const isSortedByName = query.sort?.some((word) => word.startsWith('name,')) ?? false
  const sortColumns = {
    severity: sql`severity`,
    issues: sql`issues`,
    pages: sql`pages`,
    name: sql`lower(name)`,
  }
  const orderClause = buildOrderClause(sortColumns, query.sort, sql`severity, issues desc, "needsReview" desc`, sql`key`)
  const source = buildCountedGroups(runs, query, isSortedByName) ?? buildFoundGroups(runs, query)
  const limitClause = source.offset ? sql`limit ${query.size} offset ${source.offset}` : buildLimitClause(query)
  const { rows: groupRows } = await sql<IssueGroupRow & { total: number }>`
    with ${source.parts ? sql`${source.parts},` : sql``} groups as materialized (${source.groups}),
    shown as (select * from groups ${isSortedByName ? sql`` : sql`${orderClause} ${limitClause}`}),
    named as (
      select g.key::text as key, g.severity, g.issues, g.pages, g."needsReview",
        ${nameColumn} as name, ${ruleColumn} as rule, ${helpColumn} as help, ${scanNameColumn} as "scanName"
      from shown g ${source.joins ?? detailJoins})
    select c.total, top.* from (select ${source.total ?? sql`count(*)::int`} as total ${source.total ? sql`` : sql`from groups`}) c left join (
      select * from named ${orderClause} ${isSortedByName ? limitClause : sql``}) top on true ${orderClause}`.execute(db)
  // Past the last page there is a single row with the total only.
  return {
    rows: groupRows.filter((groupRow) => groupRow.key !== null).map(({ total: _total, ...groupRow }) => groupRow),
    total: groupRows[0]!.total,
  }
}
