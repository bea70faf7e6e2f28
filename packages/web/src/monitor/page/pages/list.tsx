import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId, ViewId } from '@clearway/contract/kit/id.ts'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useEffect, useEffectEvent } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { useSideBySide } from '../../../kit/page/classic-view.ts'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-navigation.ts'
import { EmptyState, QueryState, Skeleton } from '../../../kit/page/states.tsx'
import { type DownloadState, useDownload } from '../../../kit/client/use-download.ts'
import { everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { ListSource } from '../../run/parts/list-source.tsx'
import { useSession } from '../../user/model.ts'
import { useRememberSelection } from '../../user/parts/use-active-selection.ts'
import { MissingDefaultView } from '../../view/parts/missing-default-view.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { PageSearch, pageSearchDefaults } from '../model.ts'
import { PageBulk, PageExport } from '../list/bulk.tsx'
import { PageFilters } from '../list/filters.tsx'
import { GonePages } from '../list/gone-pages.tsx'
import { PagePanel } from '../panel/panel.tsx'
import { type PageRow, PageTable, RunNotices, usePageColumns, getDefaultColumnKeys } from '../list/table.tsx'
import { pageListQuery, pageQuery, buildBulkBody } from '../queries.ts'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

const pagesRoute = getRouteApi('/pages')
const PageFolderTree = lazy(() =>
  withDeferredTexts(import('../folder/tree.tsx')).then((module) => ({ default: module.PageFolderTree })),
)

export function PageListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, deps, permissions } = useSession()
  const pageSearch = pagesRoute.useSearch()
  useRememberSelection(pageSearch)
  const navigateTo = pagesRoute.useNavigate()
  const openView = (query: ViewQuery<'pages'>, viewId: ViewId | undefined, shouldReplace = false) =>
    void navigateTo({ search: z.parse(PageSearch, { ...query, saved: viewId, size: pageSearch.size }), replace: shouldReplace })
  const defaultSearch = pageSearchDefaults
  const openDefaultView = (query: ViewQuery<'pages'>, saved: ViewId) => openView(query, saved, true)
  const isOpening = useDefaultView({ screen: 'pages', search: pageSearch, defaults: defaultSearch, onOpen: openDefaultView })
  const pageList = useQuery({ ...pageListQuery(apiClient, pageSearch), enabled: !isOpening })
  useLastPage(pageList.data?.page, (page) => void navigateTo({ search: { ...pageSearch, page }, replace: true }))
  const changeSearch = (changes: Partial<PageSearch>) =>
    void navigateTo({ search: { ...pageSearch, page: 1, view: undefined, ...changes }, resetScroll: false })
  const totalCount = pageList.data?.page.totalElements
  const selectionState = useSelection(JSON.stringify(buildBulkBody(pageSearch, everythingSelected)))
  const exportDownload = useDownload(deps)
  const firstOfSingleScan = pageSearch.scanId.length === 1 ? pageList.data?.content[0] : undefined
  const allColumns = usePageColumns(pageSearch)[pageSearch.tab]
  const columnChoice = useColumnChoice(
    `pages.${pageSearch.tab}`,
    allColumns,
    getDefaultColumnKeys(pageSearch.tab, pageList.data?.content ?? []),
  )
  return (
    <>
      <PageListHead search={pageSearch} totalCount={totalCount} download={exportDownload} />
      <DownloadStatus download={exportDownload} />
      <MissingDefaultView screen="pages" />
      <ListWithDetail
        toolbar={
          <PageFilters
            search={pageSearch}
            onChange={changeSearch}
            views={<SavedViews screen="pages" search={pageSearch} defaults={defaultSearch} onOpen={openView} />}
          />
        }
        list={
          <>
            <QueryState
              query={pageList}
              loadingLabel={t`Loading pages`}
              failureTitle={t`The pages could not be loaded.`}
              fillsScreen
            />
            {totalCount === 0 && pageSearch.by === '' && <EmptyPageList search={pageSearch} onChange={changeSearch} />}
            {pageList.data && <RunNotices rows={pageList.data.content} />}
            {pageSearch.by === 'folder' && (
              <Suspense fallback={null}>
                <PageFolderTree search={pageSearch} />
              </Suspense>
            )}
            {pageList.data && totalCount !== 0 && pageSearch.by === '' && (
              <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading pages`} />}>
                <div className={layout.card}>
                  <div className={layout.tools}>
                    {firstOfSingleScan?.change && pageSearch.tab === 'completed' && (
                      <GonePages scanId={firstOfSingleScan.scanId} run={firstOfSingleScan.runNumber} />
                    )}
                  </div>
                  <PageTable
                    rows={pageList.data.content}
                    columns={columnChoice.visibleColumns}
                    search={pageSearch}
                    isBusy={pageList.isPlaceholderData}
                    onSort={(sort) => changeSearch({ sort })}
                    selectionState={permissions.isGuest ? null : selectionState}
                  />
                  <Pager
                    label={t`Pages of the pages list`}
                    page={pageList.data.page}
                    onPage={(page) => changeSearch({ page })}
                    onSize={(size) => changeSearch({ size })}
                    tools={
                      <ColumnChoice columns={allColumns} chosenKeys={columnChoice.chosenKeys} onChoose={columnChoice.choose} />
                    }
                  />
                </div>
              </DeferredContent>
            )}
            {!permissions.isGuest && pageSearch.by === '' && (
              <PageBulk
                search={pageSearch}
                selectionState={selectionState}
                totalCount={totalCount ?? 0}
                exportDownload={exportDownload}
              />
            )}
          </>
        }
        detail={pageSearch.view && <OpenPage id={pageSearch.view} search={pageSearch} list={pageList.data} />}
      />
    </>
  )
}

type PageListHeadProps = { search: PageSearch; totalCount: number | undefined; download: DownloadState }

function PageListHead({ search, totalCount, download }: PageListHeadProps) {
  const { t } = useLingui()
  const { config: appConfig, permissions } = useSession()
  const isListShown = useSideBySide() || search.view === undefined
  return (
    <PageHead
      title={t`Pages`}
      productName={appConfig.productName}
      facts={
        totalCount !== undefined && (
          <p role="status">
            <ListSource scanIds={search.scanId} runNumber={search.run} />
            {search.tab === 'completed' && search.by === '' ? (
              <Plural value={totalCount} one="# tested page" other="# tested pages" />
            ) : (
              <Plural value={totalCount} one="# page" other="# pages" />
            )}
          </p>
        )
      }
      actions={
        isListShown &&
        !permissions.isGuest && (
          <PageExport search={search} selection={everythingSelected} download={download}>
            {t`Export`}
          </PageExport>
        )
      }
    />
  )
}

type OpenPageProps = { id: PageId; search: PageSearch; list: PagedList<PageRow> | undefined }

function OpenPage({ id, search, list }: OpenPageProps) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const navigateTo = pagesRoute.useNavigate()
  const openPage = (pageId: PageId | undefined, page = search.page) =>
    navigateTo({ search: { ...search, page, view: pageId }, resetScroll: false })
  const loadPage = (page: number) => queryClient.fetchQuery(pageListQuery(apiClient, { ...search, page }))
  const { navigation } = useRowNavigation({
    id,
    list,
    search,
    openRow: openPage,
    loadPage,
  })
  // A link to a failed page opens it next to the others that failed.
  const shownPage = useQuery(pageQuery(apiClient, id)).data
  // Until the page is loaded, the query returns the previous one.
  const isFailed = shownPage?.id === id && shownPage.status === 'failed'
  const showFailed = useEffectEvent(
    () => void navigateTo({ search: { ...search, tab: 'failed', sort: 'url,asc', page: 1 }, replace: true, resetScroll: false }),
  )
  const isElsewhere = isFailed && search.tab === 'completed'
  useEffect(() => {
    if (isElsewhere) showFailed()
  }, [isElsewhere])
  return <PagePanel id={id} {...navigation} onClose={() => void openPage(undefined).then(() => focusRow(`page-${id}`))} />
}

function EmptyPageList({ search, onChange }: { search: PageSearch; onChange: (next: Partial<PageSearch>) => void }) {
  const { t } = useLingui()
  const { q: searchText, health: healthFilter, failure: failureFilter, exclusion: exclusionFilter, source: sourceFilter } = search
  const isFiltered =
    searchText !== '' || [healthFilter, failureFilter, exclusionFilter, sourceFilter].some((list) => list.length > 0)
  const emptyTitles = {
    completed: t`No tested pages`,
    failed: t`No failed pages`,
    excluded: t`No excluded URLs`,
  }
  return (
    <div className={layout.card}>
      <EmptyState
        title={isFiltered ? t`No page matches` : emptyTitles[search.tab]}
        action={
          <>
            {search.q && <Button onPress={() => onChange({ q: '' })}>{t`Remove the search “${search.q}”`}</Button>}
            {isFiltered && (
              <Button
                onPress={() => onChange({ q: '', health: [], failure: [], exclusion: [], source: [] })}
              >{t`Clear all`}</Button>
            )}
          </>
        }
      >
        <p>{isFiltered ? t`No pages match these filters.` : t`Pages appear here as soon as a run has discovered them.`}</p>
      </EmptyState>
    </div>
  )
}
