import { Plural, useLingui } from '@lingui/react/macro'
import type { IssueId, ViewId } from '@clearway/contract/kit/id.ts'
import type { IssueGroupList, IssueList } from '@clearway/contract/monitor/issue/schema.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useEffect, useEffectEvent, useState } from 'react'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { useSideBySide } from '../../../kit/page/classic-view.ts'
import { OptionalPart } from '../../../kit/page/optional-part.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { smallScreenQuery, useMediaQuery } from '../../../kit/page/use-media-query.ts'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-navigation.ts'
import { QueryState, Skeleton } from '../../../kit/page/states.tsx'
import { type DownloadState, useDownload } from '../../../kit/client/use-download.ts'
import { useBulkPart } from '../../../kit/table/use-bulk-part.ts'
import { type SelectionState, everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { ListSource } from '../../run/parts/list-source.tsx'
import { useSession } from '../../user/model.ts'
import { useRememberSelection } from '../../user/parts/use-active-selection.ts'
import { MissingDefaultView } from '../../view/parts/missing-default-view.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { IssueSearch, getRowKind, issueSearchDefaults, severityOptions } from '../model.ts'
import { IssueExport } from '../parts/export.tsx'
import { IssueFilters } from '../list/filters.tsx'
import { IssuePanel } from '../panel/panel.tsx'
import { IssueGroupTable } from '../list/groups.tsx'
import { EmptyIssueList } from '../list/empty-list.tsx'
import { IssueTable, useIssueColumns, getDefaultColumnKeys } from '../list/table.tsx'
import { bulkChangesQuery, issueGroupsQuery, issueListQuery, prefetchIssue, buildBulkBody } from '../queries.ts'
import { refetchAfterChanges } from '../queries-change.ts'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

const issuesRoute = getRouteApi('/issues')
const BulkChangesDialog = lazy(() =>
  withDeferredTexts(import('../bulk/changes-dialog.tsx')).then((module) => ({ default: module.BulkChangesDialog })),
)
// Usable only after rows have been selected.
const IssueBulk = lazy(() => withDeferredTexts(import('../bulk/bar.tsx')).then((module) => ({ default: module.IssueBulk })))
const UploadDialog = lazy(() => import('../list/upload-dialog.tsx').then((module) => ({ default: module.UploadDialog })))

/** Title of the document, which tells the views of the list apart in the history of a browser. */
function useDocumentTitle({ by: groupedBy, q: searchText }: IssueSearch): string {
  const { t } = useLingui()
  const groupTitles = { rule: t`Rule`, page: t`Page`, component: t`Component` }
  return [t`Issues`, groupedBy && groupTitles[groupedBy], searchText].filter(Boolean).join(' – ')
}

export function IssueListPage(): ReactNode {
  const { t } = useLingui()
  const { config: appConfig, deps, permissions } = useSession()
  const issueSearch = issuesRoute.useSearch()
  const navigateTo = issuesRoute.useNavigate()
  useRememberSelection(issueSearch)
  const documentTitle = useDocumentTitle(issueSearch)
  const issueRows = useIssueRows(issueSearch)
  const { list: issueList, groups: issueGroups, visibleResult } = issueRows
  usePrefetchFirstIssue(issueSearch, issueList.isPlaceholderData ? undefined : issueList.data)
  useLastPage(visibleResult.data?.page, (page) => void navigateTo({ search: { ...issueSearch, page }, replace: true }))
  const changeSearch = (changes: Partial<IssueSearch>) =>
    void navigateTo({ search: { ...issueSearch, page: 1, issue: undefined, ...changes }, resetScroll: false })
  const selectionState = useSelection(
    `${getRowKind(issueSearch)} ${JSON.stringify(buildBulkBody(issueSearch, everythingSelected))}`,
    getRowKind(issueSearch) === 'issue' ? undefined : getRowKeys(issueSearch, issueList.data, issueGroups.data),
  )
  const bulkPart = useBulkPart(selectionState)
  const exportDownload = useDownload(deps)
  const isListShown = useSideBySide() || issueSearch.issue === undefined
  const rowSelection = permissions.isGuest ? null : selectionState
  return (
    <>
      <PageHead
        title={t`Issues`}
        document={documentTitle}
        productName={appConfig.productName}
        facts={visibleResult.data ? <IssueCounts list={visibleResult.data} search={issueSearch} /> : null}
        actions={isListShown && !permissions.isGuest && <HeadActions search={issueSearch} download={exportDownload} />}
      />
      <DownloadStatus download={exportDownload} />
      <MissingDefaultView screen="issues" />
      <ListWithDetail
        toolbar={
          <IssueFilters
            search={issueSearch}
            counts={visibleResult.data?.severities}
            onChange={changeSearch}
            views={<IssueViews search={issueSearch} />}
          />
        }
        list={
          <>
            <QueryState
              query={visibleResult}
              loadingLabel={t`Loading issues`}
              failureTitle={t`The issues could not be loaded.`}
              fillsScreen
            />
            {visibleResult.data?.content.length === 0 && <EmptyIssueList search={issueSearch} onChange={changeSearch} />}
            {visibleResult.data && visibleResult.data.content.length > 0 && (
              <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading issues`} />}>
                <div className={layout.card} {...bulkPart.listHandlers}>
                  <IssueRows {...issueRows} search={issueSearch} onChange={changeSearch} selectionState={rowSelection} />
                </div>
              </DeferredContent>
            )}
            {rowSelection && bulkPart.isShown && (
              <OptionalPart isNeeded={bulkPart.isNeeded}>
                <IssueBulk
                  search={issueSearch}
                  selectionState={selectionState}
                  totalCount={visibleResult.data?.totalIssues ?? 0}
                  exportDownload={exportDownload}
                />
              </OptionalPart>
            )}
          </>
        }
        detail={issueSearch.issue && <OpenIssue id={issueSearch.issue} search={issueSearch} list={issueList.data} />}
      />
    </>
  )
}

type IssueRowsProps = ReturnType<typeof useIssueRows> & {
  search: IssueSearch
  onChange: (changes: Partial<IssueSearch>) => void
  selectionState: SelectionState | null
}

/** Issues, or their groups, with the pages of the list. */
function IssueRows({ list, groups, visibleResult, search, onChange, selectionState }: IssueRowsProps) {
  const { t } = useLingui()
  const { by: groupedBy } = search
  const { allColumns, columnChoice } = useColumns(search, list.data)
  return (
    <>
      {groupedBy !== '' && groups.data && (
        <IssueGroupTable
          rows={groups.data.content}
          search={{ ...search, by: groupedBy }}
          isBusy={groups.isPlaceholderData}
          onSort={(groupSort) => onChange({ groupSort })}
          selectionState={selectionState}
        />
      )}
      {groupedBy === '' && list.data && (
        <IssueTable
          rows={list.data.content}
          columns={columnChoice.visibleColumns}
          search={search}
          isBusy={list.isPlaceholderData}
          onSort={(sort) => onChange({ sort })}
          selectionState={selectionState}
        />
      )}
      {visibleResult.data && (
        <Pager
          label={t`Pages of the issues list`}
          page={visibleResult.data.page}
          onPage={(page) => onChange({ page })}
          onSize={(size) => onChange({ size })}
          tools={
            groupedBy === '' && (
              <ColumnChoice columns={allColumns} chosenKeys={columnChoice.chosenKeys} onChoose={columnChoice.choose} />
            )
          }
        />
      )}
    </>
  )
}

/** A phone has no room for the criteria by default. */
function useColumns(search: IssueSearch, list: IssueList | undefined) {
  const isSmall = useMediaQuery(smallScreenQuery)
  const allColumns = useIssueColumns(search)
  const columnChoice = useColumnChoice('issues', allColumns, getDefaultColumnKeys(search, list?.content ?? [], isSmall))
  return { allColumns, columnChoice }
}

function useOpenView({ size }: IssueSearch) {
  const navigateTo = issuesRoute.useNavigate()
  return (query: ViewQuery<'issues'>, viewId: ViewId | undefined, shouldReplace = false) =>
    void navigateTo({ search: z.parse(IssueSearch, { ...query, saved: viewId, size }), replace: shouldReplace })
}

/** Loads the issues or groups once it is known whether a default view opens. */
function useIssueRows(search: IssueSearch) {
  const { api: apiClient } = useSession()
  const isOpening = useIssueDefaultView(search)
  const { by: groupedBy } = search
  const issueList = useQuery({ ...issueListQuery(apiClient, search), enabled: groupedBy === '' && !isOpening })
  const issueGroups = useQuery({
    ...issueGroupsQuery(apiClient, search, groupedBy || 'rule'),
    enabled: groupedBy !== '' && !isOpening,
  })
  return { list: issueList, groups: issueGroups, visibleResult: groupedBy === '' ? issueList : issueGroups }
}

/** Prefetches the first issue while the list is shown, so that it opens at once. */
function usePrefetchFirstIssue(search: IssueSearch, list: IssueList | undefined): void {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const { id: firstIssueId, scanId: firstScanId } = (search.issue ? undefined : list?.content[0]) ?? {}
  useEffect(() => {
    if (firstIssueId && firstScanId)
      prefetchIssue({ client: queryClient, api: apiClient }, { id: firstIssueId, scanId: firstScanId }, search.run)
  }, [queryClient, apiClient, firstIssueId, firstScanId, search.run])
}

function useIssueDefaultView(search: IssueSearch): boolean {
  const openView = useOpenView(search)
  return useDefaultView({
    screen: 'issues',
    search,
    defaults: issueSearchDefaults,
    onOpen: (query, saved) => openView(query, saved, true),
  })
}

const IssueViews = ({ search }: { search: IssueSearch }) => (
  <SavedViews screen="issues" search={search} defaults={issueSearchDefaults} onOpen={useOpenView(search)} />
)

const getRowKeys = ({ by }: IssueSearch, list: IssueList | undefined, groups: IssueGroupList | undefined) =>
  by === '' ? (list?.content ?? []).map(({ templateId }) => templateId) : (groups?.content ?? []).map(({ key }) => key)

type HeadActionsProps = { search: IssueSearch; download: DownloadState }

function HeadActions({ search, download }: HeadActionsProps) {
  const { t } = useLingui()
  const [isUploadOpen, setIsUploadOpen] = useState(false)
  const [isHistoryOpen, setIsHistoryOpen] = useState(false)
  // After the last undo, the button stays for the focus that returns to it.
  const [wasHistoryOpened, setWasHistoryOpened] = useState(false)
  const { api: apiClient } = useSession()
  const canUndo = (useQuery(bulkChangesQuery(apiClient)).data?.content.length ?? 0) > 0
  const singleScanId = search.scanId.length === 1 ? search.scanId[0] : undefined
  return (
    <>
      {search.status.includes('ignored') && (
        <Link to="/ignored" className={getButtonClass({})}>
          {t`Reasons and dates`}
        </Link>
      )}
      {(canUndo || wasHistoryOpened) && (
        <Button
          onPress={() => {
            setIsHistoryOpen(true)
            setWasHistoryOpened(true)
          }}
        >{t`Undo bulk changes…`}</Button>
      )}
      <Button onPress={() => setIsUploadOpen(true)}>{t`Upload results…`}</Button>
      <IssueExport search={search} selection={everythingSelected} download={download}>
        {t`Export`}
      </IssueExport>
      {isHistoryOpen && (
        <Suspense fallback={null}>
          <BulkChangesDialog onClose={() => setIsHistoryOpen(false)} />
        </Suspense>
      )}
      {isUploadOpen && (
        <Suspense fallback={null}>
          <UploadDialog scanId={singleScanId} runNumber={search.run} onClose={() => setIsUploadOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Counts of the filtered issues. Results that need review are counted separately. */
function IssueCounts({ list, search }: { list: Omit<IssueList, 'content' | 'nextCursor'>; search: IssueSearch }) {
  const visibleSeverities = search.severity.length === 0 ? severityOptions : search.severity
  const severityCounts = list.severities
  const reviewCount = visibleSeverities.includes('needs review') ? severityCounts.needsReview : 0
  const issueCount = visibleSeverities.reduce(
    (sum, severity) => sum + (severity === 'needs review' ? 0 : severityCounts[severity]),
    0,
  )
  return (
    <p role="status">
      <ListSource scanIds={search.scanId} runNumber={search.run} />
      {search.status.join() === 'open' ? (
        <Plural value={issueCount} one="# open issue" other="# open issues" />
      ) : (
        <Plural value={issueCount} one="# issue" other="# issues" />
      )}
      {search.by === '' && search.grouped && reviewCount === 0 && list.page.totalElements < issueCount + reviewCount && (
        <>
          {' '}
          <Plural value={list.page.totalElements} one="on # element" other="on # elements" />
        </>
      )}
      {reviewCount > 0 && (
        <>
          {' · '}
          <Plural value={reviewCount} one="# needs review" other="# need review" />
        </>
      )}
    </p>
  )
}

type OpenIssueProps = { id: IssueId; search: IssueSearch; list: IssueList | undefined }

function OpenIssue({ id, search, list }: OpenIssueProps) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const navigateTo = issuesRoute.useNavigate()
  const openIssue = (issue: IssueId | undefined, page = search.page) =>
    navigateTo({ search: { ...search, page, issue }, resetScroll: false })
  // A prefetched page is still fresh; any change marks it stale.
  const loadPage = (page: number) =>
    queryClient.fetchQuery({ ...issueListQuery(apiClient, { ...search, page }), staleTime: 10_000 })
  const refetchPage = () => refetchAfterChanges(queryClient, issueListQuery(apiClient, search))
  const { neighborRows, navigation } = useRowNavigation({ id, list, search, openRow: openIssue, loadPage, refetchPage })
  const [nextRow, secondNextRow, previousRow] = neighborRows
  useEffect(() => {
    for (const neighbor of [nextRow, secondNextRow, previousRow])
      if (neighbor) prefetchIssue({ client: queryClient, api: apiClient }, neighbor, search.run)
  }, [queryClient, apiClient, nextRow, secondNextRow, previousRow, search.run])
  const prefetchNextPage = useEffectEvent(async () => {
    // If rows left this page, rows of the next page moved up; otherwise these are on the next page.
    if ((await refetchPage()) || !list || search.page >= list.page.totalPages) return
    const [firstOfNextPage] = (await loadPage(search.page + 1)).content
    if (firstOfNextPage) prefetchIssue({ client: queryClient, api: apiClient }, firstOfNextPage, search.run)
  })
  // Prefetch one row early for fast keyboard users.
  const isNearPageEnd = list !== undefined && secondNextRow === undefined
  useEffect(() => {
    // Navigation reports the failure when the user continues.
    if (isNearPageEnd) void prefetchNextPage().catch(() => undefined)
  }, [isNearPageEnd])
  return (
    <IssuePanel
      id={id}
      search={search}
      {...navigation}
      onClose={() => void openIssue(undefined).then(() => focusRow(`issue-${id}`))}
    />
  )
}
