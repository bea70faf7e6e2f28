import type { Health } from '@clearway/contract/monitor/page/schema.ts'
import type { PageId } from '@clearway/contract/kit/id.ts'
import type { PageDetail, PageTab } from '@clearway/contract/monitor/page/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { toDataUrl, loadPicture } from '../../kit/client/data-url.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import { type PageSearch, pageTabs } from './model.ts'
import { ApiError } from '../../kit/client/client.ts'
import { confirmEverything, type Selection } from '../../kit/table/use-selection.ts'

/** Returns the filters as the server expects them, in queries and bulk request bodies. */
const toServerFilters = ({ q: searchText, scanId, run: runNumber, tab, health, failure, exclusion, source }: PageSearch) => ({
  scanId,
  search: searchText || undefined,
  runNumber,
  status: [...pageTabs[tab]],
  health: tab === 'completed' ? health : [],
  failure: tab === 'failed' ? failure : [],
  exclusion: tab === 'excluded' ? exclusion : [],
  source,
})

export const pageListQuery = (apiClient: MonitorApi, search: PageSearch) => {
  const { view: _, saved: __, by: ___, ...listSearch } = search
  return queryOptions({
    queryKey: ['pages', 'list', listSearch],
    queryFn: ({ signal }) =>
      apiClient.listPages({ query: { ...toServerFilters(search), ...toServerPaging(search), sort: [search.sort] } }, signal),
    placeholderData: keepPreviousData,
  })
}

const maxListedFolders = 500
const maxListedTemplates = 20

/** Filters of the tree, which shows all URLs of the sites, tested or not. */
const toTreeFilters = ({ q: searchText, scanId, run: runNumber, source }: PageSearch) => ({
  scanId,
  search: searchText || undefined,
  runNumber,
  status: ['completed' as const, 'failed' as const, 'excluded' as const],
  source,
})

/** Loads the folders directly below a folder, or the sites, with their URLs. */
export const pageFoldersQuery = (apiClient: MonitorApi, search: PageSearch, parent: string) =>
  queryOptions({
    queryKey: ['pages', 'folders', toTreeFilters(search), parent],
    queryFn: ({ signal }) =>
      apiClient.listPageFolders({ query: { ...toTreeFilters(search), parent, size: maxListedFolders } }, signal),
  })

/** Loads the structures of the tested pages in a folder itself. */
export const pageTemplatesQuery = (apiClient: MonitorApi, search: PageSearch, parent: string) =>
  queryOptions({
    queryKey: ['pages', 'templates', toTreeFilters(search), parent],
    queryFn: ({ signal }) =>
      apiClient.listPageTemplates({ query: { ...toTreeFilters(search), parent, size: maxListedTemplates } }, signal),
  })

export const pageCountQuery = (
  apiClient: MonitorApi,
  { scanId, run: runNumber, q: searchText, source }: PageSearch,
  tab: PageTab,
  health: readonly Health[] = [],
) =>
  queryOptions({
    queryKey: ['pages', 'count', { scanId, run: runNumber, q: searchText, source, tab, health }],
    queryFn: async ({ signal }) => {
      const countParams = {
        scanId,
        runNumber,
        search: searchText || undefined,
        status: [...pageTabs[tab]],
        health: [...health],
        source,
        size: 1,
      }
      return (await apiClient.listPages({ query: countParams }, signal)).page.totalElements
    },
    placeholderData: keepPreviousData,
  })

export const pageQuery = (apiClient: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id],
    queryFn: ({ signal }) => apiClient.readPage({ params: { id } }, signal),
    placeholderData: keepPreviousData,
  })

/** Loads the source of a page as it was analyzed. It is text and never shown as a document. */
export const pageContentQuery = (apiClient: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'content'],
    queryFn: async ({ signal }) => (await apiClient.readPageContent({ params: { id } }, signal)).text(),
    staleTime: Infinity,
    gcTime: 60_000,
  })

/** Loads the screenshot of a failed script step. Not retried: the result for users without permission does not change. */
export const pagePictureQuery = (apiClient: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'picture'],
    queryFn: async ({ signal }) => toDataUrl(await apiClient.readPagePicture({ params: { id } }, signal)),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  })

export const pageViewsQuery = (apiClient: MonitorApi, id: PageId) =>
  queryOptions({
    // The key starts with `issues`, so that changes of issues also refresh this query.
    queryKey: ['issues', 'views', id],
    queryFn: async ({ signal }) => (await apiClient.readPageViews({ params: { id } }, signal)).content,
  })

export const pageViewQuery = (apiClient: MonitorApi, id: PageId, viewNumber: number) =>
  queryOptions({
    queryKey: ['page', id, 'view', viewNumber],
    queryFn: async ({ signal }) => loadPicture(await apiClient.readPageView({ params: { id, number: viewNumber } }, signal)),
    staleTime: Infinity,
    gcTime: 60_000,
  })

const maxVisibleIssues = 100
type IssuesPage = Pick<PageDetail, 'id' | 'scanId' | 'runNumber'>
const buildIssueParams = ({ id, scanId, runNumber }: IssuesPage) => ({
  scanId: [scanId],
  runNumber,
  pageId: [id],
  status: ['open' as const],
})

/** Loads the open issues of a page as its run saw them, most severe first. @param state only those seen in this state */
export const pageIssuesQuery = (apiClient: MonitorApi, page: IssuesPage, state: string) =>
  queryOptions({
    queryKey: ['issues', 'page', page.id, state],
    queryFn: ({ signal }) => {
      const states = state === '' ? {} : { state: [state] }
      const query = { ...buildIssueParams(page), ...states, size: maxVisibleIssues, sort: ['severity,asc' as const] }
      return apiClient.listIssues({ query }, signal)
    },
    placeholderData: keepPreviousData,
  })

const maxDrivenIssues = 500
export const pageStatesQuery = (apiClient: MonitorApi, page: IssuesPage) =>
  queryOptions({
    queryKey: ['issues', 'page', page.id, 'states'],
    queryFn: async ({ signal }) => {
      const query = { ...buildIssueParams(page), engine: ['driven' as const], size: maxDrivenIssues }
      const { content } = await apiClient.listIssues({ query }, signal)
      return [...new Set(content.flatMap(({ states }) => states))].toSorted()
    },
  })

/** Returns the body of a bulk request for the selection. @param matchCount number of pages that match the filters */
export function buildBulkBody(search: PageSearch, { all, ids: selectedIds }: Selection, matchCount?: number) {
  const pageIds = [...selectedIds] as PageId[]
  return {
    ...(all ? confirmEverything(toServerFilters(search), matchCount, pageIds.length) : { filters: toServerFilters(search) }),
    selected: all ? { selectAllMode: true, deselectedPages: pageIds } : { selectAllMode: false, selectedPages: pageIds },
  }
}

const recheckPollMs = 1500
/** Loads the last recheck of a page; null if there was none. Polls while it is in progress. */
export const recheckQuery = (apiClient: MonitorApi, { id, isRechecked }: Pick<PageDetail, 'id' | 'isRechecked'>) =>
  queryOptions({
    queryKey: ['page', id, 'recheck'],
    queryFn: async ({ signal, client, queryKey }) => {
      // A request for a missing one would be an error in the console.
      if (!isRechecked && client.getQueryData(queryKey) == null) return null
      try {
        return await apiClient.readRecheck({ params: { id } }, signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' || data?.state === 'working' ? recheckPollMs : false),
  })

export function usePageActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshPages = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [queryScope] }) => ['page', 'pages', 'issue', 'issues', 'run'].includes(String(queryScope)),
    })
  return {
    refresh: refreshPages,
    deleteMutation: useMutation({
      mutationFn: (body: ReturnType<typeof buildBulkBody>) => apiClient.deletePages({ body }),
      onSettled: refreshPages,
    }),
    deleteOneMutation: useMutation({
      mutationFn: (id: PageId) => apiClient.deletePage({ params: { id } }),
      onSuccess: () =>
        queryClient.invalidateQueries({
          predicate: ({ queryKey: [queryScope] }) => queryScope === 'pages' || queryScope === 'run',
        }),
    }),
    recheckMutation: useMutation({
      mutationFn: (id: PageId) => apiClient.recheckPage({ params: { id } }),
      onSuccess: (recheckState, id) =>
        queryClient.setQueryData(recheckQuery(apiClient, { id, isRechecked: true }).queryKey, recheckState),
    }),
  }
}
