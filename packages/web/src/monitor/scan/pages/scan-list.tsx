import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../../kit/button.tsx'
import { DataTable } from '../../../kit/data-table.tsx'
import { Icon } from '../../../kit/icon.tsx'
import layout from '../../../kit/layout.module.css'
import { PageHead } from '../../../kit/page-head.tsx'
import { Pager, useLastPage } from '../../../kit/pager.tsx'
import { problemText } from '../../../kit/problem-text.ts'
import { EmptyState, ErrorCard, Skeleton } from '../../../kit/states.tsx'
import { useToast } from '../../../kit/toast.tsx'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'
import { DraftNotice } from '../parts/draft-notice.tsx'
import { FirstScan } from '../parts/first-scan.tsx'
import { RunningNow } from '../parts/running-now.tsx'
import { useScanColumns } from '../parts/scan-columns.tsx'
import { ScanFilters } from '../parts/scan-filters.tsx'
import { scanListQuery, useScanActions } from '../queries.ts'

const route = getRouteApi('/scans')
const DeleteScanDialog = lazy(() =>
  import('../parts/delete-scan-dialog.tsx').then((m) => ({ default: m.DeleteScanDialog })),
)

/** /scans: every scan that the reader may see. */
export function ScanListPage(): ReactNode {
  const { t } = useLingui()
  const { api, config, permissions } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const list = useQuery(scanListQuery(api, search))
  useLastPage(list.data?.page, (page) => void navigate({ search: { ...search, page }, replace: true }))
  const total = list.data?.page.totalElements
  const change = (next: Partial<ScanSearch>) => void navigate({ search: { ...search, page: 1, ...next } })
  const unfiltered = search.q === '' && search.show === 'all'
  const { cancel } = useScanActions()
  return (
    <>
      <PageHead
        title={t`Scans`}
        productName={config.productName}
        facts={!!total && <Plural value={total} one="# scan" other="# scans" />}
        actions={
          permissions.canCreateScans && (
            <Link to="/scans/new" className={buttonClass({ kind: 'primary' })}>
              <Icon name="plus" />
              {t`New scan`}
            </Link>
          )
        }
      />
      <DraftNotice />
      {total === 0 && unfiltered ? (
        <FirstScan />
      ) : (
        <>
          <RunningNow onCancel={(scan) => cancel.mutate(scan.id)} />
          <ScanFilters search={search} onChange={change} />
          {list.isError && (
            <ErrorCard
              title={t`The scans could not be loaded.`}
              error={list.error}
              onRetry={() => void list.refetch()}
            />
          )}
          {list.isPending && <Skeleton label={t`Loading scans`} />}
          {total === 0 && <NothingFound search={search} onChange={change} />}
          {list.data && total !== 0 && (
            <div className={layout.card}>
              <ScanTable
                rows={list.data.content}
                busy={list.isPlaceholderData}
                search={search}
                onChange={change}
              />
              <Pager
                label={t`Pages of the scan list`}
                page={list.data.page}
                onPage={(page) => change({ page })}
                onSize={(size) => change({ size: size as ScanSearch['size'] })}
              />
            </div>
          )}
        </>
      )}
    </>
  )
}

type TableProps = {
  rows: readonly ScanSummary[]
  busy: boolean
  search: ScanSearch
  onChange: (next: Partial<ScanSearch>) => void
}

function ScanTable({ rows, busy, search, onChange }: TableProps) {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = route.useNavigate()
  const { favorite, start, cancel } = useScanActions()
  const [said, setSaid] = useState('')
  const [deleting, setDeleting] = useState<ScanSummary | null>(null)
  const onError = (error: unknown) => toast('error', t(problemText(error)))
  const columns = useScanColumns({
    onFavorite: ({ id, favorite: is }) => favorite.mutate({ id, status: !is }, { onError }),
    onStart: ({ id, name }) =>
      start.mutate(id, { onError, onSuccess: () => setSaid(t`Run started: ${name}`) }),
    onCancel: ({ id, name }) =>
      cancel.mutate(id, { onError, onSuccess: () => setSaid(t`Run cancelled: ${name}`) }),
    onEdit: ({ id }) => void navigate({ to: '/scans/$scanId/edit', params: { scanId: id } }),
    onDelete: setDeleting,
  })
  return (
    <>
      <p role="status" className={layout.hidden}>
        {said}
      </p>
      <DataTable
        caption={t`Scans`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        sort={search.sort}
        onSort={(sort) => onChange({ sort: sort as ScanSearch['sort'] })}
        busy={busy}
      />
      {deleting && (
        <Suspense fallback={null}>
          <DeleteScanDialog
            scan={deleting}
            onClose={() => setDeleting(null)}
            onDeleted={() => {
              setDeleting(null)
              toast('confirmation', t`Scan deleted: ${deleting.name}`)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function NothingFound({ search, onChange }: Pick<TableProps, 'search' | 'onChange'>) {
  const { t } = useLingui()
  return (
    <div className={layout.card}>
      <EmptyState
        title={t`No scan matches`}
        action={
          <>
            {search.q && (
              <button type="button" className={buttonClass()} onClick={() => onChange({ q: '' })}>
                {t`Remove the search “${search.q}”`}
              </button>
            )}
            {search.show !== 'all' && (
              <button type="button" className={buttonClass()} onClick={() => onChange({ show: 'all' })}>
                {t`Show all scans`}
              </button>
            )}
          </>
        }
      >
        <p>{t`No scan fits what is set above the list.`}</p>
      </EmptyState>
    </div>
  )
}
