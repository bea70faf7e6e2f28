import { Plural, useLingui } from '@lingui/react/macro'
import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy } from 'react'
import * as z from 'zod/mini'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import { DeferredContent } from '../../../kit/page/deferred-content.tsx'
import { OptionalPart } from '../../../kit/page/optional-part.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { QueryState, Skeleton } from '../../../kit/page/states.tsx'
import { useBulkPart } from '../../../kit/table/use-bulk-part.ts'
import { everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { MissingDefaultView } from '../../view/parts/missing-default-view.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { ScanSearch, scanSearchDefaults } from '../model.ts'
import { DraftNotice } from '../list/draft-notice.tsx'
import { RunningNow } from '../list/running-now.tsx'
import { exportScans, toSelectionBody } from '../list/selection.ts'
import { ScanFilters } from '../list/filters.tsx'
import { ScanTable } from '../list/table.tsx'
import { scanListQuery, useScanActions } from '../queries.ts'

// Shown once, before the first scan.
const FirstScan = lazy(() =>
  withDeferredTexts(import('../list/first-scan.tsx')).then((module) => ({ default: module.FirstScan })),
)

const EmptyScanList = lazy(() => import('../list/empty-list.tsx').then((module) => ({ default: module.EmptyScanList })))

// Usable only after rows have been selected.
const ScanBulk = lazy(() => withDeferredTexts(import('../bulk/bar.tsx')).then((module) => ({ default: module.ScanBulk })))

const scansRoute = getRouteApi('/scans')

export function ScanListPage(): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig, deps, permissions } = useSession()
  const scanSearch = scansRoute.useSearch()
  const navigateTo = scansRoute.useNavigate()
  const openView = (query: ViewQuery<'scans'>, viewId: ViewId | undefined, shouldReplace = false) =>
    void navigateTo({ search: z.parse(ScanSearch, { ...query, saved: viewId, size: scanSearch.size }), replace: shouldReplace })
  const defaultSearch = scanSearchDefaults
  const openDefaultView = (query: ViewQuery<'scans'>, saved: ViewId) => openView(query, saved, true)
  const isOpening = useDefaultView({ screen: 'scans', search: scanSearch, defaults: defaultSearch, onOpen: openDefaultView })
  const scanList = useQuery({ ...scanListQuery(apiClient, scanSearch), enabled: !isOpening })
  useLastPage(scanList.data?.page, (page) => void navigateTo({ search: { ...scanSearch, page }, replace: true }))
  const totalCount = scanList.data?.page.totalElements
  const changeSearch = (changes: Partial<ScanSearch>) => void navigateTo({ search: { ...scanSearch, page: 1, ...changes } })
  const isUnfiltered = scanSearch.q === '' && scanSearch.show === 'all' && scanSearch.tag === ''
  const { cancelMutation } = useScanActions()
  const showCancelError = useShowError(t`Canceling failed.`)
  const exportDownload = useDownload(deps)
  const selectionState = useSelection(JSON.stringify([scanSearch.q, scanSearch.show, scanSearch.tag]))
  const bulkPart = useBulkPart(selectionState)
  return (
    <>
      <PageHead
        title={t`Scans`}
        productName={appConfig.productName}
        facts={!!totalCount && <Plural value={totalCount} one="# scan" other="# scans" />}
        actions={
          <>
            {!!totalCount && !permissions.isGuest && (
              <Button
                onPress={() => exportScans(exportDownload, toSelectionBody(scanSearch, everythingSelected))}
              >{t`Export as CSV`}</Button>
            )}
            {permissions.canCreateScans && (
              <Link to="/scans/new" className={getButtonClass({ kind: 'primary' })}>
                <Icon name="plus" />
                {t`New scan`}
              </Link>
            )}
          </>
        }
      />
      <DownloadStatus download={exportDownload} />
      <MissingDefaultView screen="scans" />
      <DraftNotice />
      {totalCount === 0 && isUnfiltered ? (
        <Suspense fallback={null}>
          <FirstScan />
        </Suspense>
      ) : (
        <>
          <RunningNow onCancel={(scan) => cancelMutation.mutate(scan.id, { onError: showCancelError })} />
          <ScanFilters
            search={scanSearch}
            onChange={changeSearch}
            views={<SavedViews screen="scans" search={scanSearch} defaults={defaultSearch} onOpen={openView} />}
          />
          <QueryState
            query={scanList}
            loadingLabel={t`Loading scans`}
            failureTitle={t`The scans could not be loaded.`}
            fillsScreen
          />
          {totalCount === 0 && (
            <Suspense fallback={null}>
              <EmptyScanList search={scanSearch} onChange={changeSearch} />
            </Suspense>
          )}
          {scanList.data && totalCount !== 0 && (
            <DeferredContent placeholder={<Skeleton fillsScreen label={t`Loading scans`} />}>
              <div className={layout.card} {...bulkPart.listHandlers}>
                <ScanTable
                  rows={scanList.data.content}
                  isBusy={scanList.isPlaceholderData}
                  search={scanSearch}
                  selectionState={selectionState}
                  onChange={changeSearch}
                  renderPager={(tools) => (
                    <Pager
                      label={t`Pages of the scan list`}
                      page={scanList.data.page}
                      onPage={(page) => changeSearch({ page })}
                      onSize={(size) => changeSearch({ size })}
                      tools={tools}
                    />
                  )}
                />
              </div>
            </DeferredContent>
          )}
          {!!totalCount && !permissions.isGuest && bulkPart.isShown && (
            <OptionalPart isNeeded={bulkPart.isNeeded}>
              <ScanBulk search={scanSearch} selectionState={selectionState} totalCount={totalCount} />
            </OptionalPart>
          )}
        </>
      )}
    </>
  )
}
