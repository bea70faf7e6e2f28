import { useLingui } from '@lingui/react/macro'
import type { GroupId, ScanId, UserId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type { ScoreTarget } from '@clearway/contract/monitor/scan/goal/schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getFieldErrorMessage } from '../../../kit/client/problem-text.ts'
import { findFieldName, assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { type SaveState, useSave } from '../../../kit/form/use-save.ts'
import { type StepFault, type StepsState, useSteps } from '../../../kit/form/use-steps.ts'
import { toTeamRoles } from '../../access/parts/team-roles.tsx'
import { useSession } from '../../user/model.ts'
import { fetchGroupVersion, useGroupActions } from '../queries.ts'

export const groupSteps = ['general', 'scans', 'teams', 'review'] as const
export type GroupStep = (typeof groupSteps)[number]
/** Control ids for the error summary, by field of the request. */
export const groupFields = {
  scanGroupName: 'group-name',
  target: 'group-target',
  admins: 'group-admins',
  scans: 'group-scans',
  teams: 'group-teams',
} as const
type GroupRequestField = keyof typeof groupFields
const stepsByField: Record<GroupRequestField, GroupStep> = {
  scanGroupName: 'general',
  target: 'general',
  admins: 'general',
  scans: 'scans',
  teams: 'teams',
}

/** Returns the request field that a path belongs to; null if it has no control. */
export const findGroupField = (path: string): GroupRequestField | null =>
  path === 'name' ? 'scanGroupName' : findFieldName(Object.keys(groupFields) as GroupRequestField[], path)

export type GroupValues = {
  name: string
  /** Empty for no target, as its day. */
  targetScore: string
  targetDue: string
  admins: UserId[]
  scans: ScanId[]
  teams: Record<string, ScanRole>
}
export type GroupFormState = {
  values: GroupValues
  changeValues: (changes: Partial<GroupValues>) => void
  steps: StepsState<GroupStep>
  save: SaveState
  submitForm: () => void
  isChanged: () => boolean
}
type GroupFormOptions = { id: GroupId | null; version: number; initialValues: GroupValues }

const requestFields = Object.keys(groupFields) as GroupRequestField[]
const toRequestFields = ({ name, targetScore, targetDue, admins, scans, teams }: Partial<GroupValues>) =>
  ({ scanGroupName: name, target: targetScore ?? targetDue, admins, scans, teams }) satisfies Record<GroupRequestField, unknown>

/** Target of the form, null without one, or `wrong` if a part is missing or out of range. */
function parseTarget({ targetScore, targetDue }: GroupValues): ScoreTarget | 'wrong' | null {
  if (targetScore.trim() === '' && targetDue === '') return null
  const score = Number(targetScore)
  return targetDue !== '' && Number.isInteger(score) && score >= 1 && score <= 100 ? { score, dueOn: targetDue } : 'wrong'
}

const toGroupBody = (values: GroupValues) => {
  const { name, admins, scans, teams } = values
  const target = parseTarget(values)
  return { scanGroupName: name, admins, scans, teams: toTeamRoles(teams), target: target === 'wrong' ? null : target }
}

function useFaultFactory() {
  const { t } = useLingui()
  const fieldLabels = {
    scanGroupName: t`Name`,
    target: t`Score to reach`,
    admins: t`Group admins`,
    scans: t`Scans`,
    teams: t`Teams`,
  }
  return (field: GroupRequestField, message: string): StepFault<GroupStep> => ({
    step: stepsByField[field],
    field: groupFields[field],
    label: fieldLabels[field],
    message,
  })
}

/** Form state of a scan group: values, steps and saving. Errors appear at their fields. */
export function useGroupForm({ id, version, initialValues }: GroupFormOptions): GroupFormState {
  const { t } = useLingui()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { api: apiClient } = useSession()
  const groupActions = useGroupActions()
  const [formValues, setFormValues] = useState(initialValues)
  const { name: groupName } = formValues
  const createFault = useFaultFactory()
  const findFaults = () => [
    ...(groupName.trim() === '' ? [createFault('scanGroupName', t(getFieldErrorMessage('required')))] : []),
    ...(parseTarget(formValues) === 'wrong'
      ? [createFault('target', t`Enter a score from 1 to 100 and a day, or neither.`)]
      : []),
  ]
  const stepsState = useSteps<GroupStep>({ stepOrder: groupSteps, findFaults, areAllStepsOpen: id !== null })
  const showServerErrors = (error: unknown) => {
    const { fieldFaults: stepFaults, unassignedError } = assignFieldErrors(error, ({ path, code, params }) => {
      const groupField = findGroupField(path)
      return groupField && createFault(groupField, t(getFieldErrorMessage(code, params)))
    })
    if (stepFaults.length > 0) stepsState.showServerFaults(stepFaults)
    return unassignedError
  }
  const saveState = useSave({
    version,
    save: (baseVersion) => {
      const groupBody = toGroupBody(formValues)
      return groupActions.saveMutation.mutateAsync({ id, body: groupBody, version: baseVersion })
    },
    fetchLatestVersion: () => (id ? fetchGroupVersion(apiClient, id) : Promise.resolve(0)),
    showServerErrors,
    onSaved: () => {
      showToast('confirmation', t`Scan group saved: ${groupName}`)
      void navigateTo({ to: '/admin' })
    },
  })
  return {
    values: formValues,
    changeValues: (changes) => {
      setFormValues({ ...formValues, ...changes })
      const changedFields = toRequestFields(changes)
      const correctedFields = requestFields.filter((field) => changedFields[field] !== undefined)
      stepsState.clearFaults(correctedFields.map((field) => groupFields[field]))
    },
    steps: stepsState,
    save: saveState,
    submitForm: () => {
      if (stepsState.validateAllSteps()) saveState.submit()
    },
    isChanged: () => formValues !== initialValues && !saveState.isSaved(),
  }
}
