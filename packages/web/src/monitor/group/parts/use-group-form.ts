import { useLingui } from '@lingui/react/macro'
import type { GroupId, ScanId, UserId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../../kit/client.ts'
import { fieldErrorText } from '../../../kit/problem-text.ts'
import { useToast } from '../../../kit/toast.tsx'
import type { Save } from '../../../kit/use-save.ts'
import { useSave } from '../../../kit/use-save.ts'
import type { StepFault, Steps } from '../../../kit/use-steps.ts'
import { useSteps } from '../../../kit/use-steps.ts'
import { teamRolesOf } from '../../access/parts/team-roles.tsx'
import { useSession } from '../../user/model.ts'
import { groupVersion, useGroupActions } from '../queries.ts'

export const groupSteps = ['general', 'scans', 'teams', 'review'] as const
export type GroupStep = (typeof groupSteps)[number]
/** Where the error summary leads to. */
export const nameField = 'group-name'

export type GroupValues = {
  name: string
  admins: UserId[]
  scans: ScanId[]
  teams: Record<string, ScanRole>
}
export type GroupFormState = {
  values: GroupValues
  change: (next: Partial<GroupValues>) => void
  steps: Steps<GroupStep>
  save: Save
  send: () => void
  isChanged: () => boolean
}
type Options = { id: GroupId | null; version: number; before: GroupValues }

/** The values of a scan group, the way through its steps, and sending it; what is wrong with the name lands at its field. */
export function useGroupForm({ id, version, before }: Options): GroupFormState {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { api } = useSession()
  const actions = useGroupActions()
  const [values, setValues] = useState(before)
  const { name, admins, scans, teams } = values
  const fault = (message: string): StepFault<GroupStep> => ({
    step: 'general',
    field: nameField,
    label: t`Name`,
    message,
  })
  const check = () => (name.trim() === '' ? [fault(t(fieldErrorText('required')))] : [])
  const steps = useSteps<GroupStep>({ order: groupSteps, check, open: id !== null })
  const refuse = (error: unknown) => {
    const problem = error instanceof ApiError ? error.problem : null
    const wrong = problem?.errors?.find(({ path }) => path === 'scanGroupName')
    if (problem?.code === 'name-taken')
      steps.refuse([fault(t`This name is taken already. Choose a different one.`)])
    else if (wrong) steps.refuse([fault(t(fieldErrorText(wrong.code, wrong.params)))])
    return problem?.code === 'name-taken' || wrong !== undefined
  }
  const save = useSave({
    version,
    save: (known) => {
      const body = { scanGroupName: name, admins, scans, teams: teamRolesOf(teams) }
      return actions.save.mutateAsync({ id, body, version: known })
    },
    latest: () => (id ? groupVersion(api, id) : Promise.resolve(0)),
    refuse,
    onSaved: () => {
      toast('confirmation', t`Scan group saved: ${name}`)
      void navigate({ to: '/admin' })
    },
  })
  return {
    values,
    change: (next) => {
      setValues({ ...values, ...next })
      if (next.name !== undefined) steps.mend([nameField])
    },
    steps,
    save,
    send: () => {
      if (steps.finish()) save.send()
    },
    isChanged: () => values !== before && !save.isSaved(),
  }
}
