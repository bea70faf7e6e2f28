import { useLingui } from '@lingui/react/macro'
import type { Confirmation, OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { useMutation } from '@tanstack/react-query'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { hasPasskeys, NoPasskey } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'

type Input = InputHTMLAttributes<HTMLInputElement>
/** A field that the dialog asks for besides. */
type OwnField<Name extends string> = {
  name: Name
  label: string
  width?: 'narrow'
  value?: string
  input: Input
}

type Props<Name extends string, Answer> = {
  account: OwnAccount
  title: string
  submit?: string
  /** What is to be done, and what stands before the fields. */
  children: ReactNode
  own?: readonly OwnField<Name>[]
  /** What a code means for a field, where the usual words do not fit. */
  meaning?: (name: string, refused: FieldError) => string | undefined
  action: (given: Confirmation & Record<Name, string>) => Promise<Answer>
  onDone: (answer: Answer) => void
  onClose: () => void
}

const code: Input = {
  autoComplete: 'one-time-code',
  autoCapitalize: 'none',
  spellCheck: false,
  maxLength: 100,
}

/** Asks who it is before what an open window must not allow to whoever passes by: password and code, or a passkey. */
export function ConfirmDialog<Name extends string = never, Answer = unknown>(props: Props<Name, Answer>) {
  const { account, title, submit = title, children, own = [], meaning, onDone, onClose } = props
  const { t } = useLingui()
  const { showPasskey } = useOwnActions()
  const action = useMutation({ mutationFn: props.action })
  const hasFactor = account.hasTotp || account.passkeys.length > 0
  const proof: OwnField<'password' | 'second'>[] = [
    {
      name: 'password',
      label: t`Current password`,
      input: { type: 'password', autoComplete: 'current-password' },
    },
  ]
  if (hasFactor)
    proof.push({
      name: 'second',
      label: account.hasTotp ? t`Code from the app, or a recovery code` : t`Recovery code`,
      width: 'narrow',
      input: code,
    })
  const fields = [...own, ...proof]
  const [values, setValues] = useState<Partial<Record<string, string>>>(() =>
    Object.fromEntries(own.map(({ name, value = '' }) => [name, value])),
  )
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults<string>(
    [...fields.map(({ name }) => name), 'passkey'],
    meaning,
  )
  const noPasskey: Record<NoPasskey['kind'], string> = {
    shown: t`No passkey was used. Try again, or use another way.`,
    made: t`No passkey was created. Try again.`,
    known: t`This device has a passkey for this account already.`,
  }
  const failed = (error: unknown) => {
    if (!(error instanceof NoPasskey)) return refuse(error)
    show({ passkey: noPasskey[error.kind] })
  }
  const isFilled = (wanted: readonly { name: string }[]) => {
    const empty = wanted.filter(({ name }) => (values[name] ?? '').trim() === '')
    return !show(Object.fromEntries(empty.map(({ name }) => [name, t(getFieldErrorMessage('required'))])))
  }
  // What was done may have brought recovery codes: they are shown also when somebody closed the dialog meanwhile.
  const finish = (given: object) =>
    void action.mutateAsync(given as Confirmation & Record<Name, string>).then(onDone, failed)
  const byPasskey = () => {
    if (!isFilled(own)) return
    const ownValues = Object.fromEntries(own.map(({ name }) => [name, values[name]]))
    showPasskey.mutate(undefined, {
      onSuccess: (passkey) => finish({ ...ownValues, passkey }),
      onError: failed,
    })
  }
  return (
    <FormDialog
      title={title}
      submitLabel={submit}
      formRef={form}
      failure={failure !== null && { title: t`This could not be done.`, error: failure }}
      pending={action.isPending}
      onSubmit={() => {
        if (isFilled(fields)) finish(values)
      }}
      onClose={onClose}
    >
      {children}
      {fields.map(({ name, label, width, input }, index) => (
        <Field key={name} label={label} error={faults[name]} {...(width && { width })}>
          {(control) => (
            <input
              {...control}
              {...input}
              autoFocus={index === 0}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {account.passkeys.length > 0 && account.canUsePasskeys && hasPasskeys() && (
        <div>
          <Button pending={showPasskey.isPending} onPress={byPasskey}>{t`Use a passkey instead`}</Button>
        </div>
      )}
      <p role="alert">{faults.passkey}</p>
    </FormDialog>
  )
}
