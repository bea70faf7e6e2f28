import type { PageId } from '@clearway/contract/kit/id.ts'
import type { PageDetail } from '@clearway/contract/monitor/page/schema.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { dataAddress, loadPicture } from '../../kit/data-address.ts'
import { paged } from '../../kit/list-search.ts'
import type { MonitorApi } from '../user/model.ts'
import type { PageSearch, PageTab } from './model.ts'
import { pageTabs } from './model.ts'

/** The filters as the server takes them, in a query and in the body of a bulk call. */
export const filtersOf = ({ q, scanId, run, tab, health, failure, exclusion, source }: PageSearch) => ({
  scanId,
  search: q || undefined,
  runNumber: run,
  status: [...pageTabs[tab]],
  health: tab === 'completed' ? health : [],
  failure: tab === 'failed' ? failure : [],
  exclusion: tab === 'left' ? exclusion : [],
  source,
})

/** One page of the pages list. */
export const pageListQuery = (api: MonitorApi, search: PageSearch) => {
  const { view: _, ...listed } = search
  return queryOptions({
    queryKey: ['pages', 'list', listed],
    queryFn: ({ signal }) =>
      api.listPages({ query: { ...filtersOf(search), ...paged(search), sort: [search.sort] } }, signal),
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
    queryFn: async ({ signal }) => dataAddress(await api.readPagePicture({ params: { id } }, signal)),
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
