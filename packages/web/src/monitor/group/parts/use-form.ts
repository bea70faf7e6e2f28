import { useLingui } from '@lingui/react/macro'
import type { GroupId, ScanId, UserId } from '@clearway/contract/kit/id.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
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
  admins: 'group-admins',
  scans: 'group-scans',
  teams: 'group-teams',
} as const
type GroupRequestField = keyof typeof groupFields
const stepsByField: Record<GroupRequestField, GroupStep> = {
  scanGroupName: 'general',
  admins: 'general',
  scans: 'scans',
  teams: 'teams',
}

/** Returns the request field that a path belongs to; null if it has no control. */
export const findGroupField = (path: string): GroupRequestField | null =>
  path === 'name' ? 'scanGroupName' : findFieldName(Object.keys(groupFields) as GroupRequestField[], path)

export type GroupValues = { name: string; admins: UserId[]; scans: ScanId[]; teams: Record<string, ScanRole> }
export type GroupFormState = {
  values: GroupValues
  changeValues: (changes: Partial<GroupValues>) => void
  steps: StepsState<GroupStep>
  save: SaveState
  submitForm: () => void
  isChanged: () => boolean
}
type GroupFormOptions = { id: GroupId | null; version: number; initialValues: GroupValues }

/** Form state of a scan group: values, steps and saving. Errors appear at their fields. */
export function useGroupForm({ id, version, initialValues }: GroupFormOptions): GroupFormState {
  const { t } = useLingui()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { api: apiClient } = useSession()
  const groupActions = useGroupActions()
  const [formValues, setFormValues] = useState(initialValues)
  const { name: groupName, admins: adminIds, scans: scanIds, teams: teamRoles } = formValues
  const fieldLabels = { scanGroupName: t`Name`, admins: t`Group admins`, scans: t`Scans`, teams: t`Teams` }
  const createFault = (field: GroupRequestField, message: string): StepFault<GroupStep> => ({
    step: stepsByField[field],
    field: groupFields[field],
    label: fieldLabels[field],
    message,
  })
  const findFaults = () => (groupName.trim() === '' ? [createFault('scanGroupName', t(getFieldErrorMessage('required')))] : [])
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
      const groupBody = { scanGroupName: groupName, admins: adminIds, scans: scanIds, teams: toTeamRoles(teamRoles) }
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
      const changedFields = { scanGroupName: changes.name, admins: changes.admins, scans: changes.scans, teams: changes.teams }
      const correctedFields = (Object.keys(groupFields) as GroupRequestField[]).filter(
        (value) => changedFields[value] !== undefined,
      )
      stepsState.clearFaults(correctedFields.map((value) => groupFields[value]))
    },
    steps: stepsState,
    save: saveState,
    submitForm: () => {
      if (stepsState.validateAllSteps()) saveState.submit()
    },
    isChanged: () => formValues !== initialValues && !saveState.isSaved(),
  }
}
