import { Plural, useLingui } from '@lingui/react/macro'
import type { PageId, ViewId } from '@clearway/contract/kit/id.ts'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import type { ViewQuery } from '@clearway/contract/monitor/view/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { ListWithDetail } from '../../../kit/page/detail-panel.tsx'
import { DownloadStatus } from '../../../kit/client/download-status.tsx'
import { PageHead } from '../../../kit/page/head.tsx'
import { Pager, useLastPage } from '../../../kit/list/pager.tsx'
import { focusRow, useRowNavigation } from '../../../kit/list/use-row-walk.ts'
import { EmptyState, QueryState } from '../../../kit/page/states.tsx'
import { useDownload } from '../../../kit/client/use-download.ts'
import { everythingSelected, useSelection } from '../../../kit/table/use-selection.ts'
import { useSession } from '../../user/model.ts'
import { useActive } from '../../user/parts/use-active.ts'
import { DefaultViewGone } from '../../view/parts/default-gone.tsx'
import { SavedViews } from '../../view/parts/saved-views.tsx'
import { useDefaultView } from '../../view/parts/use-default-view.ts'
import { PageSearch, pageSearchDefaults } from '../model.ts'
import { PageBulk, PageExport } from '../list/bulk.tsx'
import { PageFilters } from '../list/filters.tsx'
import { GonePages } from '../list/gone.tsx'
import { PagePanel } from '../panel/panel.tsx'
import type { Row } from '../list/table.tsx'
import { PageTable, RunNotices, usePageColumns, usualColumns } from '../list/table.tsx'
import { pageListQuery, bulkBody } from '../queries.ts'
import * as z from 'zod/mini'
import layout from '../../../kit/page/layout.module.css'

const route = getRouteApi('/pages')

/** /pages: the pages of every scan that the reader may see, and the open one beside them. */
export function PageListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config, deps, permissions } = useSession()
  const search = route.useSearch()
  useActive(search)
  const navigate = route.useNavigate()
  const open = (query: ViewQuery<'pages'>, saved: ViewId | undefined, replace = false) =>
    void navigate({ search: z.parse(PageSearch, { ...query, saved, size: search.size }), replace })
  const defaults = pageSearchDefaults
  const onOpen = (query: ViewQuery<'pages'>, saved: ViewId) => open(query, saved, true)
  const isOpening = useDefaultView({ screen: 'pages', search, defaults, onOpen })
  const list = useQuery({ ...pageListQuery(api, search), enabled: !isOpening })
  useLastPage(list.data?.page, (page) => void navigate({ search: { ...search, page }, replace: true }))
  const change = (next: Partial<PageSearch>) =>
    void navigate({ search: { ...search, page: 1, view: undefined, ...next }, resetScroll: false })
  const total = list.data?.page.totalElements
  const selected = useSelection(JSON.stringify(bulkBody(search, everythingSelected)))
  const download = useDownload(deps)
  const only = search.scanId.length === 1 ? list.data?.content[0] : undefined
  const columns = usePageColumns(search)[search.tab]
  const choice = useColumnChoice(`pages.${search.tab}`, columns, usualColumns[search.tab])
  return (
    <>
      <PageHead
        title={t`Pages`}
        productName={config.productName}
        facts={
          total !== undefined && (
            <p role="status">
              <Plural value={total} one="# page" other="# pages" />
            </p>
          )
        }
        actions={
          !permissions.isGuest && (
            <PageExport search={search} selection={everythingSelected} download={download}>
              {t`Export`}
            </PageExport>
          )
        }
      />
      <DownloadStatus download={download} />
      <DefaultViewGone screen="pages" />
      <ListWithDetail
        list={
          <>
            <PageFilters
              search={search}
              onChange={change}
              views={<SavedViews screen="pages" search={search} defaults={defaults} onOpen={open} />}
            />
            <QueryState
              query={list}
              loadingLabel={t`Loading pages`}
              failureTitle={t`The pages could not be loaded.`}
              fillsScreen
            />
            {total === 0 && <NothingFound search={search} onChange={change} />}
            {list.data && <RunNotices rows={list.data.content} />}
            {list.data && total !== 0 && (
              <div className={layout.card}>
                <div className={layout.tools}>
                  {only?.change && search.tab === 'completed' && (
                    <GonePages scanId={only.scanId} run={only.runNumber} />
                  )}
                  <ColumnChoice columns={columns} chosenKeys={choice.chosen} onChoose={choice.choose} />
                </div>
                <PageTable
                  rows={list.data.content}
                  columns={choice.shown}
                  search={search}
                  busy={list.isPlaceholderData}
                  onSort={(sort) => change({ sort })}
                  selected={permissions.isGuest ? null : selected}
                />
                <Pager
                  label={t`Pages of the pages list`}
                  page={list.data.page}
                  onPage={(page) => change({ page })}
                  onSize={(size) => change({ size })}
                />
              </div>
            )}
            {!permissions.isGuest && (
              <PageBulk search={search} selected={selected} total={total ?? 0} download={download} />
            )}
          </>
        }
        detail={search.view && <OpenPage id={search.view} search={search} list={list.data} />}
      />
    </>
  )
}

type OpenProps = { id: PageId; search: PageSearch; list: PageOf<Row> | undefined }

function OpenPage({ id, search, list }: OpenProps) {
  const { api } = useSession()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const open = (view: PageId | undefined, page = search.page) =>
    navigate({ search: { ...search, page, view }, resetScroll: false })
  const load = (page: number) => client.fetchQuery(pageListQuery(api, { ...search, page }))
  const { navigation: walk } = useRowNavigation({ id, list, search, openRow: open, loadPage: load })
  return (
    <PagePanel id={id} {...walk} onClose={() => void open(undefined).then(() => focusRow(`page-${id}`))} />
  )
}

function NothingFound({
  search,
  onChange,
}: {
  search: PageSearch
  onChange: (next: Partial<PageSearch>) => void
}) {
  const { t } = useLingui()
  const { q, health, failure, exclusion, source } = search
  const filtered = q !== '' || [health, failure, exclusion, source].some((list) => list.length > 0)
  const titles = {
    completed: t`No tested pages`,
    failed: t`No failed pages`,
    excluded: t`No excluded URLs`,
  }
  return (
    <div className={layout.card}>
      <EmptyState
        title={filtered ? t`No page matches` : titles[search.tab]}
        action={
          <>
            {search.q && (
              <Button onPress={() => onChange({ q: '' })}>{t`Remove the search “${search.q}”`}</Button>
            )}
            {filtered && (
              <Button
                onPress={() => onChange({ q: '', health: [], failure: [], exclusion: [], source: [] })}
              >{t`Clear all`}</Button>
            )}
          </>
        }
      >
        <p>
          {filtered
            ? t`No pages match these filters.`
            : t`Pages appear here as soon as a run has discovered them.`}
        </p>
      </EmptyState>
    </div>
  )
}
