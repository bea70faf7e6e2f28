import { useLingui } from '@lingui/react/macro'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../control/button.tsx'
import layout from '../page/layout.module.css'
import { ErrorCard } from '../page/states.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  title: string
  /** What the button says that sends. */
  submit: string
  kind?: 'primary' | 'danger'
  pending?: boolean
  onSend: () => void
  onClose: () => void
  /** Of `useFaults`: so that the focus finds the field. */
  form?: RefObject<HTMLFormElement | null>
  /** Why it could not be done, when that belongs to no field, and what is said of that. */
  failure?: { title: string; error: unknown } | false
  children: ReactNode
}

/** A few fields in a dialog, sent once at a time. */
export function FormDialog({ title, submit, pending = false, onSend, onClose, ...props }: Props) {
  const { t } = useLingui()
  const { kind = 'primary', form, failure, children } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) onSend()
        }}
      >
        {failure && <ErrorCard {...failure} />}
        {children}
        <DialogActions>
          <Button onPress={onClose}>{t`Cancel`}</Button>
          <Button kind={kind} type="submit" pending={pending}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
