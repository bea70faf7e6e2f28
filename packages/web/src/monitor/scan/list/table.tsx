import { Plural, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useMemo, useState } from 'react'
import { ColumnChoice, useColumnChoice } from '../../../kit/table/column-choice.tsx'
import { DataTable } from '../../../kit/table/table.tsx'
import { toScorePoints, useFormats } from '../../../kit/text/format.ts'
import { withDeferredTexts } from '../../../kit/text/later-texts.ts'
import layout from '../../../kit/page/layout.module.css'
import { getProblemMessage } from '../../../kit/client/problem-text.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { SelectionState } from '../../../kit/table/use-selection.ts'
import type { ScanSearch } from '../model.ts'
import { useStableCallback } from '../../../kit/client/use-latest.ts'
import { useScanActions } from '../queries.ts'
import { usualColumns, useScanColumns } from './columns.tsx'
import styles from './table.module.css'
import { useRowGroups } from './use-row-groups.ts'

const DeleteScanDialog = lazy(() =>
  withDeferredTexts(import('../parts/delete-dialog.tsx')).then((m) => ({ default: m.DeleteScanDialog })),
)

const BulkDialog = lazy(() =>
  withDeferredTexts(import('../bulk/dialog.tsx')).then((m) => ({ default: m.ScanBulkDialog })),
)

type Props = {
  rows: readonly ScanSummary[]
  busy: boolean
  search: ScanSearch
  selected: SelectionState
  onChange: (next: Partial<ScanSearch>) => void
}

/** The scans of one page of the list, in one table or in one for each group. */
export function ScanTable({ rows, busy, search, selected, onChange }: Props) {
  const { t } = useLingui()
  const toast = useToast()
  const [said, setSaid] = useState('')
  const [deleting, setDeleting] = useState<ScanSummary | null>(null)
  const [tagging, setTagging] = useState<ScanSummary | null>(null)
  const columns = useColumns(search, setSaid, setDeleting, setTagging)
  const choice = useColumnChoice('scans', columns, usualColumns)
  const groups = useRowGroups(rows, search.group)
  const table = (caption: string, some: readonly ScanSummary[]) => (
    <DataTable
      caption={caption}
      columns={choice.shown}
      rows={some}
      rowKey={({ id }) => id}
      sort={search.sort}
      onSort={(sort) => onChange({ sort: sort as ScanSearch['sort'] })}
      isBusy={busy}
      rowSelection={{
        isSelected: ({ id }) => selected.isSelected(id),
        getRowName: ({ name }) => name,
        onToggle: ({ id }) => selected.toggleRow(id),
        onTogglePage: (on) =>
          selected.togglePage(
            some.map(({ id }) => id),
            on,
          ),
      }}
    />
  )
  return (
    <>
      <p role="status" className={layout.hidden}>
        {said}
      </p>
      <div className={layout.tools}>
        <ColumnChoice columns={columns} chosenKeys={choice.chosen} onChoose={choice.choose} />
      </div>
      {groups === null
        ? table(t`Scans`, rows)
        : groups.map(({ name, scans }) => (
            <details key={name} open className={styles.group}>
              <summary>
                <h2>{name}</h2> <GroupFacts scans={scans} />
              </summary>
              {table(t`Scans: ${name}`, scans)}
            </details>
          ))}
      {tagging && (
        <Suspense fallback={null}>
          <BulkDialog
            kind="tags"
            body={{ selectAllMode: false, selectedScans: [tagging.id] }}
            onClose={() => setTagging(null)}
            onDone={() => {}}
          />
        </Suspense>
      )}
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

function useColumns(
  search: ScanSearch,
  setSaid: (words: string) => void,
  setDeleting: (scan: ScanSummary) => void,
  setTagging: (scan: ScanSummary) => void,
) {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { favorite, start, cancel } = useScanActions()
  const onError = (error: unknown) => toast('error', t(getProblemMessage(error)))
  const onFavorite = useStableCallback(({ id, favorite: is }: ScanSummary) =>
    favorite.mutate({ id, status: !is }, { onError }),
  )
  const onStart = useStableCallback(({ id, name }: ScanSummary) =>
    start.mutate(id, { onError, onSuccess: () => setSaid(t`Run started: ${name}`) }),
  )
  const onCancel = useStableCallback(({ id, name }: ScanSummary) =>
    cancel.mutate(id, { onError, onSuccess: () => setSaid(t`Run canceled: ${name}`) }),
  )
  const onEdit = useStableCallback(
    ({ id }: ScanSummary) => void navigate({ to: '/scans/$scanId/edit', params: { scanId: id } }),
  )
  const onDuplicate = useStableCallback(
    ({ id }: ScanSummary) => void navigate({ to: '/scans/new', search: { from: id } }),
  )
  const actions = useMemo(
    () => ({ onFavorite, onStart, onCancel, onEdit, onDuplicate, onTags: setTagging, onDelete: setDeleting }),
    [onFavorite, onStart, onCancel, onEdit, onDuplicate, setTagging, setDeleting],
  )
  return useScanColumns(search.by, actions)
}

/** How many scans of a group stand on this page of the list, and their average. */
function GroupFacts({ scans }: { scans: readonly ScanSummary[] }) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const scores = scans.flatMap(({ score }) => (score === null ? [] : [score]))
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
  const points = number(toScorePoints(mean))
  return (
    <span className={`${layout.muted} ${layout.sm}`}>
      <Plural value={scans.length} one="# scan" other="# scans" />
      {scores.length > 0 && <>, {t`average score ${points}`}</>}
    </span>
  )
}
