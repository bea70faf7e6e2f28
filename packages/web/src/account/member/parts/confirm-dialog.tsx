import { useLingui } from '@lingui/react/macro'
import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFaults } from '../../../kit/form/use-faults.ts'

/** The password, and a code of the second factor. */
export type Confirmation = { password: string; second: string }
const fields = ['password', 'second'] as const

type Props = {
  title: string
  text: string
  action: UseMutationResult<unknown, Error, Confirmation>
  onDone: (answer: unknown) => void
  onClose: () => void
}

/** Asks for the password and a code before what an open window must not allow to whoever passes by. */
export function ConfirmDialog({ title, text, action, onDone, onClose }: Props) {
  const { t } = useLingui()
  const [values, setValues] = useState<Confirmation>({ password: '', second: '' })
  const { form, faults, show, refuse, failure } = useFaults(fields)
  const send = () => {
    const missing = t(fieldErrorText('required'))
    const isFaulty = show({
      ...(values.password === '' && { password: missing }),
      ...(values.second.trim() === '' && { second: missing }),
    })
    if (!isFaulty) action.mutate(values, { onSuccess: onDone, onError: refuse })
  }
  const set = (name: (typeof fields)[number], value: string) => setValues({ ...values, [name]: value })
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
            value={values.password}
            onChange={({ target }) => set('password', target.value)}
          />
        )}
      </Field>
      <Field label={t`Code of the app, or a recovery code`} error={faults.second} width="narrow">
        {(control) => (
          <input
            {...control}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
            value={values.second}
            onChange={({ target }) => set('second', target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
