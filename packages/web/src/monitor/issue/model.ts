import type { IssueId, PageId, ScanId } from '@clearway/contract/kit/id.ts'
import {
  type IssueGroupBy,
  IssueGroupQuery,
  issueFilterSchemas,
  IssueListQuery,
  IssueStatus,
} from '@clearway/contract/monitor/issue/schema.ts'
import { Severity } from '@clearway/contract/monitor/ruleset/schema.ts'
import * as z from 'zod/mini'
import { pickKeys } from '../../kit/client/pick-keys.ts'
import { withDefault, listWithDefault, listSearch, uuidParam } from '../../kit/list/search.ts'
import { savedSearch } from '../view/model.ts'

/** A calendar date or empty. Invalid dates cannot be converted to an instant for the server. */
const dayParam = z.union([z.iso.date().check(z.regex(/^[12]/)), z.literal('')])
type IssueSort = z.output<typeof IssueListQuery>['sort'][number]
type IssueGroupSort = z.output<typeof IssueGroupQuery>['sort'][number]
/** Properties by which the list can group issues. Templates are rows of issues instead. */
export const groupProperties = ['rule', 'page', 'component'] as const satisfies IssueGroupBy[]
export type GroupProperty = (typeof groupProperties)[number]
export const severityOptions = Severity.options
/** Default status filter: only issues that count now. */
const defaultStatus: z.output<typeof IssueStatus>[] = ['open']

export const IssueSearch = z.object({
  ...listSearch,
  ...savedSearch,
  scanId: listWithDefault(uuidParam<ScanId>()),
  run: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000_000))), undefined),
  pageId: listWithDefault(uuidParam<PageId>()),
  source: listWithDefault(issueFilterSchemas.source),
  engine: listWithDefault(issueFilterSchemas.engine),
  state: listWithDefault(issueFilterSchemas.state),
  severity: listWithDefault(Severity),
  status: withDefault(z.array(IssueStatus), defaultStatus),
  rule: listWithDefault(issueFilterSchemas.rule),
  tag: listWithDefault(issueFilterSchemas.tag),
  change: listWithDefault(issueFilterSchemas.change),
  label: listWithDefault(issueFilterSchemas.label),
  review: listWithDefault(issueFilterSchemas.review),
  component: listWithDefault(issueFilterSchemas.component),
  template: listWithDefault(issueFilterSchemas.template),
  ignore: listWithDefault(issueFilterSchemas.ignore),
  assignedTo: listWithDefault(issueFilterSchemas.assignedTo),
  /** Dates in the user's time zone; both are inclusive. */
  from: withDefault(dayParam, ''),
  to: withDefault(dayParam, ''),
  /** One row for the same element and rule on many pages. */
  grouped: withDefault(z.boolean(), true),
  /** Property by which rows group issues; empty for single issues. */
  by: withDefault(z.enum(['', ...groupProperties]), ''),
  groupSort: withDefault(
    z.custom<IssueGroupSort>((value) => z.safeParse(IssueGroupQuery.shape.sort, [value]).success),
    'severity,asc',
  ),
  sort: withDefault(
    z.custom<IssueSort>((value) => z.safeParse(IssueListQuery.shape.sort, [value]).success),
    'severity,asc',
  ),
  issue: z.catch(z.optional(uuidParam<IssueId>()), undefined),
})
export type IssueSearch = z.output<typeof IssueSearch>
export const issueSearchDefaults = z.parse(IssueSearch, {})

/** Resets all filters but keeps the scans and the run. */
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

/** Returns true if any filter is active, regardless of its form in the URL. */
export const isFiltered = (search: IssueSearch): boolean => {
  const { page: _, issue: __, saved: ___, ...unfilteredSearch } = withoutFilters(search)
  return Object.entries(unfilteredSearch).some(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(search[key as keyof typeof unfilteredSearch]),
  )
}

const filterNames = ['scanId', ...(Object.keys(issueFilterSchemas) as (keyof typeof issueFilterSchemas)[])] as const
export const toServerFilters = (search: IssueSearch) => {
  const { q: searchText, run: runNumber, from: fromDay, to: toDay } = search
  return {
    ...pickKeys(search, filterNames),
    search: searchText || undefined,
    runNumber,
    createdFrom: fromDay ? new Date(`${fromDay}T00:00`).toISOString() : undefined,
    createdTo: toDay ? new Date(`${toDay}T23:59:59.999`).toISOString() : undefined,
  }
}

/** Filter for the content of a row: an issue, or all filtered issues that share a property. */
const rowFilterNames = { rule: 'rule', page: 'pageId', component: 'component', template: 'template' } as const
export const getRowKind = ({ by, grouped }: Pick<IssueSearch, 'by' | 'grouped'>) =>
  by === '' ? (grouped ? 'template' : 'issue') : by

/** Narrows the list to the given groups. */
export const narrowToGroups = (search: IssueSearch, groupKeys: readonly string[]): IssueSearch => {
  const rowKind = getRowKind(search)
  return rowKind === 'issue' ? search : { ...search, [rowFilterNames[rowKind]]: [...groupKeys] }
}
