import { Plural, useLingui } from '@lingui/react/macro'
import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { Button, getButtonClass } from '../../../kit/control/button.tsx'
import { Icon } from '../../../kit/control/icon.tsx'
import layout from '../../../kit/page/layout.module.css'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { PageHead } from '../../../kit/page/head.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { DefaultViewGone } from '../../view/parts/default-gone.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { ScanSearch, scanSearchDefaults } from '../model.ts'
import { DraftNotice } from '../list/draft-notice.tsx'
import { FirstScan } from '../list/first-scan.tsx'
import { RunningNow } from '../list/running-now.tsx'
import { ScanBulk } from '../bulk/bar.tsx'
import { exportScans, selectedScans } from '../bulk/queries.ts'
import { ScanFilters } from '../list/filters.tsx'
import { ScanTable } from '../list/table.tsx'
import { scanListQuery, useScanActions } from '../queries.ts'

const route = getRouteApi('/scans')

/** /scans: every scan that the reader may see. */
export function ScanListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config, deps, permissions } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const open = (query: ViewQuery<'scans'>, saved: ViewId | undefined, replace = false) =>
    void navigate({ search: z.parse(ScanSearch, { ...query, saved, size: search.size }), replace })
  const defaults = scanSearchDefaults
  const onOpen = (query: ViewQuery<'scans'>, saved: ViewId) => open(query, saved, true)
  const isOpening = useDefaultView({ screen: 'scans', search, defaults, onOpen })
  const list = useQuery({ ...scanListQuery(api, search), enabled: !isOpening })
  useLastPage(list.data?.page, (page) => void navigate({ search: { ...search, page }, replace: true }))
  const total = list.data?.page.totalElements
  const change = (next: Partial<ScanSearch>) => void navigate({ search: { ...search, page: 1, ...next } })
  const unfiltered = search.q === '' && search.show === 'all' && search.tag === ''
  const { cancel } = useScanActions()
  const download = useDownload(deps)
  const selected = useSelection(JSON.stringify([search.q, search.show, search.tag]))
  return (
    <>
      <PageHead
        title={t`Scans`}
        productName={config.productName}
        facts={!!total && <Plural value={total} one="# scan" other="# scans" />}
        actions={
          <>
            {!!total && !permissions.isGuest && (
              <Button
                onPress={() => exportScans(download, selectedScans(search, everythingSelected))}
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
      <DownloadStatus download={download} />
      <DefaultViewGone screen="scans" />
      <DraftNotice />
      {total === 0 && unfiltered ? (
        <FirstScan />
      ) : (
        <>
          <RunningNow onCancel={(scan) => cancel.mutate(scan.id)} />
          <ScanFilters
            search={search}
            onChange={change}
            views={<SavedViews screen="scans" search={search} defaults={defaults} onOpen={open} />}
          />
          <QueryState
            query={list}
            loadingLabel={t`Loading scans`}
            failureTitle={t`The scans could not be loaded.`}
            fillsScreen
          />
          {total === 0 && <NothingFound search={search} onChange={change} />}
          {list.data && total !== 0 && (
            <div className={layout.card}>
              <ScanTable
                rows={list.data.content}
                busy={list.isPlaceholderData}
                search={search}
                selected={selected}
                onChange={change}
              />
              <Pager
                label={t`Pages of the scan list`}
                page={list.data.page}
                onPage={(page) => change({ page })}
                onSize={(size) => change({ size })}
              />
            </div>
          )}
          {!!total && !permissions.isGuest && <ScanBulk search={search} selected={selected} total={total} />}
        </>
      )}
    </>
  )
}

function NothingFound({
  search,
  onChange,
}: {
  search: ScanSearch
  onChange: (next: Partial<ScanSearch>) => void
}) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`No scan matches`}
        action={
          <>
            {search.q && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ q: '' })}>
                {t`Remove the search “${search.q}”`}
              </button>
            )}
            {search.tag && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ tag: '' })}>
                {t`Scans with any tag`}
              </button>
            )}
            {search.show !== 'all' && (
              <button type="button" className={getButtonClass()} onClick={() => onChange({ show: 'all' })}>
                {t`Show all scans`}
              </button>
            )}
          </>
        }
      >
        <p>{t`No scans match these filters.`}</p>
      </EmptyState>
    </div>
  )
}
