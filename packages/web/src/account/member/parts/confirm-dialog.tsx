import { useLingui } from '@lingui/react/macro'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFaults } from '../../../kit/form/use-faults.ts'

type Props = {
  title: string
  text: string
  /** Takes the password. */
  action: UseMutationResult<unknown, Error, string>
  onDone: (answer: unknown) => void
  onClose: () => void
}

/** Asks for the password before what an open window must not allow to whoever passes by. */
export function ConfirmDialog({ title, text, action, onDone, onClose }: Props) {
  const { t } = useLingui()
  const [password, setPassword] = useState('')
  const { form, faults, show, refuse, failure } = useFaults(['password'])
  const send = () => {
    if (show(password === '' ? { password: t(fieldErrorText('required')) } : {})) return
    action.mutate(password, { onSuccess: onDone, onError: refuse })
  }
  return (
    <FormDialog
      title={title}
      submit={title}
      form={form}
      failure={failure !== null && { title: t`This could not be done.`, error: failure }}
      pending={action.isPending}
      onSend={send}
      onClose={onClose}
    >
      <p>{text}</p>
      <Field label={t`Current password`} error={faults.password}>
        {(control) => (
          <input
            {...control}
            autoFocus
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
