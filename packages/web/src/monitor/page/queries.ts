import type { PageId } from '@clearway/contract/kit/id.ts'
import type { PageDetail, PageTab } from '@clearway/contract/monitor/page/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toDataUrl, loadPicture } from '../../kit/client/data-url.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { PageSearch } from './model.ts'
import { pageTabs } from './model.ts'
import { ApiError } from '../../kit/client/client.ts'
import type { Selection } from '../../kit/table/use-selection.ts'

/** The filters as the server takes them, in a query and in the body of a bulk call. */
const filtersOf = ({ q, scanId, run, tab, health, failure, exclusion, source }: PageSearch) => ({
  scanId,
  search: q || undefined,
  runNumber: run,
  status: [...pageTabs[tab]],
  health: tab === 'completed' ? health : [],
  failure: tab === 'failed' ? failure : [],
  exclusion: tab === 'excluded' ? exclusion : [],
  source,
})

/** One page of the pages list. */
export const pageListQuery = (api: MonitorApi, search: PageSearch) => {
  const { view: _, saved: __, ...listed } = search
  return queryOptions({
    queryKey: ['pages', 'list', listed],
    queryFn: ({ signal }) =>
      api.listPages({ query: { ...filtersOf(search), ...toServerPaging(search), sort: [search.sort] } }, signal),
    placeholderData: keepPreviousData,
  })
}

/** How many pages a tab has under the same scan, run and search. */
export const pageCountQuery = (api: MonitorApi, { scanId, run, q }: PageSearch, tab: PageTab) =>
  queryOptions({
    queryKey: ['pages', 'count', { scanId, run, q, tab }],
    queryFn: async ({ signal }) => {
      const query = { scanId, runNumber: run, search: q || undefined, status: [...pageTabs[tab]], size: 1 }
      return (await api.listPages({ query }, signal)).page.totalElements
    },
    placeholderData: keepPreviousData,
  })

export const pageQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id],
    queryFn: ({ signal }) => api.readPage({ params: { id } }, signal),
    placeholderData: keepPreviousData,
  })

/** The source of a page as it was analysed: text, never shown as a document. */
export const pageContentQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'content'],
    queryFn: async ({ signal }) => (await api.readPageContent({ params: { id } }, signal)).text(),
    staleTime: Infinity,
    gcTime: 60_000,
  })

/** What a script saw as a step of it failed; asked once, for who may not see it gets no other answer. */
export const pagePictureQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'picture'],
    queryFn: async ({ signal }) => toDataUrl(await api.readPagePicture({ params: { id } }, signal)),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  })

/** The photographs of a page, with what is open in them. */
export const pageViewsQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    // By this key, what changes issues changes this too.
    queryKey: ['issues', 'views', id],
    queryFn: async ({ signal }) => (await api.readPageViews({ params: { id } }, signal)).content,
  })

export const pageViewQuery = (api: MonitorApi, id: PageId, number: number) =>
  queryOptions({
    queryKey: ['page', id, 'view', number],
    queryFn: async ({ signal }) => loadPicture(await api.readPageView({ params: { id, number } }, signal)),
    staleTime: Infinity,
    gcTime: 60_000,
  })

const shownIssues = 100
/** The open issues of one page, worst first, as its run saw them. */
export const pageIssuesQuery = (
  api: MonitorApi,
  { id, scanId, runNumber }: Pick<PageDetail, 'id' | 'scanId' | 'runNumber'>,
) => {
  const query = { scanId: [scanId], runNumber, pageId: [id], status: ['open' as const], size: shownIssues }
  return queryOptions({
    queryKey: ['issues', 'page', id],
    queryFn: ({ signal }) => api.listIssues({ query: { ...query, sort: ['severity,asc'] } }, signal),
  })
}

/** The body of a bulk call: what is ticked, or all that the filters match. */
export function bulkBody(search: PageSearch, { all, ids }: Selection) {
  const named = [...ids] as PageId[]
  return {
    filters: filtersOf(search),
    selected: all
      ? { selectAllMode: true, deselectedPages: named }
      : { selectAllMode: false, selectedPages: named },
  }
}

const pollMs = 1500
/** The last time that a page was looked at again by itself; null when it never was. Asked for while it goes on. */
export const recheckQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'recheck'],
    queryFn: async ({ signal }) => {
      try {
        return await api.readRecheck({ params: { id } }, signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' || data?.state === 'working' ? pollMs : false,
  })

/** Deletes pages, and looks at one again; each refreshes what shows them. */
export function usePageActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) =>
        ['page', 'pages', 'issue', 'issues', 'run'].includes(String(first)),
    })
  return {
    refresh,
    remove: useMutation({
      mutationFn: (body: ReturnType<typeof bulkBody>) => api.deletePages({ body }),
      onSettled: refresh,
    }),
    removeOne: useMutation({
      mutationFn: (id: PageId) => api.deletePage({ params: { id } }),
      onSuccess: () =>
        client.invalidateQueries({
          predicate: ({ queryKey: [first] }) => first === 'pages' || first === 'run',
        }),
    }),
    recheck: useMutation({
      mutationFn: (id: PageId) => api.recheckPage({ params: { id } }),
      onSuccess: (state, id) => client.setQueryData(recheckQuery(api, id).queryKey, state),
    }),
  }
}
