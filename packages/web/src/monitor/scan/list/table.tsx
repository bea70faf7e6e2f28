import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { withDeferredTexts } from '../../../kit/text/deferred-texts.ts'
import layout from '../../../kit/page/layout.module.css'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useShowError } from '../../../kit/dialog/use-show-error.ts'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import type { ScanSearch } from '../model.ts'
import { useStableCallback } from '../../../kit/client/use-stable-callback.ts'
import { useScanActions } from '../queries.ts'
import { defaultColumnKeys, useScanColumns } from './columns.tsx'
import styles from './table.module.css'
import { useRowGroups } from './use-row-groups.ts'

const DeleteScanDialog = lazy(() =>
  withDeferredTexts(import('../parts/delete-dialog.tsx')).then((module) => ({ default: module.DeleteScanDialog })),
)

const BulkDialog = lazy(() =>
  withDeferredTexts(import('../bulk/dialog.tsx')).then((module) => ({ default: module.ScanBulkDialog })),
)

type ScanTableProps = {
  rows: readonly ScanSummary[]
  isBusy: boolean
  search: ScanSearch
  selectionState: SelectionState
  onChange: (next: Partial<ScanSearch>) => void
  /** Renders the end of the list with its tools. */
  renderPager: (tools: ReactNode) => ReactNode
}

/** Scans of one page of the list, in a single table or a table for each group. */
export function ScanTable({ rows, isBusy, search, selectionState, onChange, renderPager }: ScanTableProps) {
  const { t } = useLingui()
  const showToast = useToast()
  const [announcement, setAnnouncement] = useState('')
  const [scanToDelete, setScanToDelete] = useState<ScanSummary | null>(null)
  const [scanToTag, setScanToTag] = useState<ScanSummary | null>(null)
  const allColumns = useActionColumns(search, setAnnouncement, setScanToDelete, setScanToTag)
  const columnChoice = useColumnChoice('scans', allColumns, defaultColumnKeys)
  const rowGroups = useRowGroups(rows, search.group)
  const renderTable = (caption: string, tableRows: readonly ScanSummary[]) => (
    <DataTable
      caption={caption}
      columns={columnChoice.visibleColumns}
      rows={tableRows}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onChange({ sort: sort as ScanSearch['sort'] })}
      isBusy={isBusy}
      rowSelection={{
        isSelected: ({ id }) => selectionState.isSelected(id),
        getRowName: ({ name }) => name,
        onToggle: ({ id }) => selectionState.toggleRow(id),
        onTogglePage: (on) =>
          selectionState.togglePage(
            tableRows.map(({ id }) => id),
            on,
          ),
      }}
    />
  )
  return (
    <>
      <p role="status" className={layout.hidden}>
        {announcement}
      </p>
      {rowGroups === null
        ? renderTable(t`Scans`, rows)
        : rowGroups.map(({ name, scans }) => (
            <details key={name} open className={styles.group}>
              <summary>
                <h2>{name}</h2> <GroupFacts scans={scans} />
              </summary>
              {renderTable(t`Scans: ${name}`, scans)}
            </details>
          ))}
      {renderPager(<ColumnChoice columns={allColumns} chosenKeys={columnChoice.chosenKeys} onChoose={columnChoice.choose} />)}
      {scanToTag && (
        <Suspense fallback={null}>
          <BulkDialog
            kind="tags"
            body={{ selectAllMode: false, selectedScans: [scanToTag.id] }}
            onClose={() => setScanToTag(null)}
            onDone={() => {}}
          />
        </Suspense>
      )}
      {scanToDelete && (
        <Suspense fallback={null}>
          <DeleteScanDialog
            scan={scanToDelete}
            onClose={() => setScanToDelete(null)}
            onDeleted={() => {
              setScanToDelete(null)
              showToast('confirmation', t`Scan deleted: ${scanToDelete.name}`)
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function useActionColumns(
  search: ScanSearch,
  setAnnouncement: (text: string) => void,
  setScanToDelete: (scan: ScanSummary) => void,
  setScanToTag: (scan: ScanSummary) => void,
) {
  const { t } = useLingui()
  const navigateTo = useNavigate()
  const { favoriteMutation, startMutation, cancelMutation } = useScanActions()
  const showFavoriteError = useShowError(t`The favorites could not be changed.`)
  const showStartError = useShowError(t`Starting failed.`)
  const showCancelError = useShowError(t`Canceling failed.`)
  const onFavorite = useStableCallback(({ id, favorite: isFavorite }: ScanSummary) =>
    favoriteMutation.mutate({ id, status: !isFavorite }, { onError: showFavoriteError }),
  )
  const onStart = useStableCallback(({ id, name }: ScanSummary) =>
    startMutation.mutate(id, {
      onError: showStartError,
      onSuccess: () => setAnnouncement(t`Run started: ${name}`),
    }),
  )
  const onCancel = useStableCallback(({ id, name }: ScanSummary) =>
    cancelMutation.mutate(id, {
      onError: showCancelError,
      onSuccess: () => setAnnouncement(t`Run canceled: ${name}`),
    }),
  )
  const onEdit = useStableCallback(
    ({ id }: ScanSummary) => void navigateTo({ to: '/scans/$scanId/edit', params: { scanId: id } }),
  )
  const onDuplicate = useStableCallback(({ id }: ScanSummary) => void navigateTo({ to: '/scans/new', search: { from: id } }))
  const rowActions = useMemo(
    () => ({ onFavorite, onStart, onCancel, onEdit, onDuplicate, onTags: setScanToTag, onDelete: setScanToDelete }),
    [onFavorite, onStart, onCancel, onEdit, onDuplicate, setScanToTag, setScanToDelete],
  )
  return useScanColumns(search.by, rowActions)
}

/** Number of the group's scans on this page and their average score. */
function GroupFacts({ scans }: { scans: readonly ScanSummary[] }) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const knownScores = scans.flatMap(({ score }) => (score === null ? [] : [score]))
  const meanScore = knownScores.reduce((sum, score) => sum + score, 0) / Math.max(1, knownScores.length)
  const formattedMean = formatNumber(toScorePoints(meanScore))
  return (
    <span className={`${layout.muted} ${layout.sm}`}>
      <Plural value={scans.length} one="# scan" other="# scans" />
      {knownScores.length > 0 && <>, {t`average score ${formattedMean}`}</>}
    </span>
  )
}
