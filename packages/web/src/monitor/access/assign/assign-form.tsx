import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { getFieldErrorMessage, getProblemMessage } from '../../../kit/client/problem-text.ts'
import { assignFieldErrors } from '../../../kit/client/field-errors.ts'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import { QueryState } from '../../../kit/page/states.tsx'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSave } from '../../../kit/form/use-save.ts'
import { type StepFault, useSteps } from '../../../kit/form/use-steps.ts'
import { useSession } from '../../user/model.ts'
import { type AssignValues, toAssignments } from '../model.ts'
import { accessChoicesQuery, assignCheckQuery, useAccessActions } from '../queries.ts'
import {
  ReviewStep,
  TargetsStep,
  TeamsStep,
  findAssignField,
  groupsField,
  roleField,
  targetsField,
  teamsField,
} from '../parts/assign-steps.tsx'
import { useRoleNames } from '../parts/role-names.tsx'

const assignSteps = ['teams', 'targets', 'review'] as const
type AssignStepId = (typeof assignSteps)[number]
type AssignFormProps = {
  /** True to assign a single team. */
  single?: boolean
  team: string
  title: string
  headActions?: ReactNode
}

/** Assigns or revokes roles of teams on scans and groups, in three steps: teams, targets, review. */
export function AssignForm({ single = false, team, title, headActions }: AssignFormProps): ReactNode {
  const { t } = useLingui()
  const { api: apiClient, config: appConfig } = useSession()
  const roleNames = useRoleNames()
  const choicesResult = useQuery(accessChoicesQuery(apiClient))
  const {
    values: formValues,
    setValues: changeValues,
    steps: stepsState,
    save: saveState,
    before: initialValues,
  } = useAssignForm(team)
  const stepNames: Record<AssignStepId, string> = {
    teams: single ? t`Select a team` : t`Select teams`,
    targets: t`Assign scans`,
    review: t`Review changes`,
  }
  const targetCount = formValues.scans.length + formValues.groups.length
  const roleName = formValues.role === 'none' ? t`No access` : roleNames[formValues.role]
  const stepSummaries: Partial<Record<AssignStepId, ReactNode>> = {
    teams: formValues.teams.length > 0 && <Plural value={formValues.teams.length} one="# team" other="# teams" />,
    targets: targetCount > 0 && `${roleName} · ${targetCount}`,
  }
  const errorMessage = saveState.saveFailure === null ? '' : t(getProblemMessage(saveState.saveFailure))
  return (
    <StepForm
      productName={appConfig.productName}
      title={title}
      actions={headActions}
      cancelLink={<CancelLink to="/admin/team-access" />}
      homeLink={<Link key="access" to="/admin/team-access">{t`Team access`}</Link>}
      stepOrder={assignSteps}
      stepNames={stepNames}
      summaries={stepSummaries}
      steps={stepsState}
      save={saveState}
      failureTitle={t`Team assignment error: ${errorMessage}`}
      onRetry={saveState.submit}
      finishLabel={t`Save changes`}
      canFinishEarly={false}
      onNext={stepsState.continueToNext}
      onFinish={() => stepsState.validateAllSteps() && saveState.submit()}
      isChanged={() => formValues !== initialValues && !saveState.isSaved()}
      notice={<QueryState query={choicesResult} loadingLabel={t`Loading`} failureTitle={t`Teams fetch error`} />}
    >
      {choicesResult.data ? (
        <>
          {stepsState.currentStepId === 'teams' && (
            <TeamsStep
              choices={choicesResult.data}
              single={single}
              values={formValues}
              errorOf={stepsState.getFieldError}
              onChange={changeValues}
            />
          )}
          {stepsState.currentStepId === 'targets' && (
            <TargetsStep
              choices={choicesResult.data}
              values={formValues}
              errorOf={stepsState.getFieldError}
              onChange={changeValues}
            />
          )}
          {stepsState.currentStepId === 'review' && <ReviewStep choices={choicesResult.data} values={formValues} />}
        </>
      ) : null}
    </StepForm>
  )
}

function useAssignForm(team: string) {
  const { t } = useLingui()
  const { api: apiClient } = useSession()
  const showToast = useToast()
  const navigateTo = useNavigate()
  const { assignMutation } = useAccessActions()
  const [initialValues] = useState<AssignValues>(() => ({
    teams: team === '' ? [] : [team],
    scans: [],
    groups: [],
    role: 'scanViewer',
  }))
  const [formValues, setFormValues] = useState(initialValues)
  const findFaults = (): StepFault<AssignStepId>[] => [
    ...(formValues.teams.length === 0
      ? [{ step: 'teams' as const, field: teamsField, message: t`Choose at least one team.` }]
      : []),
    ...(formValues.scans.length + formValues.groups.length === 0
      ? [{ step: 'targets' as const, field: targetsField, message: t`Scan or Scan Group must not be empty` }]
      : []),
  ]
  const stepsState = useSteps<AssignStepId>({ stepOrder: assignSteps, findFaults, areAllStepsOpen: false })
  const fieldLabels: Readonly<Record<string, string>> = {
    [teamsField]: t`Teams`,
    [groupsField]: t`Scan groups`,
    [roleField]: t`Role`,
  }
  const queryClient = useQueryClient()
  const checkQuery = assignCheckQuery(apiClient, formValues)
  const saveState = useSave({
    // Version of the data that the review shows.
    version: async () => (await queryClient.ensureQueryData(checkQuery)).version,
    save: (version) => assignMutation.mutateAsync({ assignments: toAssignments(formValues), version }),
    fetchLatestVersion: async () => (await queryClient.fetchQuery({ ...checkQuery, staleTime: 0 })).version,
    showServerErrors: (error) => {
      const { fieldFaults: stepFaults, unassignedError } = assignFieldErrors(error, ({ path, code, params }) => {
        const fieldPlace = findAssignField(path)
        return (
          fieldPlace && {
            ...fieldPlace,
            label: fieldLabels[fieldPlace.field] ?? t`Scans`,
            message: t(getFieldErrorMessage(code, params)),
          }
        )
      })
      // Merges identical errors of many values into one line.
      const isFirstOccurrence = (fault: StepFault<AssignStepId>, index: number) =>
        stepFaults.findIndex(({ field, message }) => field === fault.field && message === fault.message) === index
      if (stepFaults.length > 0) stepsState.showServerFaults(stepFaults.filter(isFirstOccurrence))
      return unassignedError
    },
    onSaved: () => {
      showToast('confirmation', t`Team access saved.`)
      void navigateTo({ to: '/admin/team-access' })
    },
  })
  const changeValues = (newValues: AssignValues) => {
    setFormValues(newValues)
    stepsState.clearFaults([
      ...(newValues.teams.length > 0 ? [teamsField] : []),
      ...(newValues.scans.length + newValues.groups.length > 0
        ? stepsState.faults.filter(({ step }) => step === 'targets').map(({ field }) => field)
        : []),
    ])
  }
  return { values: formValues, setValues: changeValues, steps: stepsState, save: saveState, before: initialValues }
}
