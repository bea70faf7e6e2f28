import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { useOwnActions } from '../queries.ts'

const nameFields = ['firstName', 'lastName'] as const

export function NameForm({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const showToast = useToast()
  const { saveName } = useOwnActions()
  const [typedNames, setTypedNames] = useState({ firstName: account.firstName, lastName: account.lastName })
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(nameFields)
  const fieldLabels = { firstName: t`First name`, lastName: t`Last name` }
  const submitName = () => {
    showFaults({})
    saveName.mutate(typedNames, {
      onSuccess: () => showToast('confirmation', t`Name saved. It appears everywhere after your next sign-in.`),
      onError: showServerErrors,
    })
  }
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`Your name could not be saved.`}
      submitLabel={t`Save name`}
      pending={saveName.isPending}
      onSubmit={submitName}
      header={<h2>{t`Name`}</h2>}
    >
      <FactList facts={[[t`User name`, account.username]]} />
      {nameFields.map((name) => (
        <Field key={name} label={fieldLabels[name]} error={fieldFaults[name]}>
          {(control) => (
            <input
              {...control}
              maxLength={255}
              autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
              value={typedNames[name]}
              onChange={({ target }) => setTypedNames({ ...typedNames, [name]: target.value })}
            />
          )}
        </Field>
      ))}
    </CardForm>
  )
}
