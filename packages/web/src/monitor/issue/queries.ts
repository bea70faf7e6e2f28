import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { problemText } from '../../kit/client/problem-text.ts'
import { useToast } from '../../kit/dialog/toast.tsx'
import { loadPicture } from '../../kit/client/data-url.ts'
import { paged } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { IssueSearch, Sum } from './model.ts'
import { filtersOf, narrowed, rowsOf } from './model.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { addressOf, send } from '../../kit/client/client.ts'
import type { Selection } from '../../kit/table/use-selection.ts'

/** One page of the issues list. The issue that is open beside it does not count. */
export const issueListQuery = (api: MonitorApi, search: IssueSearch) => {
  const { issue: _, ...listed } = search
  const { sort, page, size, grouped } = search
  return queryOptions({
    queryKey: ['issues', 'list', listed],
    // Groups take its place.
    enabled: search.by === '',
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

/** The versions that one's own changes have made, newer than what a panel has read. */
const ownVersions = new Map<IssueId, number>()

/** Reads again what a change of issues may have changed: issues, and what runs count of them. */
function useAfterChange(): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) => first === 'issue' || first === 'issues' || first === 'run',
    })
}

/** Sets an issue back to what it was before a change that `version` is of; refused when it was changed since. */
export function useTakeBack() {
  const { t } = useLingui()
  const { api } = useSession()
  const onSettled = useAfterChange()
  const toast = useToast()
  return useMutation({
    mutationFn: async ({ id, ...body }: { id: IssueId; version: number; fieldsToUpdate: IssueFields }) => {
      const changed = await api.updateIssue({ params: { id }, body })
      ownVersions.set(id, changed.version)
    },
    onError: (error) => toast('error', t(problemText(error))),
    onSettled,
  })
}

/** One page of the groups of the list. */
export const issueGroupsQuery = (api: MonitorApi, search: IssueSearch, by: Sum) => {
  const { groupSort, page, size } = search
  return queryOptions({
    queryKey: ['issues', 'groups', by, groupSort, page, size, filtersOf(search)],
    queryFn: ({ signal }) =>
      api.listIssueGroups(
        { query: { ...filtersOf(search), ...paged({ page, size }), by, sort: [groupSort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

/** The body of a bulk call: what is ticked, or all that the filters match. */
export function bulkBody(search: IssueSearch, { all, ids }: Selection) {
  const named = [...ids] as IssueId[]
  // With nothing ticked there is no key to narrow by, and everything would be meant.
  if (!all && ids.size > 0 && rowsOf(search) !== 'issue')
    return {
      filters: filtersOf(narrowed(search, [...ids])),
      selected: { selectAllMode: true, deselectedIssues: [] },
    }
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
  const onSettled = useAfterChange()
  type Body = ReturnType<typeof bulkBody>
  return {
    change: useMutation({
      mutationFn: ({ body, fields }: { body: Body; fields: IssueFields }) =>
        api.updateIssues({ body: { ...body, fieldsToUpdate: fields } }),
      onSettled,
    }),
    undo: useMutation({ mutationFn: (undo: string) => api.undoIssues({ body: { undo } }), onSettled }),
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

/** Whom the issues of a scan can be given to. */
export const assigneesQuery = (api: MonitorApi, scanId: ScanId) =>
  queryOptions({
    queryKey: ['scan', scanId, 'users'],
    queryFn: ({ signal }) => api.scanUsers({ params: { id: scanId } }, signal),
    staleTime: 60_000,
  })

export const commentsQuery = (api: MonitorApi, id: IssueId) =>
  queryOptions({
    queryKey: ['issue', id, 'comments'],
    queryFn: ({ signal }) => api.listIssueComments({ params: { id } }, signal),
  })

/**
 * What people do with one issue. A change that meets a newer one of somebody else is refused: the panel then shows what is there.
 * One's own changes follow each other, however fast they are made.
 */
export function useIssuePeople(issue: IssueDetail) {
  const { api } = useSession()
  const client = useQueryClient()
  const params = { id: issue.id }
  const onSettled = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) => first === 'issue' || first === 'issues' || first === 'run',
    })
  const change = useMutation({
    scope: { id: `issue ${issue.id}` },
    mutationFn: async (fieldsToUpdate: IssueFields) => {
      const version = Math.max(issue.version, ownVersions.get(issue.id) ?? 0)
      const changed = await api.updateIssue({ params, body: { fieldsToUpdate, version } })
      ownVersions.set(issue.id, changed.version)
      return changed
    },
    onSettled,
  })
  const label = useMutation({
    mutationFn: (name: string) => api.addIssueLabels({ params, body: { labels: [name] } }),
    onSettled,
  })
  const unlabel = useMutation({
    mutationFn: (name: string) => api.removeIssueLabel({ params, body: { label: name } }),
    onSettled,
  })
  const comment = useMutation({
    mutationFn: (text: string) => api.addIssueComment({ params, body: { text } }),
    onSettled,
  })
  const edit = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      api.editIssueComment({ params: { ...params, comment: id }, body: { text } }),
    onSettled,
  })
  const uncomment = useMutation({
    mutationFn: (id: string) => api.deleteIssueComment({ params: { ...params, comment: id } }),
    onSettled,
  })
  return { change, label, unlabel, comment, edit, uncomment }
}
