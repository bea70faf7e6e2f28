import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogActions } from '../../../kit/dialog.tsx'
import { Field } from '../../../kit/field.tsx'
import layout from '../../../kit/layout.module.css'
import { problemText } from '../../../kit/problem-text.ts'
import { useScanActions } from '../queries.ts'

type Props = { scan: ScanSummary; onClose: () => void; onDeleted: () => void }

/** Deletes a scan once its name was typed. The button stays active: a wrong name gets a message. */
export function DeleteScanDialog({ scan, onClose, onDeleted }: Props) {
  const { t } = useLingui()
  const { remove } = useScanActions()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const name = scan.name
  const submit = () => {
    if (typed.trim() !== name.trim()) return setWrong(true)
    remove.mutate(scan.id, { onSuccess: onDeleted })
  }
  const error = wrong
    ? t`This is not the name of the scan.`
    : remove.error
      ? t(problemText(remove.error))
      : undefined
  return (
    <Dialog title={t`Delete scan`} onClose={onClose}>
      <p>
        <Trans>
          This deletes <strong>{name}</strong>. It cannot be undone.
        </Trans>{' '}
        <Plural
          value={scan.lastRun?.number ?? 0}
          _0="It has no runs yet."
          one="# run goes with it, with its pages and issues."
          other="# runs go with it, with their pages and issues."
        />
      </p>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={t`Type the name of the scan: ${name}`} error={error}>
          {(control) => (
            <input
              {...control}
              autoFocus
              autoComplete="off"
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
            />
          )}
        </Field>
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind="danger" type="submit" pending={remove.isPending}>{t`Delete scan`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
