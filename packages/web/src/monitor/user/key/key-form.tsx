import { useLingui } from '@lingui/react/macro'
import { type ApiScope, maxKeyLifetimeDays } from '@clearway/contract/monitor/user/key/schema.ts'
import { useState } from 'react'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { scopeLabels } from './scope-labels.ts'
import { useApiKeyActions } from '../queries.ts'

const dayMs = 24 * 60 * 60_000
const getDateAfter = (dayCount: number) => new Date(Date.now() + dayCount * dayMs).toISOString().slice(0, 10)
const defaultDays = 90

export const keyFields = ['name', 'scopes', 'expiresAt'] as const

type KeyFormProps = { onCreated: (createdKey: { name: string; key: string }) => void }

export function KeyForm({ onCreated }: KeyFormProps) {
  const { t } = useLingui()
  const { createMutation } = useApiKeyActions()
  const [typedName, setTypedName] = useState('')
  const [selectedScopes, setSelectedScopes] = useState<readonly ApiScope[]>(['read'])
  const [expiryDate, setExpiryDate] = useState(() => getDateAfter(defaultDays))
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(keyFields)
  const submitKey = () => {
    const isDateInvalid = expiryDate <= getDateAfter(0) || expiryDate > getDateAfter(maxKeyLifetimeDays)
    const hasFaults = showFaults({
      ...(typedName.trim() === '' && { name: t(getFieldErrorMessage('required')) }),
      ...(selectedScopes.length === 0 && { scopes: t`Choose at least one.` }),
      ...(isDateInvalid && {
        expiresAt: t`Choose a day from tomorrow to ${maxKeyLifetimeDays} days from now.`,
      }),
    })
    if (hasFaults) return
    createMutation.mutate(
      {
        name: typedName.trim(),
        scopes: [...selectedScopes],
        expiresAt: new Date(`${expiryDate}T00:00:00Z`).toISOString(),
      },
      {
        onSuccess: ({ key }) => {
          onCreated({ name: typedName.trim(), key })
          setTypedName('')
        },
        onError: showServerErrors,
      },
    )
  }
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`The key could not be created.`}
      submitLabel={t`Create key`}
      pending={createMutation.isPending}
      onSubmit={submitKey}
      header={<h2>{t`New key`}</h2>}
    >
      <Field label={t`Name`} hint={t`What it is for.`} error={fieldFaults.name}>
        {(control) => (
          <input
            {...control}
            maxLength={255}
            autoComplete="off"
            value={typedName}
            onChange={({ target }) => setTypedName(target.value)}
          />
        )}
      </Field>
      <CheckGroup
        legend={t`Permissions`}
        labels={{ read: t(scopeLabels.read), run: t(scopeLabels.run), manage: t(scopeLabels.manage) }}
        selectedValues={selectedScopes}
        error={fieldFaults.scopes}
        onChange={setSelectedScopes}
      />
      <Field label={t`Expires`} error={fieldFaults.expiresAt} width="narrow">
        {(control) => (
          <input {...control} type="date" value={expiryDate} onChange={({ target }) => setExpiryDate(target.value)} />
        )}
      </Field>
    </CardForm>
  )
}
