import { useLingui } from '@lingui/react/macro'
import { longestKeyDays } from '@clearway/contract/monitor/user/key/schema.ts'
import { useState } from 'react'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { CheckGroup } from '../../../kit/form/check-group.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { useApiKeyActions } from '../queries.ts'

const dayMs = 24 * 60 * 60_000
const dayAfter = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
const usualDays = 90

/** What one enters, as the request names it. */
export const keyFields = ['name', 'scopes', 'expiresAt'] as const

type Props = { onMade: (made: { name: string; key: string }) => void }

/** Makes a key: its name, what it may do, and until when. */
export function KeyForm({ onMade }: Props) {
  const { t } = useLingui()
  const { create } = useApiKeyActions()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ('read' | 'run')[]>(['read'])
  const [until, setUntil] = useState(() => dayAfter(usualDays))
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(keyFields)
  const words = { read: t`Read`, run: t`Start and cancel runs` }
  const send = () => {
    const dayIsOff = until <= dayAfter(0) || until > dayAfter(longestKeyDays)
    const isFaulty = show({
      ...(name.trim() === '' && { name: t(getFieldErrorMessage('required')) }),
      ...(scopes.length === 0 && { scopes: t`Choose at least one.` }),
      ...(dayIsOff && { expiresAt: t`Choose a day from tomorrow to ${longestKeyDays} days from now.` }),
    })
    if (isFaulty) return
    create.mutate(
      { name: name.trim(), scopes: [...scopes], expiresAt: new Date(`${until}T00:00:00Z`).toISOString() },
      {
        onSuccess: ({ key }) => {
          onMade({ name: name.trim(), key })
          setName('')
        },
        onError: refuse,
      },
    )
  }
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`The key could not be created.`}
      submitLabel={t`Create key`}
      pending={create.isPending}
      onSubmit={send}
      header={<h2>{t`New key`}</h2>}
    >
      <Field label={t`Name`} hint={t`What it is for.`} error={faults.name}>
        {(control) => (
          <input
            {...control}
            maxLength={255}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <CheckGroup
        legend={t`Permissions`}
        labels={words}
        selectedValues={scopes}
        error={faults.scopes}
        onChange={setScopes}
      />
      <Field label={t`Ends on`} error={faults.expiresAt} width="narrow">
        {(control) => (
          <input {...control} type="date" value={until} onChange={({ target }) => setUntil(target.value)} />
        )}
      </Field>
    </CardForm>
  )
}
