import { useLingui } from '@lingui/react/macro'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { CheckField } from '../form/field.tsx'

type Props = {
  columns: readonly { key: string; head: string }[]
  chosen: readonly string[]
  onToggle: (key: string, ticked: boolean) => void
  onClose: () => void
}

/** Chooses the columns of a list; each is shown or gone at once. */
export function ColumnDialog({ columns, chosen, onToggle, onClose }: Props) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Columns`} onClose={onClose}>
      <div>
        {columns.map(({ key, head }) => (
          <CheckField key={key} label={head}>
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
