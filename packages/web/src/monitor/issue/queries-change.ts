import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { useShowError } from '../../kit/dialog/use-show-error.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { buildUrl, sendRequest } from '../../kit/client/client.ts'
import { runInBatches, undoInBatches } from './model-batches.ts'
import { type buildBulkBody, isDetailQuery, type issueListQuery } from './queries.ts'

/** Versions created by the user's own changes; newer than the versions that panels have loaded. */
const ownVersions = new Map<IssueId, number>()

type IssueChangeVariables = { fields: IssueFields; optimisticUpdate?: OptimisticUpdate }
const getChangeKey = (id: IssueId) => ['change issue', id]
/** Mutation options that serialize the user's changes of an issue. */
const serializeChanges = (id: IssueId) => ({ mutationKey: getChangeKey(id), scope: { id: `issue ${id}` } })
async function saveChange(
  apiClient: MonitorApi,
  id: IssueId,
  body: { fieldsToUpdate: IssueFields; version: number },
): Promise<IssueDetail> {
  const changedIssue = await apiClient.updateIssue({ params: { id }, body })
  ownVersions.set(id, changedIssue.version)
  return changedIssue
}
const hasPendingChanges = (queryClient: QueryClient): boolean => queryClient.isMutating({ mutationKey: ['change issue'] }) > 0

/** Returns true while changes of the issue are in flight: a refetch before the last one would revert the optimistic update. */
const isRefetchHeld = (queryClient: QueryClient, query: { queryKey: QueryKey }, endingCount = 0): boolean =>
  isDetailQuery(query) && queryClient.isMutating({ mutationKey: getChangeKey(query.queryKey[1] as IssueId) }) > endingCount

/** Refetches everything that issue changes affect: issues and the counts of runs. Excludes screenshots. */
function refetchAll(queryClient: QueryClient): Promise<void> {
  clearTimeout(refetchTimers.get(queryClient))
  refetchTimers.delete(queryClient)
  return queryClient.invalidateQueries({
    predicate: (query) =>
      ['issue', 'issues', 'run'].includes(String(query.queryKey[0])) &&
      !query.queryKey.includes('picture') &&
      !(query.queryKey[0] === 'issue' && isRefetchHeld(queryClient, query)),
  })
}

/** Lists and counts are refetched after this many milliseconds without a change, so that they do not slow down triage. */
const refetchDelayMs = 500
const refetchTimers = new WeakMap<QueryClient, ReturnType<typeof setTimeout>>()
function scheduleRefetchAll(queryClient: QueryClient): void {
  clearTimeout(refetchTimers.get(queryClient))
  const refetchIfIdle = () => (hasPendingChanges(queryClient) ? scheduleRefetchAll(queryClient) : void refetchAll(queryClient))
  refetchTimers.set(queryClient, setTimeout(refetchIfIdle, refetchDelayMs))
}

/** Refetches one issue now and everything else after a pause. `ending` is the number of its changes that end with this call. */
function refetchIssue(queryClient: QueryClient, id: IssueId, endingCount = 0): Promise<void> {
  scheduleRefetchAll(queryClient)
  return queryClient.invalidateQueries({
    queryKey: ['issue', id],
    predicate: (query) => !query.queryKey.includes('picture') && !isRefetchHeld(queryClient, query, endingCount),
  })
}

/** Refetches a page of the list after all changes are stored. Resolves to undefined if nothing changed since it was loaded. */
export async function refetchAfterChanges(queryClient: QueryClient, listQuery: ReturnType<typeof issueListQuery>) {
  if (!hasPendingChanges(queryClient) && !refetchTimers.has(queryClient) && queryClient.isFetching(listQuery) === 0)
    return undefined
  if (hasPendingChanges(queryClient))
    await new Promise<void>((resolve) => {
      const unsubscribe = queryClient.getMutationCache().subscribe(() => {
        if (hasPendingChanges(queryClient)) return
        unsubscribe()
        resolve()
      })
    })
  if (refetchTimers.has(queryClient)) void refetchAll(queryClient)
  return queryClient.fetchQuery({ ...listQuery, staleTime: 0 })
}

function useRefetchAll(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => refetchAll(queryClient)
}

/** Returns a function that undoes the change that produced `version`, in series with others. Refused if the issue has changed. */
export function useUndoChange() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const showError = useShowError()
  return ({ id, version, fields }: IssueChangeVariables & { id: IssueId; version: number }) => {
    const mutationCache = queryClient.getMutationCache()
    const undoMutation = mutationCache.build<IssueDetail, Error, IssueChangeVariables, unknown>(queryClient, {
      ...serializeChanges(id),
      mutationFn: ({ fields: fieldsToUpdate }) => saveChange(apiClient, id, { fieldsToUpdate, version }),
      onError: showError,
      onSettled: () => {
        cleanUpChange(queryClient, id)
        void refetchIssue(queryClient, id, 1)
      },
    })
    undoMutation.execute({ fields }).catch(() => undefined)
  }
}

export function useIssueBulk() {
  const { api: apiClient } = useSession()
  const refetchAllIssues = useRefetchAll()
  type BulkBody = ReturnType<typeof buildBulkBody>
  type ManyOptions = Omit<Parameters<typeof runInBatches>[1], 'canUndo'>
  return {
    change: useMutation({
      mutationFn: ({ body, fields }: { body: BulkBody; fields: IssueFields }) =>
        apiClient.updateIssues({ body: { ...body, fieldsToUpdate: fields } }),
      onSettled: refetchAllIssues,
    }),
    undo: useMutation({
      mutationFn: ({ undo, onProgress }: { undo: string; onProgress: (doneCount: number) => void }) =>
        undoInBatches((range) => apiClient.undoIssues({ body: { undo, inBatches: true, ...range } }), onProgress),
      onSettled: refetchAllIssues,
    }),
    changeMany: useMutation({
      mutationFn: ({ body, fields, ...options }: ManyOptions & { body: BulkBody; fields: IssueFields }) =>
        runInBatches((batch) => apiClient.updateIssues({ body: { ...body, fieldsToUpdate: fields, batch } }), {
          ...options,
          canUndo: true,
        }),
      onSettled: refetchAllIssues,
    }),
    removeMany: useMutation({
      mutationFn: ({ body, ...options }: ManyOptions & { body: BulkBody }) =>
        runInBatches((batch) => apiClient.deleteIssues({ body: { ...body, batch } }), { ...options, canUndo: false }),
      onSettled: refetchAllIssues,
    }),
    remove: useMutation({ mutationFn: (body: BulkBody) => apiClient.deleteIssues({ body }), onSettled: refetchAllIssues }),
    removeOne: useMutation({
      mutationFn: (id: IssueId) => apiClient.deleteIssue({ params: { id } }),
      onSettled: refetchAllIssues,
    }),
  }
}

export function useUploadIssues() {
  const { deps } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, run, files }: { id: ScanId; run: number; files: readonly File[] }) => {
      const formData = new FormData()
      for (const uploadFile of files) formData.append('files', uploadFile, uploadFile.name)
      const uploadUrl = buildUrl(monitorApi.uploadIssues, { params: { id, run } })
      const uploadResponse = await sendRequest(deps, uploadUrl, { method: 'POST', accept: 'application/json', body: formData })
      return (await uploadResponse.json()) as UploadReply
    },
    onSuccess: () => queryClient.invalidateQueries(),
  })
}

/** Optimistic update: fields that change before the server responds. */
export type OptimisticUpdate = Partial<Pick<IssueDetail, 'status' | 'ignore' | 'assignedTo'>>

const pickOptimisticFields = ({ status, ignore, assignedTo }: IssueDetail): OptimisticUpdate => ({ status, ignore, assignedTo })
/** Stored values of issues with a pending optimistic update. */
const storedFieldsById = new Map<IssueId, OptimisticUpdate>()

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
/** Cleans up after the last pending change. */
function cleanUpChange(queryClient: QueryClient, id: IssueId): void {
  if (queryClient.isMutating({ mutationKey: getChangeKey(id) }) === 1) storedFieldsById.delete(id)
  if (queryClient.isMutating({ mutationKey: ['change issue'] }) === 1) window.removeEventListener('beforeunload', preventUnload)
}

/** Changes fields of an issue optimistically. If the server refuses because of a newer change, the panel shows current values. */
function useChangeMutation(issue: IssueDetail) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const mutationOptions = serializeChanges(issue.id)
  const { mutationKey } = mutationOptions
  const detailFilter = { queryKey: ['issue', issue.id], predicate: isDetailQuery }
  const updateCache = (fields: Partial<IssueDetail>) =>
    queryClient.setQueriesData<IssueDetail>(detailFilter, (cached) => cached && { ...cached, ...fields })
  /** Merges the optimistic updates of other pending changes. */
  const mergeOtherUpdates = (change: IssueChangeVariables): OptimisticUpdate =>
    Object.assign(
      {},
      ...queryClient
        .getMutationCache()
        .findAll({ mutationKey, status: 'pending' })
        .map(({ state }) => state.variables as IssueChangeVariables)
        .filter((otherChange) => otherChange !== change)
        .map(({ optimisticUpdate }) => optimisticUpdate),
    )
  return useMutation({
    ...mutationOptions,
    onMutate: async ({ optimisticUpdate }: IssueChangeVariables) => {
      window.addEventListener('beforeunload', preventUnload)
      if (!optimisticUpdate) return
      const [[, cachedIssue = issue] = []] = queryClient.getQueriesData<IssueDetail>(detailFilter)
      if (!storedFieldsById.has(issue.id)) storedFieldsById.set(issue.id, pickOptimisticFields(cachedIssue))
      // Cancel in-flight reads; they predate this change.
      await queryClient.cancelQueries(detailFilter)
      updateCache(optimisticUpdate)
    },
    mutationFn: ({ fields }) => {
      const latestVersion = Math.max(issue.version, ownVersions.get(issue.id) ?? 0)
      return saveChange(apiClient, issue.id, { fieldsToUpdate: fields, version: latestVersion })
    },
    onSuccess: (changed, variables) => {
      if (storedFieldsById.has(issue.id)) storedFieldsById.set(issue.id, pickOptimisticFields(changed))
      const { remediationComment, markedAsIssue, version } = changed
      updateCache({
        ...pickOptimisticFields(changed),
        remediationComment,
        markedAsIssue,
        version,
        ...mergeOtherUpdates(variables),
      })
    },
    onError: (_, variables) => updateCache({ ...storedFieldsById.get(issue.id), ...mergeOtherUpdates(variables) }),
    // Not awaited: the next change and error messages do not wait for the refetch.
    onSettled: () => {
      cleanUpChange(queryClient, issue.id)
      void refetchIssue(queryClient, issue.id, 1)
    },
  })
}

export function useIssueMutations(issue: IssueDetail) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const pathParams = { id: issue.id }
  const refetchThisIssue = () => refetchIssue(queryClient, issue.id)
  const changeMutation = useChangeMutation(issue)
  const addLabel = useMutation({
    mutationFn: (name: string) => apiClient.addIssueLabels({ params: pathParams, body: { labels: [name] } }),
    onSettled: refetchThisIssue,
  })
  const removeLabel = useMutation({
    mutationFn: (name: string) => apiClient.removeIssueLabel({ params: pathParams, body: { label: name } }),
    onSettled: refetchThisIssue,
  })
  const addComment = useMutation({
    mutationFn: (text: string) => apiClient.addIssueComment({ params: pathParams, body: { text } }),
    onSettled: refetchThisIssue,
  })
  const editComment = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      apiClient.editIssueComment({ params: { ...pathParams, comment: id }, body: { text } }),
    onSettled: refetchThisIssue,
  })
  const deleteComment = useMutation({
    mutationFn: (id: string) => apiClient.deleteIssueComment({ params: { ...pathParams, comment: id } }),
    onSettled: refetchThisIssue,
  })
  return {
    change: changeMutation,
    label: addLabel,
    unlabel: removeLabel,
    comment: addComment,
    edit: editComment,
    uncomment: deleteComment,
  }
}
