import { Plural, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../control/button.tsx'
import styles from './bulk-bar.module.css'
import { useFormats } from '../text/format.ts'
import type { SelectionState } from './use-selection.ts'

type Props = {
  selected: SelectionState
  /** Everything that the filters match. */
  total: number
  /** Where rows are groups: what is in the ticked ones. */
  groups?: ReactNode
  /** What can be done with what is ticked. */
  children: ReactNode
}

/** What can be done with the ticked rows; there as soon as one is. Appearing never moves the focus. */
export function BulkBar({ selected, total, groups, children }: Props) {
  const { t } = useLingui()
  const { number } = useFormats()
  const { selection, selectAll, clear } = selected
  const count = selected.count(total)
  const all = number(total)
  const except = number(selection.ids.size)
  const isWhole = selection.all && selection.ids.size === 0
  const region = useKeptFocus(count === 0)
  return (
    <div
      ref={region}
      role="region"
      tabIndex={-1}
      aria-label={t`What is selected`}
      className={count > 0 ? styles.bar : styles.empty}
    >
      <p role="status" className={styles.count}>
        {count > 0 &&
          (selection.all ? (
            isWhole ? (
              t`All ${all} selected`
            ) : (
              t`All ${all} selected except ${except}`
            )
          ) : (
            <Plural value={count} one="# selected" other="# selected" />
          ))}
        {count > 0 && groups !== undefined && <> ({groups})</>}
      </p>
      {count > 0 && (
        <div className={styles.actions}>
          {!isWhole && count < total && <Button small onPress={selectAll}>{t`Select all ${all}`}</Button>}
          {children}
          <Button small kind="quiet" icon="close" onPress={clear}>{t`Clear selection`}</Button>
        </div>
      )}
    </div>
  )
}

/** The actions go with the last tick; the focus that one of them had stays at their place. */
function useKeptFocus(isEmpty: boolean) {
  const region = useRef<HTMLDivElement>(null)
  const before = useRef(isEmpty)
  useEffect(() => {
    if (isEmpty && !before.current && document.activeElement === document.body) region.current?.focus()
    before.current = isEmpty
  }, [isEmpty])
  return region
}
