import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import styles from './chips.module.css'

export type FilterChip = { key: string; label: string; onRemove: () => void }

export function FilterChips({ chips, onClear }: { chips: readonly FilterChip[]; onClear: () => void }) {
  const { t } = useLingui()
  if (chips.length === 0) return null
  return (
    <>
      {chips.map(({ key, label, onRemove }) => (
        <span key={key} className={styles.chip}>
          {label}
          <button type="button" aria-label={t`Remove filter: ${label}`} onClick={onRemove}>
            <Icon name="close" />
          </button>
        </span>
      ))}
      <Button kind="quiet" small onPress={onClear}>{t`Clear all`}</Button>
    </>
  )
}
