import type { IssueFilter, IssueListQuery } from '@clearway/contract/monitor/issue/schema.ts'
import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import { allOf, containing } from '../../kit/paging.ts'
import { changes, issueStatuses, lastPresentChange, severities } from './model.ts'

/** What narrows a list, from an address or from a body. */
export type Filter = Omit<IssueFilter, 'scanId'> & { scanId: readonly string[] } & {
  sort?: z.output<typeof IssueListQuery>['sort']
}
/** `runsInView` of the pages' store: the runs that a list looks at. */
export type Runs = RawBuilder<{ run_id: string }>

/** Words of the contract as they are stored. */
export const numbers = (words: readonly string[], all: readonly string[]): number[] =>
  words.map((word) => all.indexOf(word))
const anyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
  values.length > 0 && sql<boolean>`${column} = any(${[...values]}::int[])`

/** Whether a filter looks at the issue itself, not only at what a run saw of it. */
export const asksIssue = (query: Filter): boolean =>
  query.label.length + query.component.length + query.assignedTo.length > 0 ||
  query.createdFrom !== undefined ||
  query.createdTo !== undefined

/** Whether a filter looks at the rule, as `rule`. */
export const asksRule = (query: Filter): boolean =>
  query.rule.length > 0 || query.tag.length > 0 || !!query.search

/** What is asked of the issue itself, as `i`. */
export function issueConditions(query: Filter): RawBuilder<boolean> | false {
  const { label, component, assignedTo, createdFrom, createdTo } = query
  if (!asksIssue(query)) return false
  const somebody = assignedTo.filter((id) => id !== '')
  const assigned = [
    somebody.length > 0 && sql`i.assigned_to = any(${somebody}::text[])`,
    assignedTo.includes('') && sql`i.assigned_to is null`,
  ].filter((condition) => condition !== false)
  return allOf([
    label.length > 0 && sql`i.labels && ${label}::text[]`,
    component.length > 0 && sql`i.component = any(${component}::text[])`,
    assigned.length > 0 && sql`(${sql.join(assigned, sql` or `)})`,
    createdFrom && sql`i.first_seen_at >= ${createdFrom}::timestamptz`,
    createdTo && sql`i.first_seen_at <= ${createdTo}::timestamptz`,
  ])
}

/** Which findings a filter takes, as `f`; without `severity` that part is left out, for the counts beside that filter. */
export function conditions(query: Filter, but: { severity: boolean }): RawBuilder<boolean> {
  const { search, needsReview } = query
  const text = search && containing(search)
  // What is not there any more shows only to those who ask for it.
  const absentAsked = query.change.length > 0 || query.status.includes('fixed')
  return allOf([
    !absentAsked && sql`f.change <= ${sql.lit(lastPresentChange)}`,
    !but.severity && anyOf(sql`f.severity`, numbers(query.severity, severities)),
    needsReview !== undefined && (needsReview ? sql`f.severity = 4` : sql`f.severity < 4`),
    anyOf(sql`f.status`, numbers(query.status, issueStatuses)),
    anyOf(sql`f.change`, numbers(query.change, changes)),
    query.pageId.length > 0 && sql`f.page_id = any(${query.pageId}::uuid[])`,
    query.rule.length > 0 && sql`rule.name = any(${query.rule}::text[])`,
    query.tag.length > 0 && sql`rule.tags && ${query.tag}::text[]`,
    issueConditions(query),
    text &&
      sql`(rule.name ilike ${text} or rule.help ilike ${text} or exists
        (select from evidence e where e.hash = f.evidence and e.selector ilike ${text}) or exists
        (select from page p where p.id = f.page_id and p.url ilike ${text}))`,
  ])
}

/** Whether few issues are asked for, so that a list begins with these instead of with findings. */
export const asksFew = (query: Filter): boolean =>
  query.label.length + query.component.length > 0 ||
  (query.assignedTo.length > 0 && !query.assignedTo.includes(''))

/** Rules and issues are joined only for those filters and sorts that look at them. */
export function from(runs: Runs, query: Filter): RawBuilder<unknown> {
  const looks = asksRule(query) || query.sort?.some((word) => word.startsWith('rule,'))
  const rule = looks ? sql`join rule on rule.id = f.rule_id` : sql``
  if (asksFew(query))
    // The planner would read every finding; `offset 0` has it look these few up by their key.
    return sql`from ${runs} r join issue i on i.scan_id = r.scan_id and ${issueConditions(query)}
      join lateral (select * from finding where run_id = r.run_id and issue_id = i.id offset 0) f on true ${rule}`
  const issue = asksIssue(query) ? sql`join issue i on i.id = f.issue_id` : sql``
  return sql`from ${runs} r join finding f on f.run_id = r.run_id ${issue} ${rule}`
}
