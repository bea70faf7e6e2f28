import { useLingui } from '@lingui/react/macro'
import type { GroupId, ScanId, UserId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { findFieldName, assignFieldErrors } from '../../../kit/client/refusal.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import type { SaveState } from '../../../kit/form/use-save.ts'
import { useSave } from '../../../kit/form/use-save.ts'
import type { StepFault, StepsState } from '../../../kit/form/use-steps.ts'
import { useSteps } from '../../../kit/form/use-steps.ts'
import { teamRolesOf } from '../../access/parts/team-roles.tsx'
import { useSession } from '../../user/model.ts'
import { groupVersion, useGroupActions } from '../queries.ts'

export const groupSteps = ['general', 'scans', 'teams', 'review'] as const
export type GroupStep = (typeof groupSteps)[number]
/** Where the error summary leads to, by the value of the request that is there. */
export const groupFields = {
  scanGroupName: 'group-name',
  admins: 'group-admins',
  scans: 'group-scans',
  teams: 'group-teams',
} as const
type Sent = keyof typeof groupFields
const stepOfValue: Record<Sent, GroupStep> = {
  scanGroupName: 'general',
  admins: 'general',
  scans: 'scans',
  teams: 'teams',
}

/** The value that a path of the request belongs to; null for one that nobody chooses here. */
export const groupValueAt = (path: string): Sent | null =>
  path === 'name' ? 'scanGroupName' : findFieldName(Object.keys(groupFields) as Sent[], path)

export type GroupValues = {
  name: string
  admins: UserId[]
  scans: ScanId[]
  teams: Record<string, ScanRole>
}
export type GroupFormState = {
  values: GroupValues
  change: (next: Partial<GroupValues>) => void
  steps: StepsState<GroupStep>
  save: SaveState
  send: () => void
  isChanged: () => boolean
}
type Options = { id: GroupId | null; version: number; before: GroupValues }

/** The values of a scan group, the way through its steps, and sending it; what is wrong with it lands at its field. */
export function useGroupForm({ id, version, before }: Options): GroupFormState {
  const { t } = useLingui()
  const toast = useToast()
  const navigate = useNavigate()
  const { api } = useSession()
  const actions = useGroupActions()
  const [values, setValues] = useState(before)
  const { name, admins, scans, teams } = values
  const labels: Record<Sent, string> = {
    scanGroupName: t`Name`,
    admins: t`Group admins`,
    scans: t`Scans`,
    teams: t`Teams`,
  }
  const fault = (value: Sent, message: string): StepFault<GroupStep> => ({
    step: stepOfValue[value],
    field: groupFields[value],
    label: labels[value],
    message,
  })
  const check = () => (name.trim() === '' ? [fault('scanGroupName', t(getFieldErrorMessage('required')))] : [])
  const steps = useSteps<GroupStep>({ stepOrder: groupSteps, findFaults: check, areAllStepsOpen: id !== null })
  const refuse = (error: unknown) => {
    const { fieldFaults: faults, unassignedError: rest } = assignFieldErrors(error, ({ path, code, params }) => {
      const value = groupValueAt(path)
      return value && fault(value, t(getFieldErrorMessage(code, params)))
    })
    if (faults.length > 0) steps.showServerFaults(faults)
    return rest
  }
  const save = useSave({
    version,
    save: (known) => {
      const body = { scanGroupName: name, admins, scans, teams: teamRolesOf(teams) }
      return actions.save.mutateAsync({ id, body, version: known })
    },
    fetchLatestVersion: () => (id ? groupVersion(api, id) : Promise.resolve(0)),
    showServerErrors: refuse,
    onSaved: () => {
      toast('confirmation', t`Scan group saved: ${name}`)
      void navigate({ to: '/admin' })
    },
  })
  return {
    values,
    change: (next) => {
      setValues({ ...values, ...next })
      const changed = { scanGroupName: next.name, admins: next.admins, scans: next.scans, teams: next.teams }
      const corrected = (Object.keys(groupFields) as Sent[]).filter((value) => changed[value] !== undefined)
      steps.clearFaults(corrected.map((value) => groupFields[value]))
    },
    steps,
    save,
    send: () => {
      if (steps.validateAllSteps()) save.submit()
    },
    isChanged: () => values !== before && !save.isSaved(),
  }
}
