import { Plural, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { Select } from '../../kit/form/select.tsx'
import { Button } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import field from '../../kit/form/field.module.css'
import { useFormats } from '../../kit/text/format.ts'

const minuteOptions = [5, 10, 15, 30, 60]

type SessionExpiryDialogProps = { secondsLeft: number; onExtend: (minutes: number) => void; onCancel: () => void }

/** Asks to extend the session. The provider decides the actual duration; the selection is only a request. */
export function SessionExpiryDialog({ secondsLeft, onExtend, onCancel }: SessionExpiryDialogProps) {
  const { t } = useLingui()
  const { formatDuration } = useFormats()
  const [selectedMinutes, setSelectedMinutes] = useState(5)
  const selectId = useId()
  return (
    <Dialog alert title={t`Your session ends soon`} onClose={onCancel}>
      <p>
        <Plural value={secondsLeft} one="You will be logged out in # second." other="You will be logged out in # seconds." />
      </p>
      <div>
        <label htmlFor={selectId}>{t`Extend by`}</label>
        <Select
          id={selectId}
          className={field.control}
          value={selectedMinutes}
          options={minuteOptions.map((choice) => [choice, formatDuration(choice * 60_000)])}
          onChange={setSelectedMinutes}
        />
      </div>
      <DialogActions>
        <Button onPress={onCancel}>{t`Cancel`}</Button>
        <Button kind="primary" autoFocus onPress={() => onExtend(selectedMinutes)}>{t`Continue`}</Button>
      </DialogActions>
    </Dialog>
  )
}
