import { Plural, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import styles from './bulk-bar.module.css'
import { useFormats } from '../text/format.ts'
import type { SelectionState } from './use-selection.ts'

type Props = {
  selected: SelectionState
  /** Everything that the filters match. */
  total: number
  /** What can be done with what is ticked. */
  children: ReactNode
}

/** What can be done with the ticked rows; there as soon as one is. Appearing never moves the focus. */
export function BulkBar({ selected, total, children }: Props) {
  const { t } = useLingui()
  const { number } = useFormats()
  const { selection, selectAll, clear } = selected
  const count = selected.count(total)
  const all = number(total)
  const except = number(selection.ids.size)
  const isWhole = selection.all && selection.ids.size === 0
  return (
    <div role="region" aria-label={t`What is selected`} className={count > 0 ? styles.bar : ''}>
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
