import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import { type QueryClient, type QueryKey, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { fetchAllPages } from '../../kit/client/fetch-all-pages.ts'
import { loadPicture } from '../../kit/client/data-url.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { scanQuery } from '../scan/queries.ts'
import { type MonitorApi } from '../user/model.ts'
import {
  type IssueSearch,
  type GroupProperty,
  issueSearchDefaults,
  toServerFilters,
  narrowToGroups,
  getRowKind,
} from './model.ts'
import { confirmEverything, everythingSelected, type Selection } from '../../kit/table/use-selection.ts'

/** Loads one page of the issue list. The open issue is not part of the query key. */
export const issueListQuery = (apiClient: MonitorApi, search: IssueSearch) => {
  const { issue: _, saved: __, ...listSearch } = search
  const { sort: sortOrder, page: pageNumber, size: pageSize, grouped: isGrouped } = search
  return queryOptions({
    queryKey: ['issues', 'list', listSearch],
    // Disabled while groups replace the issues.
    enabled: search.by === '',
    queryFn: ({ signal }) =>
      apiClient.listIssues(
        {
          query: {
            ...toServerFilters(search),
            ...toServerPaging({ page: pageNumber, size: pageSize }),
            grouped: isGrouped,
            sort: [sortOrder],
          },
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

/** Loads how many results of the scans and run in view are reviewed, and how many are not. */
export const reviewProgressQuery = (apiClient: MonitorApi, { scanId, run: runNumber }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'review', scanId, runNumber],
    queryFn: async ({ signal }) => {
      const countIssues = async (review: IssueSearch['review'], status: IssueSearch['status']) =>
        (await apiClient.listIssues({ query: { scanId, runNumber, review, status, size: 1 } }, signal)).totalIssues
      const [reviewed, open] = await Promise.all([
        countIssues(['issue', 'not-issue', 'unsure'], []),
        countIssues(['open'], ['open']),
      ])
      return { reviewed, open }
    },
    placeholderData: keepPreviousData,
  })

/** Returns true for queries of an issue's detail, as opposed to its other data. */
export const isDetailQuery = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey.length === 3 && typeof queryKey[2] !== 'string'

/** Loads an issue as a run saw it; by default the latest run that saw it. */
export const issueQuery = (apiClient: MonitorApi, id: IssueId, runNumber: number | undefined) =>
  queryOptions({
    queryKey: ['issue', id, runNumber],
    queryFn: ({ signal }) => apiClient.readIssue({ params: { id }, query: { runNumber } }, signal),
    // Keeps the panel and the focus of its buttons while the next issue loads.
    placeholderData: keepPreviousData,
  })

export function prefetchIssue(
  { client: queryClient, api: apiClient }: { client: QueryClient; api: MonitorApi },
  { id, scanId }: { id: IssueId; scanId: ScanId },
  runNumber: number | undefined,
): void {
  void queryClient.prefetchQuery({ ...issueQuery(apiClient, id, runNumber), staleTime: 30_000 })
  const prefetchAssignees = async () => {
    const { rights: scanRights } = await queryClient.fetchQuery({ ...scanQuery(apiClient, scanId), staleTime: 60_000 })
    // The server refuses the list of assignees to users who may not assign.
    if (scanRights.discuss) await queryClient.prefetchQuery(assigneesQuery(apiClient, scanId))
  }
  // Opening the issue reports the failure.
  void prefetchAssignees().catch(() => undefined)
}

export const issueHistoryQuery = (apiClient: MonitorApi, id: IssueId) =>
  queryOptions({
    queryKey: ['issue', id, 'history'],
    queryFn: ({ signal }) => apiClient.readIssueHistory({ params: { id } }, signal),
  })

export const issuePictureQuery = (apiClient: MonitorApi, id: IssueId, runNumber: number | undefined) =>
  queryOptions({
    queryKey: ['issue', id, runNumber, 'picture'],
    queryFn: async ({ signal }) =>
      loadPicture(await apiClient.readIssuePicture({ params: { id }, query: { runNumber } }, signal)),
    staleTime: Infinity,
    gcTime: 60_000,
  })

export const issueGroupsQuery = (apiClient: MonitorApi, search: IssueSearch, by: GroupProperty) => {
  const { groupSort, page: pageNumber, size: pageSize } = search
  return queryOptions({
    queryKey: ['issues', 'groups', by, groupSort, pageNumber, pageSize, toServerFilters(search)],
    queryFn: ({ signal }) =>
      apiClient.listIssueGroups(
        { query: { ...toServerFilters(search), ...toServerPaging({ page: pageNumber, size: pageSize }), by, sort: [groupSort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

/** Returns the body of a bulk request for the selection. @param matchCount number of issues that match the filters */
export function buildBulkBody(search: IssueSearch, { all, ids: selectedIds }: Selection, matchCount?: number) {
  const issueIds = [...selectedIds] as IssueId[]
  // Without a selection there is no group key, and the filters alone would match everything.
  if (!all && selectedIds.size > 0 && getRowKind(search) !== 'issue')
    return {
      filters: toServerFilters(narrowToGroups(search, [...selectedIds])),
      selected: { selectAllMode: true, deselectedIssues: [] },
    }
  return {
    ...(all ? confirmEverything(toServerFilters(search), matchCount, issueIds.length) : { filters: toServerFilters(search) }),
    selected: all ? { selectAllMode: true, deselectedIssues: issueIds } : { selectAllMode: false, selectedIssues: issueIds },
  }
}

export const selectedCountQuery = (apiClient: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'selected', buildBulkBody(search, selection)],
    queryFn: ({ signal }) => apiClient.countSelectedIssues({ body: buildBulkBody(search, selection) }, signal),
    placeholderData: keepPreviousData,
  })

export const bulkChangesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['issues', 'changes'],
    queryFn: ({ signal }) => apiClient.listIssueChanges({}, signal),
    gcTime: 0,
  })

/** Loads the possible assignees of all selected issues. */
export const selectedUsersQuery = (apiClient: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'users', buildBulkBody(search, selection)],
    queryFn: ({ signal }) => apiClient.usersOfSelectedIssues({ body: buildBulkBody(search, selection) }, signal),
    gcTime: 0,
  })

/** Loads the people who may see the issues of the current scans, regardless of filters. */
export const usersInViewQuery = (apiClient: MonitorApi, { scanId, run: runNumber }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  selectedUsersQuery(apiClient, { ...issueSearchDefaults, status: [], scanId, run: runNumber }, everythingSelected)

export const rulesQuery = (apiClient: MonitorApi, { scanId, run: runNumber }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'rules', scanId, runNumber],
    queryFn: ({ signal }) =>
      fetchAllPages((paging) => apiClient.listViolations({ query: { ...paging, scanId, runNumber } }, signal)),
    staleTime: 60_000,
  })

export const tagsQuery = (apiClient: MonitorApi, { scanId, run: runNumber }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'tags', scanId, runNumber],
    queryFn: ({ signal }) => apiClient.listTags({ query: { scanId, runNumber } }, signal),
    staleTime: 60_000,
  })

export const assigneesQuery = (apiClient: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['scan', scanId, 'users'],
    queryFn: ({ signal }) => apiClient.scanUsers({ params: { id: scanId } }, signal),
    staleTime: 60_000,
  })

export const commentsQuery = (apiClient: MonitorApi, id: IssueId) =>
  queryOptions({
    queryKey: ['issue', id, 'comments'],
    queryFn: ({ signal }) => apiClient.listIssueComments({ params: { id } }, signal),
  })
