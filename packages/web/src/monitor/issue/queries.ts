import type { IssueId, ScanId } from '@clearway/contract/kit/id.ts'
import type { IssueDetail, IssueFields } from '@clearway/contract/monitor/issue/schema.ts'
import { useLingui } from '@lingui/react/macro'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { fetchAllPages } from '../../kit/client/every-page.ts'
import { getProblemMessage } from '../../kit/client/problem-text.ts'
import { useToast } from '../../kit/dialog/toast.tsx'
import { loadPicture } from '../../kit/client/data-url.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import { scanQuery } from '../scan/queries.ts'
import type { IssueSearch, Sum } from './model.ts'
import { filtersOf, issueSearchDefaults, narrowed, rowsOf } from './model.ts'
import type { UploadReply } from '@clearway/contract/monitor/issue/upload/schema.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { buildUrl, sendRequest } from '../../kit/client/client.ts'
import { everythingSelected, type Selection } from '../../kit/table/use-selection.ts'

/** One page of the issues list. The issue that is open beside it does not count. */
export const issueListQuery = (api: MonitorApi, search: IssueSearch) => {
  const { issue: _, saved: __, ...listed } = search
  const { sort, page, size, grouped } = search
  return queryOptions({
    queryKey: ['issues', 'list', listed],
    // Groups take its place.
    enabled: search.by === '',
    queryFn: ({ signal }) =>
      api.listIssues(
        { query: { ...filtersOf(search), ...toServerPaging({ page, size }), grouped, sort: [sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })
}

/** Of the queries below an issue: the issue itself, as a run saw it. */
const isDetail = ({ queryKey }: { queryKey: QueryKey }): boolean =>
  queryKey.length === 3 && typeof queryKey[2] !== 'string'

/** One issue, as a run saw it; the newest run that saw it, unless said. */
export const issueQuery = (api: MonitorApi, id: IssueId, run: number | undefined) =>
  queryOptions({
    queryKey: ['issue', id, run],
    queryFn: ({ signal }) => api.readIssue({ params: { id }, query: { runNumber: run } }, signal),
    // The panel stays while the next one comes, and with it the focus on its buttons.
    placeholderData: keepPreviousData,
  })

/** Reads what the panel of an issue needs before somebody opens it, so that it comes at once. */
export function prefetchIssue(
  { client, api }: { client: QueryClient; api: MonitorApi },
  { id, scanId }: { id: IssueId; scanId: ScanId },
  run: number | undefined,
): void {
  void client.prefetchQuery({ ...issueQuery(api, id, run), staleTime: 30_000 })
  const readPeople = async () => {
    const { rights } = await client.fetchQuery({ ...scanQuery(api, scanId), staleTime: 60_000 })
    // Who can be assigned is told to those who may assign, and refused to others.
    if (rights.discuss) await client.prefetchQuery(assigneesQuery(api, scanId))
  }
  // Who opens the issue is told when that fails.
  void readPeople().catch(() => undefined)
}

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

type Change = { fields: IssueFields; assumed?: Assumed }
const changeOf = (id: IssueId) => ['change issue', id]
/** One's own changes of an issue follow each other, however fast they are made. */
const inRow = (id: IssueId) => ({ mutationKey: changeOf(id), scope: { id: `issue ${id}` } })
async function storeChange(
  api: MonitorApi,
  id: IssueId,
  body: { fieldsToUpdate: IssueFields; version: number },
): Promise<IssueDetail> {
  const changed = await api.updateIssue({ params: { id }, body })
  ownVersions.set(id, changed.version)
  return changed
}
const isChanging = (client: QueryClient): boolean => client.isMutating({ mutationKey: ['change issue'] }) > 0

/** An issue with changes under way is read after the last of them: an answer from before would take back what is shown. */
const isHeld = (client: QueryClient, query: { queryKey: QueryKey }, ending = 0): boolean =>
  isDetail(query) && client.isMutating({ mutationKey: changeOf(query.queryKey[1] as IssueId) }) > ending

/** Reads again what changes of issues may have changed: issues, and what runs count of them. A photograph stays as it is. */
function readAll(client: QueryClient): Promise<void> {
  clearTimeout(laterReads.get(client))
  laterReads.delete(client)
  return client.invalidateQueries({
    predicate: (query) =>
      ['issue', 'issues', 'run'].includes(String(query.queryKey[0])) &&
      !query.queryKey.includes('picture') &&
      !(query.queryKey[0] === 'issue' && isHeld(client, query)),
  })
}

/** For how long nobody changes an issue before lists and figures are read again, ms: who goes through issues is not held up. */
const quietMs = 500
const laterReads = new WeakMap<QueryClient, ReturnType<typeof setTimeout>>()
function readAllLater(client: QueryClient): void {
  clearTimeout(laterReads.get(client))
  const read = () => (isChanging(client) ? readAllLater(client) : void readAll(client))
  laterReads.set(client, setTimeout(read, quietMs))
}

/** Reads one issue again at once, the rest when it is quiet. `ending` is how many changes of it end with this. */
function readOne(client: QueryClient, id: IssueId, ending = 0): Promise<void> {
  readAllLater(client)
  return client.invalidateQueries({
    queryKey: ['issue', id],
    predicate: (query) => !query.queryKey.includes('picture') && !isHeld(client, query, ending),
  })
}

/** A page of the list once every change is stored; undefined when nothing has changed since it was read. */
export async function readAfterChanges(client: QueryClient, page: ReturnType<typeof issueListQuery>) {
  if (!isChanging(client) && !laterReads.has(client) && client.isFetching(page) === 0) return undefined
  if (isChanging(client))
    await new Promise<void>((done) => {
      const stop = client.getMutationCache().subscribe(() => {
        if (isChanging(client)) return
        stop()
        done()
      })
    })
  if (laterReads.has(client)) void readAll(client)
  return client.fetchQuery({ ...page, staleTime: 0 })
}

function useAfterChange(): () => Promise<void> {
  const client = useQueryClient()
  return () => readAll(client)
}

/**
 * Sets an issue back to what it was before a change that `version` is of; refused when it was changed since. It has its place in the
 * row of one's own changes, so that what is changed next knows of it.
 */
export function useTakeBack() {
  const { t } = useLingui()
  const { api } = useSession()
  const client = useQueryClient()
  const toast = useToast()
  return ({ id, version, fields }: Change & { id: IssueId; version: number }) => {
    const changes = client.getMutationCache()
    const taking = changes.build<IssueDetail, Error, Change, unknown>(client, {
      ...inRow(id),
      mutationFn: ({ fields: fieldsToUpdate }) => storeChange(api, id, { fieldsToUpdate, version }),
      onError: (error) => toast('error', t(getProblemMessage(error))),
      onSettled: () => {
        endOfChange(client, id)
        void readOne(client, id, 1)
      },
    })
    taking.execute({ fields }).catch(() => undefined)
  }
}

/** One page of the groups of the list. */
export const issueGroupsQuery = (api: MonitorApi, search: IssueSearch, by: Sum) => {
  const { groupSort, page, size } = search
  return queryOptions({
    queryKey: ['issues', 'groups', by, groupSort, page, size, filtersOf(search)],
    queryFn: ({ signal }) =>
      api.listIssueGroups(
        { query: { ...filtersOf(search), ...toServerPaging({ page, size }), by, sort: [groupSort] } },
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

/** How many issues a bulk call would meet. */
export const selectedCountQuery = (api: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'selected', bulkBody(search, selection)],
    queryFn: ({ signal }) => api.countSelectedIssues({ body: bulkBody(search, selection) }, signal),
    placeholderData: keepPreviousData,
  })

/** People who could be assigned everything that is selected. */
export const selectedUsersQuery = (api: MonitorApi, search: IssueSearch, selection: Selection) =>
  queryOptions({
    queryKey: ['issues', 'users', bulkBody(search, selection)],
    queryFn: ({ signal }) => api.usersOfSelectedIssues({ body: bulkBody(search, selection) }, signal),
    gcTime: 0,
  })

/** Who may see the issues in view, whatever narrows them. */
export const usersInViewQuery = (api: MonitorApi, { scanId, run }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  selectedUsersQuery(api, { ...issueSearchDefaults, status: [], scanId, run }, everythingSelected)

/** Rules with findings in the runs in view. */
export const rulesQuery = (api: MonitorApi, { scanId, run }: Pick<IssueSearch, 'scanId' | 'run'>) =>
  queryOptions({
    queryKey: ['issues', 'rules', scanId, run],
    queryFn: ({ signal }) =>
      fetchAllPages((paging) => api.listViolations({ query: { ...paging, scanId, runNumber: run } }, signal)),
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
      const url = buildUrl(monitorApi.uploadIssues, { params: { id, run } })
      const response = await sendRequest(deps, url, { method: 'POST', accept: 'application/json', body: form })
      return (await response.json()) as UploadReply
    },
    onSuccess: () => client.invalidateQueries(),
  })
}

/** People who can be assigned issues of a scan. */
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

/** What of an issue a change shows before the server has answered. */
export type Assumed = Partial<Pick<IssueDetail, 'status' | 'ignore' | 'assignedTo'>>

const assumable = ({ status, ignore, assignedTo }: IssueDetail): Assumed => ({ status, ignore, assignedTo })
/** What is stored of the issues that show a change before it is. */
const storedOf = new Map<IssueId, Assumed>()

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()
/** Forgets what was kept for changes under way when this was the last of them. */
function endOfChange(client: QueryClient, id: IssueId): void {
  if (client.isMutating({ mutationKey: changeOf(id) }) === 1) storedOf.delete(id)
  if (client.isMutating({ mutationKey: ['change issue'] }) === 1)
    window.removeEventListener('beforeunload', askBeforeLeaving)
}

/**
 * Changes fields of one issue. A change that meets a newer one of somebody else is refused: the panel then shows what is there.
 * What one's own changes assume is shown at once.
 */
function useIssueChange(issue: IssueDetail) {
  const { api } = useSession()
  const client = useQueryClient()
  const row = inRow(issue.id)
  const { mutationKey } = row
  const own = { queryKey: ['issue', issue.id], predicate: isDetail }
  const show = (fields: Partial<IssueDetail>) =>
    client.setQueriesData<IssueDetail>(own, (shown) => shown && { ...shown, ...fields })
  /** What the changes that are still under way assume. */
  const assumedBeside = (change: Change): Assumed =>
    Object.assign(
      {},
      ...client
        .getMutationCache()
        .findAll({ mutationKey, status: 'pending' })
        .map(({ state }) => state.variables as Change)
        .filter((other) => other !== change)
        .map(({ assumed }) => assumed),
    )
  return useMutation({
    ...row,
    onMutate: async ({ assumed }: Change) => {
      window.addEventListener('beforeunload', askBeforeLeaving)
      if (!assumed) return
      const [[, shown = issue] = []] = client.getQueriesData<IssueDetail>(own)
      if (!storedOf.has(issue.id)) storedOf.set(issue.id, assumable(shown))
      // An answer that is on its way is from before.
      await client.cancelQueries(own)
      show(assumed)
    },
    mutationFn: ({ fields }) => {
      const version = Math.max(issue.version, ownVersions.get(issue.id) ?? 0)
      return storeChange(api, issue.id, { fieldsToUpdate: fields, version })
    },
    onSuccess: (changed, made) => {
      if (storedOf.has(issue.id)) storedOf.set(issue.id, assumable(changed))
      const { remediationComment, markedAsIssue, version } = changed
      show({
        ...assumable(changed),
        remediationComment,
        markedAsIssue,
        version,
        ...assumedBeside(made),
      })
    },
    onError: (_, made) => show({ ...storedOf.get(issue.id), ...assumedBeside(made) }),
    // Not waited for: the next change is sent, and a failure told, without what is read again.
    onSettled: () => {
      endOfChange(client, issue.id)
      void readOne(client, issue.id, 1)
    },
  })
}

/** What people do with one issue. */
export function useIssuePeople(issue: IssueDetail) {
  const { api } = useSession()
  const client = useQueryClient()
  const params = { id: issue.id }
  const onSettled = () => readOne(client, issue.id)
  const change = useIssueChange(issue)
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
