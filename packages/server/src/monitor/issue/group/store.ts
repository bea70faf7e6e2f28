import type * as z from 'zod/mini'
import type { IssueGroup, IssueGroupBy, IssueGroupQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import { limits, orderBy } from '../../../kit/paging.ts'
import type { MonitorDb } from '../../database.ts'
import { conditions, from, type Runs } from '../filter/store.ts'
import { stored } from '../table.ts'

type Grouping = {
  key: RawBuilder<unknown>
  /** What of the issue and its rule the key is in. */
  needs: { rule?: boolean; issue?: boolean }
  /** Whether it takes one finding of a group to say what it is about: `g.one`, as (run_id, issue_id). */
  hasExample: boolean
  /** What says what a group is about, looked up from `g.key` and `g.one`. */
  joins: RawBuilder<unknown>
  name: RawBuilder<unknown>
  rule: RawBuilder<unknown>
  help: RawBuilder<unknown>
  scanName: RawBuilder<unknown>
}
const nothing = sql`null`
const one = sql`join finding one on one.run_id = (g.one[1])::uuid and one.issue_id = (g.one[2])::uuid
  join rule on rule.id = one.rule_id`

const groupings: Readonly<Record<IssueGroupBy, Grouping>> = {
  rule: {
    key: sql`rule.name`,
    needs: { rule: true },
    hasExample: true,
    joins: one,
    name: sql`g.key`,
    rule: sql`g.key`,
    help: sql`rule.help`,
    scanName: nothing,
  },
  page: {
    key: sql`f.page_id`,
    needs: {},
    hasExample: false,
    joins: sql`join page p on p.id = g.key join scan s on s.id = p.scan_id`,
    name: sql`p.url`,
    rule: nothing,
    help: nothing,
    scanName: sql`s.name`,
  },
  component: {
    key: sql`coalesce(i.component, '')`,
    needs: { issue: true },
    hasExample: false,
    joins: sql``,
    name: sql`g.key`,
    rule: nothing,
    help: nothing,
    scanName: nothing,
  },
  template: {
    key: sql`f.group_id`,
    needs: {},
    hasExample: true,
    joins: sql`${one} join evidence e on e.hash = one.evidence
      join issue i on i.id = one.issue_id join scan s on s.id = i.scan_id`,
    name: sql`e.selector`,
    rule: sql`rule.name`,
    help: sql`rule.help`,
    scanName: sql`s.name`,
  },
}

type Row = Omit<IssueGroup, 'severity'> & { severity: number }

/** The issues that the list's filters take, summed up by what they have in common; the worst and largest first. */
export async function listIssueGroups(
  { db }: { db: MonitorDb },
  runs: Runs,
  query: z.output<typeof IssueGroupQuery>,
): Promise<{ rows: Row[]; total: number }> {
  const { key, needs, joins, name, rule, help, scanName, hasExample } = groupings[query.by]
  const { sort, by: _by, ...filter } = query
  // Names are looked up for the groups of this page only, unless they decide which those are.
  const byName = sort?.some((word) => word.startsWith('name,')) ?? false
  const columns = { severity: sql`severity`, issues: sql`issues`, pages: sql`pages`, name: sql`lower(name)` }
  const order = orderBy(columns, sort, sql`severity, issues desc`, sql`key`)
  const groups = sql`
    select ${key} as key, min(f.severity) as severity, count(*)::int as issues, count(distinct f.page_id)::int as pages,
      count(*) filter (where f.severity = ${stored.severity.review})::int as "needsReview",
      ${hasExample ? sql`min(array[f.run_id::text, f.issue_id::text])` : nothing} as one
    ${from(runs, filter, needs)} where ${conditions(filter, { severity: false })} group by 1`
  const { rows } = await sql<Row & { total: number }>`
    with groups as materialized (${groups}),
    shown as (select * from groups ${byName ? sql`` : sql`${order} ${limits(query)}`}),
    named as (
      select g.key::text as key, g.severity, g.issues, g.pages, g."needsReview",
        ${name} as name, ${rule} as rule, ${help} as help, ${scanName} as "scanName"
      from shown g ${joins})
    select c.total, top.* from (select count(*)::int as total from groups) c left join (
      select * from named ${order} ${byName ? limits(query) : sql``}) top on true ${order}`.execute(db)
  // Past the last page there is one row, which has the total alone.
  return {
    rows: rows.filter((row) => row.key !== null).map(({ total: _total, ...row }) => row),
    total: rows[0]!.total,
  }
}
