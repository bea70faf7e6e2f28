import type { IssueId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueStatus } from '@clearway/contract/monitor/issue/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { loadPicture } from '../../kit/data-address.ts'
import { paged } from '../../kit/list-search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { IssueSearch } from './model.ts'
import { filtersOf } from './model.ts'

/** One page of the issues list. The issue that is open beside it does not count. */
export const issueListQuery = (api: MonitorApi, search: IssueSearch) => {
  const { issue: _, ...listed } = search
  const { sort, page, size, grouped } = search
  return queryOptions({
    queryKey: ['issues', 'list', listed],
    queryFn: ({ signal }) =>
      api.listIssues(
        { query: { ...filtersOf(search), ...paged({ page, size }), grouped, sort: [sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

/** One issue, as a run saw it; the newest run that saw it, unless said. */
export const issueQuery = (api: MonitorApi, id: IssueId, run: number | undefined) =>
  queryOptions({
    queryKey: ['issue', id, run],
    queryFn: ({ signal }) => api.readIssue({ params: { id }, query: { runNumber: run } }, signal),
    // The panel stays while the next one comes, and with it the focus on its buttons.
    placeholderData: keepPreviousData,
  })

/** What each run saw of an issue. */
export const issueHistoryQuery = (api: MonitorApi, id: IssueId) =>
  queryOptions({
    queryKey: ['issue', id, 'history'],
    queryFn: ({ signal }) => api.readIssueHistory({ params: { id } }, signal),
  })

/** The photograph that shows the element. */
export const issuePictureQuery = (api: MonitorApi, id: IssueId, run: number | undefined) =>
  queryOptions({
    queryKey: ['issue', id, run, 'picture'],
    queryFn: async ({ signal }) =>
      loadPicture(await api.readIssuePicture({ params: { id }, query: { runNumber: run } }, signal)),
    staleTime: Infinity,
    gcTime: 60_000,
  })

type Settable = Exclude<IssueStatus, 'none'>

/** Sets the status of an issue; refused when somebody else changed it meanwhile. */
export function useIssueStatus(issue: IssueDetail) {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (status: Settable) =>
      api.updateIssue({
        params: { id: issue.id },
        body: { fieldsToUpdate: { status }, version: issue.version },
      }),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [first] }) => first === 'issue' || first === 'issues' || first === 'run',
      }),
  })
}
