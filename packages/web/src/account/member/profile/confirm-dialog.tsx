import { useMutation } from '../../../kit/client/use-mutation.ts'
import { useLingui } from '@lingui/react/macro'
import type { Confirmation, OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { type InputHTMLAttributes, type ReactNode, useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { Button } from '../../../kit/control/button.tsx'
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { hasPasskeys, NoPasskey } from '../model-passkey.ts'
import { useOwnActions } from '../queries.ts'

type InputProps = InputHTMLAttributes<HTMLInputElement>
type ExtraField<Name extends string> = { name: Name; label: string; width?: 'narrow'; value?: string; inputProps: InputProps }

type ConfirmDialogProps<Name extends string, Answer> = {
  account: OwnAccount
  title: string
  submit?: string
  children: ReactNode
  extraFields?: readonly ExtraField<Name>[]
  /** Overrides the default message of an error code for a field. */
  getCustomMessage?: (name: string, refused: FieldError) => string | undefined
  action: (values: Confirmation & Record<Name, string>) => Promise<Answer>
  onDone: (answer: Answer) => void
  onClose: () => void
}

const codeInputProps: InputProps = { autoComplete: 'one-time-code', autoCapitalize: 'none', spellCheck: false, maxLength: 100 }

/** Confirms the user's identity before sensitive account changes, by password and code or by passkey. */
export function ConfirmDialog<Name extends string = never, Answer = unknown>(props: ConfirmDialogProps<Name, Answer>) {
  const { account, title, submit: submitLabel = title, children, extraFields = [], getCustomMessage, onDone, onClose } = props
  const { t } = useLingui()
  const { promptPasskey } = useOwnActions()
  const actionMutation = useMutation({ mutationFn: props.action })
  const hasSecondFactor = account.hasTotp || account.passkeys.length > 0
  const proofFields: ExtraField<'password' | 'second'>[] = [
    {
      name: 'password',
      label: t`Current password`,
      inputProps: { type: 'password', autoComplete: 'current-password' },
    },
  ]
  if (hasSecondFactor)
    proofFields.push({
      name: 'second',
      label: account.hasTotp ? t`Code from the app, or a recovery code` : t`Recovery code`,
      width: 'narrow',
      inputProps: codeInputProps,
    })
  const allFields = [...extraFields, ...proofFields]
  const [fieldValues, setFieldValues] = useState<Partial<Record<string, string>>>(() =>
    Object.fromEntries(extraFields.map(({ name, value = '' }) => [name, value])),
  )
  const {
    formRef,
    faults: fieldFaults,
    showFaults,
    showServerErrors,
    submitFailure,
  } = useFormFaults<string>([...allFields.map(({ name }) => name), 'passkey'], getCustomMessage)
  const passkeyMessages: Record<NoPasskey['kind'], string> = {
    shown: t`No passkey was used. Try again, or use another way.`,
    made: t`No passkey was created. Try again.`,
    known: t`This device has a passkey for this account already.`,
  }
  const onActionFailed = (error: unknown) => {
    if (!(error instanceof NoPasskey)) return showServerErrors(error)
    showFaults({ passkey: passkeyMessages[error.kind] })
  }
  const validateRequired = (requiredFields: readonly { name: string }[]) => {
    const emptyFields = requiredFields.filter(({ name }) => (fieldValues[name] ?? '').trim() === '')
    return !showFaults(Object.fromEntries(emptyFields.map(({ name }) => [name, t(getFieldErrorMessage('required'))])))
  }
  // The result may contain recovery codes, which are shown even if the user has closed the dialog.
  const submitAction = (values: object) =>
    void actionMutation.mutateAsync(values as Confirmation & Record<Name, string>).then(onDone, onActionFailed)
  const confirmByPasskey = () => {
    if (!validateRequired(extraFields)) return
    const extraValues = Object.fromEntries(extraFields.map(({ name }) => [name, fieldValues[name]]))
    promptPasskey.mutate(undefined, {
      onSuccess: (passkey) => submitAction({ ...extraValues, passkey }),
      onError: onActionFailed,
    })
  }
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      formRef={formRef}
      failure={submitFailure !== null && { title: t`This could not be done.`, error: submitFailure }}
      pending={actionMutation.isPending}
      onSubmit={() => {
        if (validateRequired(allFields)) submitAction(fieldValues)
      }}
      onClose={onClose}
    >
      {children}
      {allFields.map(({ name, label, width, inputProps }, index) => (
        <Field key={name} label={label} error={fieldFaults[name]} {...(width && { width })}>
          {(control) => (
            <input
              {...control}
              {...inputProps}
              autoFocus={index === 0}
              value={fieldValues[name] ?? ''}
              onChange={({ target }) => setFieldValues({ ...fieldValues, [name]: target.value })}
            />
          )}
        </Field>
      ))}
      {account.passkeys.length > 0 && account.canUsePasskeys && hasPasskeys() && (
        <div>
          <Button pending={promptPasskey.isPending} onPress={confirmByPasskey}>{t`Use a passkey instead`}</Button>
        </div>
      )}
      <p role="alert">{fieldFaults.passkey}</p>
    </FormDialog>
  )
}
