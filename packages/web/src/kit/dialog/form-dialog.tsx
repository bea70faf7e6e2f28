import { useLingui } from '@lingui/react/macro'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../control/button.tsx'
import layout from '../page/layout.module.css'
import { ErrorCard } from '../page/states.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type FormDialogProps = {
  title: string
  submitLabel: string
  kind?: 'primary' | 'danger'
  pending?: boolean
  onSubmit: () => void
  onClose: () => void
  /** Discards the typed text: only the Cancel button does, since Escape or an outside click may be an accident. */
  onCancel?: () => void
  /** From `useFormFaults`, so that the focus moves to the invalid field. */
  formRef?: RefObject<HTMLFormElement | null>
  /** Error without a form field, and its title. */
  failure?: { title: string; error: unknown } | false
  children: ReactNode
}

/** Dialog with a few fields. While a submit is pending, it ignores others, and only Cancel closes it. */
export function FormDialog({ title, submitLabel, pending = false, onSubmit, onClose, ...props }: FormDialogProps) {
  const { t } = useLingui()
  const { kind: buttonKind = 'primary', onCancel, formRef, failure: submitFailure, children } = props
  return (
    <Dialog title={title} onClose={() => !pending && onClose()}>
      <form
        ref={formRef}
        noValidate
        className={layout.stack}
        onSubmit={(event) => {
          event.preventDefault()
          if (!pending) onSubmit()
        }}
      >
        {submitFailure && <ErrorCard {...submitFailure} />}
        {children}
        <DialogActions>
          <Button
            onPress={() => {
              onCancel?.()
              onClose()
            }}
          >{t`Cancel`}</Button>
          <Button kind={buttonKind} type="submit" pending={pending}>
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
