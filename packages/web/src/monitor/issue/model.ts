import type { IssueId, PageId, ScanId } from '@clearway/contract/kit/id.ts'
import {
  type IssueGroupBy,
  IssueGroupQuery,
  issueFilters,
  IssueListQuery,
  IssueStatus,
} from '@clearway/contract/monitor/issue/schema.ts'
import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'
import { pickKeys } from '../../kit/client/pick.ts'
import { withDefault, listWithDefault, listSearch } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

const id = <T extends string>() => z.custom<T>((value) => z.safeParse(z.uuid(), value).success)
/** A day of the calendar, or none: others have no moment that the server could be asked for. */
const day = z.union([z.iso.date().check(z.regex(/^[12]/)), z.literal('')])
type Sort = z.output<typeof IssueListQuery>['sort'][number]
type GroupSort = z.output<typeof IssueGroupQuery>['sort'][number]
/** What the list can sum issues up by; templates are rows of issues. */
export const sums = ['rule', 'page', 'component'] as const satisfies IssueGroupBy[]
export type Sum = (typeof sums)[number]
export const severities = Severity.options
/** What the list shows before anybody filters: what counts now. */
const openOnly: z.output<typeof IssueStatus>[] = ['open']

/** The issues list as the address bar keeps it, the open issue included. */
export const IssueSearch = z.object({
  ...listSearch,
  ...savedSearch,
  scanId: listWithDefault(id<ScanId>()),
  run: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), undefined),
  pageId: listWithDefault(id<PageId>()),
  source: listWithDefault(issueFilters.source),
  severity: listWithDefault(Severity),
  status: withDefault(z.array(IssueStatus), openOnly),
  rule: listWithDefault(issueFilters.rule),
  tag: listWithDefault(issueFilters.tag),
  change: listWithDefault(issueFilters.change),
  label: listWithDefault(issueFilters.label),
  component: listWithDefault(issueFilters.component),
  template: listWithDefault(issueFilters.template),
  assignedTo: listWithDefault(issueFilters.assignedTo),
  /** Days, in the reader's own zone; both are part of the span. */
  from: withDefault(day, ''),
  to: withDefault(day, ''),
  /** One row for the same element and rule on many pages. */
  grouped: withDefault(z.boolean(), true),
  /** Rows that sum up what has this in common, in place of issues. */
  by: withDefault(z.enum(['', ...sums]), ''),
  groupSort: withDefault(
    z.custom<GroupSort>((value) => z.safeParse(IssueGroupQuery.shape.sort, [value]).success),
    'severity,asc',
  ),
  sort: withDefault(
    z.custom<Sort>((value) => z.safeParse(IssueListQuery.shape.sort, [value]).success),
    'severity,asc',
  ),
  issue: z.catch(z.optional(id<IssueId>()), undefined),
})
export type IssueSearch = z.output<typeof IssueSearch>
export const issueSearchDefaults = z.parse(IssueSearch, {})

/** Every filter off; what is looked at (scan, run) stays. */
export const withoutFilters = (search: IssueSearch): IssueSearch => ({
  ...issueSearchDefaults,
  scanId: search.scanId,
  run: search.run,
  size: search.size,
  sort: search.sort,
  grouped: search.grouped,
  by: search.by,
  groupSort: search.groupSort,
})

/** Whether a filter is on, whichever way the URL says it. */
export const isFiltered = (search: IssueSearch): boolean => {
  const { page: _, issue: __, saved: ___, ...bare } = withoutFilters(search)
  return Object.entries(bare).some(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(search[key as keyof typeof bare]),
  )
}

const filterNames = ['scanId', ...(Object.keys(issueFilters) as (keyof typeof issueFilters)[])] as const
/** The filters as the server takes them, in a query and in the body of a bulk call. */
export const filtersOf = (search: IssueSearch) => {
  const { q, run, from, to } = search
  return {
    ...pickKeys(search, filterNames),
    search: q || undefined,
    runNumber: run,
    createdFrom: from ? new Date(`${from}T00:00`).toISOString() : undefined,
    createdTo: to ? new Date(`${to}T23:59:59.999`).toISOString() : undefined,
  }
}

/** What a ticked row stands for: an issue, or all that the filters take and that has this in common. */
const filterOfRows = { rule: 'rule', page: 'pageId', component: 'component', template: 'template' } as const
export const rowsOf = ({ by, grouped }: Pick<IssueSearch, 'by' | 'grouped'>) =>
  by === '' ? (grouped ? 'template' : 'issue') : by

/** The list narrowed to what groups have in common. */
export const narrowed = (search: IssueSearch, keys: readonly string[]): IssueSearch => {
  const rows = rowsOf(search)
  return rows === 'issue' ? search : { ...search, [filterOfRows[rows]]: [...keys] }
}
