import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { passwordLength } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { useOwnActions } from '../queries.ts'

const fields = ['password', 'newPassword'] as const

/** Changes one's password; then one signs in with it. */
export function PasswordForm({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const { changePassword } = useOwnActions()
  const [values, setValues] = useState({ password: '', newPassword: '' })
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(fields)
  const { min } = passwordLength
  const send = () => {
    const missing = t(getFieldErrorMessage('required'))
    const isFaulty = show({
      ...(values.password === '' && { password: missing }),
      ...(values.newPassword === '' && { newPassword: missing }),
    })
    // All sessions have ended, this one too: the start leads to the sign-in, and back here.
    if (!isFaulty) changePassword.mutate(values, { onSuccess: () => location.reload(), onError: refuse })
  }
  const field = (name: (typeof fields)[number], label: string, hint?: string) => (
    <Field label={label} error={faults[name]} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          type="password"
          maxLength={passwordLength.max}
          autoComplete={name === 'password' ? 'current-password' : 'new-password'}
          value={values[name]}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`Your password could not be changed.`}
      submitLabel={t`Change password`}
      pending={changePassword.isPending}
      onSubmit={send}
      header={
        <>
          <h2>{t`Password`}</h2>
          <p>{t`You will be signed out on all devices. Sign in again with the new password.`}</p>
          {/* Password managers learn by it whose password this is. */}
          <input hidden readOnly autoComplete="username" value={account.email ?? account.username} />
        </>
      }
    >
      {field('password', t`Current password`)}
      {field('newPassword', t`New password`, t`At least ${min} characters. A sentence works well.`)}
    </CardForm>
  )
}
