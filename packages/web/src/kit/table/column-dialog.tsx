import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { CheckField } from '../form/field.tsx'

type ColumnDialogProps = {
  columns: readonly { key: string; heading: string }[]
  chosen: readonly string[]
  onToggle: (key: string, isVisible: boolean) => void
  onClose: () => void
}

/** Selects the visible columns of a list. Changes apply immediately. */
export function ColumnDialog({ columns, chosen, onToggle, onClose }: ColumnDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Columns`} onClose={onClose}>
      <div>
        {columns.map(({ key, heading }) => (
          <CheckField key={key} label={heading}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={chosen.includes(key)}
                onChange={({ target }) => onToggle(key, target.checked)}
              />
            )}
          </CheckField>
        ))}
      </div>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}
