import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { fieldErrorText } from '../../../kit/client/problem-text.ts'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFaults } from '../../../kit/form/use-faults.ts'
import layout from '../../../kit/page/layout.module.css'
import { useOwnActions } from '../queries.ts'

const fields = ['code', 'password'] as const

type Props = {
  offer: { secret: string; picture: string }
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}

/** Sets an authenticator app up: its camera or the key, then a code of it, and the password. */
export function TotpDialog({ offer, onClose, onDone }: Props) {
  const { t } = useLingui()
  const { setUp } = useOwnActions()
  const [values, setValues] = useState({ code: '', password: '' })
  const { form, faults, show, refuse, failure } = useFaults(fields)
  const send = () => {
    const missing = t(fieldErrorText('required'))
    const isFaulty = show({
      ...(values.code.trim() === '' && { code: missing }),
      ...(values.password === '' && { password: missing }),
    })
    if (isFaulty) return
    setUp.mutate(
      { ...values, secret: offer.secret },
      { onSuccess: ({ codes }) => onDone(codes), onError: refuse },
    )
  }
  const set = (name: (typeof fields)[number], value: string) => setValues({ ...values, [name]: value })
  return (
    <FormDialog
      title={t`Set up two-factor sign-in`}
      submit={t`Turn on`}
      form={form}
      failure={failure !== null && { title: t`This could not be done.`, error: failure }}
      pending={setUp.isPending}
      onSend={send}
      onClose={onClose}
    >
      <p>{t`Scan the picture with an authenticator app, or enter the key there.`}</p>
      <img
        width={192}
        height={192}
        alt={t`QR code of the key below`}
        src={`data:image/svg+xml,${encodeURIComponent(offer.picture)}`}
      />
      <p>
        {t`Key`}:{' '}
        <code translate="no" className={layout.break}>
          {offer.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <Field label={t`Code of the app`} error={faults.code} width="narrow">
        {(control) => (
          <input
            {...control}
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            value={values.code}
            onChange={({ target }) => set('code', target.value)}
          />
        )}
      </Field>
      <Field label={t`Current password`} error={faults.password}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="current-password"
            value={values.password}
            onChange={({ target }) => set('password', target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
