import { Plural, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { Select } from '../../kit/form/select.tsx'
import { Button } from '../../kit/control/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog/dialog.tsx'
import field from '../../kit/form/field.module.css'
import { useFormats } from '../../kit/text/format.ts'

const choices = [5, 10, 15, 30, 60]

type Props = { secondsLeft: number; onExtend: (minutes: number) => void; onCancel: () => void }

/** Asks whether to stay signed in. The provider decides how long an extension lasts; the choice is what is asked for. */
export function SessionExpiryDialog({ secondsLeft, onExtend, onCancel }: Props) {
  const { t } = useLingui()
  const { duration } = useFormats()
  const [minutes, setMinutes] = useState(5)
  const id = useId()
  return (
    <Dialog alert title={t`Your session ends soon`} onClose={onCancel}>
      <p>
        <Plural
          value={secondsLeft}
          one="You will be logged out in # second."
          other="You will be logged out in # seconds."
        />
      </p>
      <div>
        <label htmlFor={id}>{t`Extend by`}</label>
        <Select
          id={id}
          className={field.control}
          value={minutes}
          options={choices.map((choice) => [choice, duration(choice * 60_000)])}
          onChange={setMinutes}
        />
      </div>
      <DialogActions>
        <Button onPress={onCancel}>{t`Cancel`}</Button>
        <Button kind="primary" autoFocus onPress={() => onExtend(minutes)}>{t`Continue`}</Button>
      </DialogActions>
    </Dialog>
  )
}
