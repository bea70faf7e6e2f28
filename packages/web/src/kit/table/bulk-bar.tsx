import { Plural, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../control/button.tsx'
import styles from './bulk-bar.module.css'
import { useFormats } from '../text/format.ts'
import type { SelectionState } from './use-selection.ts'

type BulkBarProps = {
  selectionState: SelectionState
  /** Number of rows that match the filters. */
  total: number
  /** If rows are groups: the content of the selected groups. */
  groups?: ReactNode
  children: ReactNode
}

/** Actions on the selected rows; visible while any row is selected. Its appearance never moves the focus. */
export function BulkBar({ selectionState, total, groups, children }: BulkBarProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const { selection, selectAll, clearSelection } = selectionState
  const selectedCount = selectionState.countSelected(total)
  const formattedTotal = formatNumber(total)
  const formattedExcluded = formatNumber(selection.ids.size)
  const isEverythingSelected = selection.all && selection.ids.size === 0
  const regionRef = useRetainedFocus(selectedCount === 0)
  return (
    <div
      ref={regionRef}
      role="region"
      tabIndex={-1}
      aria-label={t`What is selected`}
      className={selectedCount > 0 ? styles.bar : styles.empty}
    >
      <p role="status" className={styles.count}>
        {selectedCount > 0 &&
          (selection.all ? (
            isEverythingSelected ? (
              t`All ${formattedTotal} selected`
            ) : (
              t`All ${formattedTotal} selected except ${formattedExcluded}`
            )
          ) : (
            <Plural value={selectedCount} one="# selected" other="# selected" />
          ))}
        {selectedCount > 0 && groups !== undefined && <> ({groups})</>}
      </p>
      {selectedCount > 0 && (
        <div className={styles.actions}>
          {!isEverythingSelected && selectedCount < total && (
            <Button small onPress={selectAll}>{t`Select all ${formattedTotal}`}</Button>
          )}
          {children}
          <Button small kind="quiet" icon="close" onPress={clearSelection}>{t`Clear selection`}</Button>
        </div>
      )}
    </div>
  )
}

/** Clearing the selection removes the actions. If one of them had the focus, it moves to their region. */
function useRetainedFocus(isEmpty: boolean) {
  const regionRef = useRef<HTMLDivElement>(null)
  const wasEmptyRef = useRef(isEmpty)
  useEffect(() => {
    if (isEmpty && !wasEmptyRef.current && document.activeElement === document.body) regionRef.current?.focus()
    wasEmptyRef.current = isEmpty
  }, [isEmpty])
  return regionRef
}
