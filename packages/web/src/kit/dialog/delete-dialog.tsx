import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'
import { TypedConfirmationField, useTypedConfirmation } from './typed-confirmation.tsx'

type DeleteDialogProps = {
  title: string
  name: string
  /** Consequences: related objects that are deleted, and those that remain. */
  children: ReactNode
  /** Why the deletion failed, as a sentence. */
  failure: string | undefined
  pending: boolean
  onDelete: () => void
  onClose: () => void
}

/** Deletes an object after its name is typed. The button stays enabled: a wrong name shows a message. */
export function DeleteDialog({ title, name, children, failure, pending, onDelete, onClose }: DeleteDialogProps) {
  const { t } = useLingui()
  const typedName = useTypedConfirmation(name)
  return (
    <FormDialog
      title={title}
      submitLabel={title}
      kind="danger"
      pending={pending}
      onSubmit={() => typedName.validate() && onDelete()}
      onClose={onClose}
    >
      <p>
        <Trans>
          This deletes <strong>{name}</strong>. It cannot be undone.
        </Trans>{' '}
        {children}
      </p>
      <TypedConfirmationField
        confirmation={typedName}
        label={t`Type the name: ${name}`}
        error={typedName.isMismatch ? t`This is not the name.` : failure}
      />
    </FormDialog>
  )
}
