import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import type { IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { addressOf, send } from '../../kit/client.ts'
import type { Selection } from '../../kit/use-selection.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { IssueSearch } from './model.ts'
import { filtersOf } from './model.ts'

/** The body of a bulk call: what is ticked, or all that the filters match. */
export function bulkBody(search: IssueSearch, { all, ids }: Selection) {
  const named = [...ids] as IssueId[]
  return {
    filters: filtersOf(search),
    selected: all
      ? { selectAllMode: true, deselectedIssues: named }
      : { selectAllMode: false, selectedIssues: named },
  }
}
export const everything: Selection = { all: true, ids: new Set() }

/** How many issues a bulk call would meet. */
export const selectedCountQuery = (api: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'selected', bulkBody(search, selection)],
    queryFn: ({ signal }) => api.countSelectedIssues({ body: bulkBody(search, selection) }, signal),
    placeholderData: keepPreviousData,
  })

/** Who could be given all of what is selected. */
export const selectedUsersQuery = (api: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'users', bulkBody(search, selection)],
    queryFn: ({ signal }) => api.usersOfSelectedIssues({ body: bulkBody(search, selection) }, signal),
    gcTime: 0,
  })

/** Rules with findings in the runs in view. */
export const rulesQuery = (api: MonitorApi, { scanId, run }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'rules', scanId, run],
    queryFn: ({ signal }) => api.listViolations({ query: { scanId, runNumber: run, size: 500 } }, signal),
    staleTime: 60_000,
  })

/** Tags, labels and components of the issues in view. */
export const tagsQuery = (api: MonitorApi, { scanId, run }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'tags', scanId, run],
    queryFn: ({ signal }) => api.listTags({ query: { scanId, runNumber: run } }, signal),
    staleTime: 60_000,
  })

/** Changes and deletes many issues, or one; each refreshes what shows them. */
export function useIssueBulk() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSettled = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) => first === 'issue' || first === 'issues' || first === 'run',
    })
  type Body = ReturnType<typeof bulkBody>
  return {
    change: useMutation({
      mutationFn: ({ body, fields }: { body: Body; fields: IssueFields }) =>
        api.updateIssues({ body: { ...body, fieldsToUpdate: fields } }),
      onSettled,
    }),
    remove: useMutation({ mutationFn: (body: Body) => api.deleteIssues({ body }), onSettled }),
    removeOne: useMutation({
      mutationFn: (id: IssueId) => api.deleteIssue({ params: { id } }),
      onSettled,
    }),
  }
}

/** Adds results of axe-core from files to a run. */
export function useUploadIssues() {
  const { deps } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, run, files }: { id: ScanId; run: number; files: readonly File[] }) => {
      const form = new FormData()
      for (const file of files) form.append('files', file, file.name)
      const address = addressOf(monitorApi.uploadIssues, { params: { id, run } })
      const response = await send(deps, address, { method: 'POST', accept: 'application/json', body: form })
      return (await response.json()) as UploadReply
    },
    onSuccess: () => client.invalidateQueries(),
  })
}
