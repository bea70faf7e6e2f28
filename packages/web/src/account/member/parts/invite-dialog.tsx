import { useLingui } from '@lingui/react/macro'
import type { Issued } from '@clearway/contract/account/member/provider/schema.ts'
import type { MemberRole } from '@clearway/contract/account/member/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { usePeopleActions } from '../queries.ts'
import { RoleField } from './role-field.tsx'

/** What one enters, as the request names it. */
const invitationFields = ['email', 'role'] as const

type Props = { onClose: () => void; onInvited: (issued: Issued, email: string) => void }

/** Invites one person: by email, or by a link to hand over. */
export function InviteDialog({ onClose, onInvited }: Props) {
  const { t } = useLingui()
  const { invite } = usePeopleActions()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('user')
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(invitationFields, (name, { code }) => {
    if (name !== 'email') return undefined
    return code === 'name-taken' ? t`Somebody has this email already.` : t(getFieldErrorMessage('bad-email'))
  })
  const send = () => {
    if (show(email.trim() === '' ? { email: t(getFieldErrorMessage('required')) } : {})) return
    invite.mutate(
      { email: email.trim(), role },
      { onSuccess: (issued) => onInvited(issued, email.trim()), onError: refuse },
    )
  }
  return (
    <FormDialog
      title={t`Invite a person`}
      submitLabel={t`Invite`}
      formRef={form}
      failure={failure !== null && { title: t`The invitation could not be made.`, error: failure }}
      pending={invite.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <Field label={t`Email`} hint={t`They choose their name and password themselves.`} error={faults.email}>
        {(control) => (
          <input
            {...control}
            autoFocus
            type="email"
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  )
}
