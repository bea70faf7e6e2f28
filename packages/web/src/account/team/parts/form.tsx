import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { LeaveGuard } from '../../../kit/dialog/leave-guard.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { CardForm } from '../../../kit/form/card-form.tsx'
import { Field } from '../../../kit/form/field.tsx'
import { PickList } from '../../../kit/form/pick-list.tsx'
import { useFormFaults } from '../../../kit/form/use-faults.ts'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { teamPeopleQuery, useTeamActions } from '../queries.ts'

/** What one enters, as the request names it. */
const teamFields = ['name', 'members'] as const

type Stored = { id: string | null; name: string; members: readonly string[] }

/** Name and members of a team, new or stored. */
export function TeamForm({ stored }: { stored: Stored }) {
  const { t } = useLingui()
  const session = useSession()
  const toast = useToast()
  const navigate = useNavigate()
  const { save } = useTeamActions()
  const people = useQuery(teamPeopleQuery(session))
  const [name, setName] = useState(stored.name)
  const [members, setMembers] = useState<readonly string[]>(stored.members)
  // At once: the way back to the list is asked before anything is drawn anew.
  const saved = useRef(false)
  const { formRef: form, faults, showFaults: show, showServerErrors: refuse, submitFailure: failure } = useFormFaults(teamFields)
  const send = () => {
    if (show(name.trim() === '' ? { name: t(getFieldErrorMessage('required')) } : {})) return
    const body = { name: name.trim(), members: [...members] }
    save.mutate(
      { id: stored.id, body },
      {
        onSuccess: ({ name: called }) => {
          saved.current = true
          toast('confirmation', t`Team saved: ${called}`)
          void navigate({ to: '/admin/teams' })
        },
        onError: refuse,
      },
    )
  }
  const isChanged = () =>
    !saved.current &&
    (name !== stored.name || [...members].sort().join() !== [...stored.members].sort().join())
  return (
    <CardForm
      formRef={form}
      submitFailure={failure}
      failureTitle={t`The team could not be saved.`}
      submitLabel={t`Save`}
      pending={save.isPending}
      onSubmit={send}
      header={null}
    >
      <Field label={t`Name`} error={faults.name}>
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
      <QueryState query={people} loading={t`Loading`} failed={t`The list could not be loaded.`} />
      {people.data && (
        <PickList
          legend={t`Members`}
          items={people.data}
          selectedIds={members as never}
          error={faults.members}
          onChange={setMembers}
        />
      )}
      <LeaveGuard shouldBlock={isChanged} />
    </CardForm>
  )
}
