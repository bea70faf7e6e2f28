import { useLingui } from '@lingui/react/macro'
import type { OwnAccount } from '@clearway/contract/account/member/provider/schema.ts'
import { useState } from 'react'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { FactList } from '../../../kit/page/fact-list.tsx'
import { useOwnActions } from '../queries.ts'

const fields = ['firstName', 'lastName'] as const

/** How one is called. */
export function NameForm({ account }: { account: OwnAccount }) {
  const { t } = useLingui()
  const toast = useToast()
  const { rename } = useOwnActions()
  const [names, setNames] = useState({ firstName: account.firstName, lastName: account.lastName })
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(fields)
  const labels = { firstName: t`First name`, lastName: t`Last name` }
  const send = () => {
    show({})
    rename.mutate(names, {
      onSuccess: () => toast('confirmation', t`Name saved. It appears everywhere after your next sign-in.`),
      onError: refuse,
    })
  }
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`Your name could not be saved.`}
      submitLabel={t`Save name`}
      pending={rename.isPending}
      onSubmit={send}
      header={<h2>{t`Name`}</h2>}
    >
      <FactList facts={[[t`User name`, account.username]]} />
      {fields.map((name) => (
        <Field key={name} label={labels[name]} error={faults[name]}>
          {(control) => (
            <input
              {...control}
              maxLength={255}
              autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
              value={names[name]}
              onChange={({ target }) => setNames({ ...names, [name]: target.value })}
            />
          )}
        </Field>
      ))}
    </CardForm>
  )
}
