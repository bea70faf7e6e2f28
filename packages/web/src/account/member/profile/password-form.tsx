import { useLingui } from '@lingui/react/macro'
import { type OwnAccount, passwordLengthLimits } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { CheckField, Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { useOwnActions } from '../queries.ts'

const passwordFields = ['password', 'newPassword'] as const

export function PasswordForm({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const { changePassword } = useOwnActions()
  const [typedPasswords, setTypedPasswords] = useState({ password: '', newPassword: '' })
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(passwordFields)
  const { min: minLength } = passwordLengthLimits
  const submitPassword = () => {
    const requiredMessage = t(getFieldErrorMessage('required'))
    const hasFaults = showFaults({
      ...(typedPasswords.password === '' && { password: requiredMessage }),
      ...(typedPasswords.newPassword === '' && { newPassword: requiredMessage }),
    })
    // All sessions end, including this one: the start redirects to the sign-in and back here.
    if (!hasFaults) changePassword.mutate(typedPasswords, { onSuccess: () => location.reload(), onError: showServerErrors })
  }
  const [isPasswordShown, setIsPasswordShown] = useState(false)
  const renderField = (name: (typeof passwordFields)[number], label: string, hint?: string) => (
    <Field label={label} error={fieldFaults[name]} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          type={isPasswordShown ? 'text' : 'password'}
          maxLength={passwordLengthLimits.max}
          autoComplete={name === 'password' ? 'current-password' : 'new-password'}
          value={typedPasswords[name]}
          onChange={({ target }) => setTypedPasswords({ ...typedPasswords, [name]: target.value })}
        />
      )}
    </Field>
  )
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`Your password could not be changed.`}
      submitLabel={t`Change password`}
      pending={changePassword.isPending}
      onSubmit={submitPassword}
      header={
        <>
          <h2>{t`Password`}</h2>
          <p>{t`Changing it signs you out on all devices.`}</p>
          {/* Tells password managers which account the password belongs to. */}
          <input hidden readOnly autoComplete="username" value={account.email ?? account.username} />
        </>
      }
    >
      {renderField('password', t`Current password`)}
      {renderField('newPassword', t`New password`, t`At least ${minLength} characters. A sentence works well.`)}
      <CheckField label={t`Show what you type`}>
        {(control) => (
          <input
            {...control}
            type="checkbox"
            checked={isPasswordShown}
            onChange={({ target }) => setIsPasswordShown(target.checked)}
          />
        )}
      </CheckField>
    </CardForm>
  )
}
