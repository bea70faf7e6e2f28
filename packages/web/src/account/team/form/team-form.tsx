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
import { useFormFaults } from '../../../kit/form/use-form-faults.ts'
import { QueryState } from '../../../kit/page/states.tsx'
import { useSession } from '../../../monitor/user/model.ts'
import { teamPeopleQuery, useTeamActions } from '../queries.ts'

const teamFields = ['name', 'members'] as const

type StoredTeam = { id: string | null; name: string; members: readonly string[] }

export function TeamForm({ stored }: { stored: StoredTeam }) {
  const { t } = useLingui()
  const userSession = useSession()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { saveTeam } = useTeamActions()
  const teamPeople = useQuery(teamPeopleQuery(userSession))
  const [typedName, setTypedName] = useState(stored.name)
  const [memberIds, setMemberIds] = useState<readonly string[]>(stored.members)
  // A ref: navigation is checked for unsaved changes before the next render.
  const isSavedRef = useRef(false)
  const { formRef, faults: fieldFaults, showFaults, showServerErrors, submitFailure } = useFormFaults(teamFields)
  const submitTeam = () => {
    if (showFaults(typedName.trim() === '' ? { name: t(getFieldErrorMessage('required')) } : {})) return
    const teamBody = { name: typedName.trim(), members: [...memberIds] }
    saveTeam.mutate(
      { id: stored.id, body: teamBody },
      {
        onSuccess: ({ name: savedName }) => {
          isSavedRef.current = true
          showToast('confirmation', t`Team saved: ${savedName}`)
          void navigateTo({ to: '/admin/teams' })
        },
        onError: showServerErrors,
      },
    )
  }
  const isChanged = () =>
    !isSavedRef.current && (typedName !== stored.name || [...memberIds].sort().join() !== [...stored.members].sort().join())
  return (
    <CardForm
      formRef={formRef}
      submitFailure={submitFailure}
      failureTitle={t`The team could not be saved.`}
      submitLabel={t`Save`}
      pending={saveTeam.isPending}
      onSubmit={submitTeam}
      header={null}
    >
      <Field label={t`Name`} error={fieldFaults.name}>
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
      <QueryState query={teamPeople} loadingLabel={t`Loading`} failureTitle={t`The list could not be loaded.`} />
      {teamPeople.data && (
        <PickList
          legend={t`Members`}
          items={teamPeople.data}
          selectedIds={memberIds as never}
          error={fieldFaults.members}
          onChange={setMemberIds}
        />
      )}
      <LeaveGuard shouldBlock={isChanged} />
    </CardForm>
  )
}
