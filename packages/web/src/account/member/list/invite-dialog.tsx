import { useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { usePeopleActions } from '../queries.ts'
import { RoleField } from './role-field.tsx'

const invitationFields = ['email', 'role'] as const

type InviteDialogProps = { onClose: () => void; onInvited: (issued: Issued, email: string) => void }

/** Invites a person by email, or by a link to hand over. */
export function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const { t } = useLingui()
  const { invitePerson } = usePeopleActions()
  const [typedEmail, setTypedEmail] = useState('')
  const [selectedRole, setSelectedRole] = useState<MemberRole>('user')
  const {
    formRef,
    faults: fieldFaults,
    showFaults,
    showServerErrors,
    submitFailure,
  } = useFormFaults(invitationFields, (name, { code }) => {
    if (name !== 'email') return undefined
    return code === 'name-taken' ? t`This email is already in use.` : t(getFieldErrorMessage('bad-email'))
  })
  const sendInvitation = () => {
    if (showFaults(typedEmail.trim() === '' ? { email: t(getFieldErrorMessage('required')) } : {})) return
    invitePerson.mutate(
      { email: typedEmail.trim(), role: selectedRole },
      { onSuccess: (issued) => onInvited(issued, typedEmail.trim()), onError: showServerErrors },
    )
  }
  return (
    <FormDialog
      title={t`Invite a person`}
      submitLabel={t`Invite`}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`The invitation could not be made.`, error: submitFailure }}
      pending={invitePerson.isPending}
      onSubmit={sendInvitation}
      onClose={onClose}
    >
      <Field label={t`Email`} hint={t`They choose their name and password themselves.`} error={fieldFaults.email}>
        {(control) => (
          <input
            {...control}
            autoFocus
            type="email"
            maxLength={254}
            autoComplete="off"
            value={typedEmail}
            onChange={({ target }) => setTypedEmail(target.value)}
          />
        )}
      </Field>
      <RoleField value={selectedRole} onChange={setSelectedRole} />
    </FormDialog>
  )
}
