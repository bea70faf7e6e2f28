import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { TypedField, useTyped } from './typed-field.tsx'

type Props = {
  title: string
  name: string
  /** What is removed with it, and what stays. */
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
  const typed = useTyped(name)
  return (
    <FormDialog
      title={title}
      submit={title}
      kind="danger"
      pending={pending}
      onSend={() => typed.check() && onDelete()}
      onClose={onClose}
    >
      <p>
        <Trans>
          This deletes <strong>{name}</strong>. It cannot be undone.
        </Trans>{' '}
        {children}
      </p>
      <TypedField
        typed={typed}
        label={t`Type the name: ${name}`}
        error={typed.isWrong ? t`This is not the name.` : failure}
      />
    </FormDialog>
  )
}
