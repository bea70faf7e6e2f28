import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Field } from '../form/field.tsx'
import layout from '../page/layout.module.css'

type Props = {
  title: string
  name: string
  /** What goes with it, and what stays. */
  children: ReactNode
  /** Why the server did not delete it, as a sentence. */
  failure: string | undefined
  pending: boolean
  onDelete: () => void
  onClose: () => void
}

/** Deletes something once its name was typed. The button stays active: a wrong name gets a message. */
export function DeleteDialog({ title, name, children, failure, pending, onDelete, onClose }: Props) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <Trans>
          This deletes <strong>{name}</strong>. It cannot be undone.
        </Trans>{' '}
        {children}
      </p>
      <form
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name.trim()) onDelete()
          else setWrong(true)
        }}
      >
        <Field label={t`Type the name: ${name}`} error={wrong ? t`This is not the name.` : failure}>
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
          <Button kind="danger" type="submit" pending={pending}>
            {title}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
