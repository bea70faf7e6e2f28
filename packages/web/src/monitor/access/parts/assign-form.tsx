import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { getFieldErrorMessage, getProblemMessage } from '../../../kit/client/problem-text.ts'
import { assignFieldErrors } from '../../../kit/client/refusal.ts'
import { QueryState } from '../../../kit/page/states.tsx'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useToast } from '../../../kit/dialog/toast.tsx'
import { useSave } from '../../../kit/form/use-save.ts'
import type { StepFault } from '../../../kit/form/use-steps.ts'
import { useSteps } from '../../../kit/form/use-steps.ts'
import { useSession } from '../../user/model.ts'
import type { AssignValues } from '../model.ts'
import { assignmentsOf } from '../model.ts'
import { accessChoicesQuery, assignCheckQuery, useAccessActions } from '../queries.ts'
import {
  ReviewStep,
  TargetsStep,
  TeamsStep,
  assignFieldOf,
  groupsField,
  roleField,
  targetsField,
  teamsField,
} from './assign-steps.tsx'
import { useRoleNames } from './words.tsx'

const order = ['teams', 'targets', 'review'] as const
type StepId = (typeof order)[number]
type Props = {
  /** One team only. */
  single?: boolean
  /** The team that is chosen already. */
  team: string
  title: string
}

/** Gives teams a role on scans and groups, or takes it: whom, on what, and a look at what changes. */
export function AssignForm({ single = false, team, title }: Props): ReactNode {
  const { t } = useLingui()
  const { api, config } = useSession()
  const roles = useRoleNames()
  const choices = useQuery(accessChoicesQuery(api))
  const { values, setValues, steps, save, before } = useAssign(team)
  const names: Record<StepId, string> = {
    teams: single ? t`Select a team` : t`Select teams`,
    targets: t`Assign scans`,
    review: t`Review changes`,
  }
  const targets = values.scans.length + values.groups.length
  const role = values.role === 'none' ? t`No access` : roles[values.role]
  const chosen: Partial<Record<StepId, ReactNode>> = {
    teams: values.teams.length > 0 && <Plural value={values.teams.length} one="# team" other="# teams" />,
    targets: targets > 0 && `${role} · ${targets}`,
  }
  const message = save.saveFailure === null ? '' : t(getProblemMessage(save.saveFailure))
  return (
    <StepForm
      productName={config.productName}
      title={title}
      homeLink={<Link key="access" to="/admin/team-access">{t`Team access`}</Link>}
      stepOrder={order}
      stepNames={names}
      summaries={chosen}
      steps={steps}
      save={save}
      failureTitle={t`Team assignment error: ${message}`}
      onRetry={save.submit}
      finishLabel={t`Save changes`}
      canFinishEarly={false}
      onNext={steps.continueToNext}
      onFinish={() => steps.validateAllSteps() && save.submit()}
      isChanged={() => values !== before && !save.isSaved()}
      notice={<QueryState query={choices} loadingLabel={t`Loading`} failureTitle={t`Teams fetch error`} />}
    >
      {choices.data ? (
        <>
          {steps.currentStepId === 'teams' && (
            <TeamsStep
              choices={choices.data}
              single={single}
              values={values}
              errorOf={steps.getFieldError}
              onChange={setValues}
            />
          )}
          {steps.currentStepId === 'targets' && (
            <TargetsStep
              choices={choices.data}
              values={values}
              errorOf={steps.getFieldError}
              onChange={setValues}
            />
          )}
          {steps.currentStepId === 'review' && <ReviewStep choices={choices.data} values={values} />}
        </>
      ) : null}
    </StepForm>
  )
}

function useAssign(team: string) {
  const { t } = useLingui()
  const { api } = useSession()
  const toast = useToast()
  const navigate = useNavigate()
  const { assign } = useAccessActions()
  const [before] = useState<AssignValues>(() => ({
    teams: team === '' ? [] : [team],
    scans: [],
    groups: [],
    role: 'scanViewer',
  }))
  const [values, setOwn] = useState(before)
  const check = (): StepFault<StepId>[] => [
    ...(values.teams.length === 0
      ? [{ step: 'teams' as const, field: teamsField, message: t`Choose at least one team.` }]
      : []),
    ...(values.scans.length + values.groups.length === 0
      ? [{ step: 'targets' as const, field: targetsField, message: t`Scan or Scan Group must not be empty` }]
      : []),
  ]
  const steps = useSteps<StepId>({ stepOrder: order, findFaults: check, areAllStepsOpen: false })
  const labels: Readonly<Record<string, string>> = {
    [teamsField]: t`Teams`,
    [groupsField]: t`Scan groups`,
    [roleField]: t`Role`,
  }
  const client = useQueryClient()
  const looked = assignCheckQuery(api, values)
  const save = useSave({
    // Of what the review shows.
    version: async () => (await client.ensureQueryData(looked)).version,
    save: (version) => assign.mutateAsync({ assignments: assignmentsOf(values), version }),
    fetchLatestVersion: async () => (await client.fetchQuery({ ...looked, staleTime: 0 })).version,
    showServerErrors: (error) => {
      const { fieldFaults: faults, unassignedError: rest } = assignFieldErrors(error, ({ path, code, params }) => {
        const at = assignFieldOf(path)
        return at && { ...at, label: labels[at.field] ?? t`Scans`, message: t(getFieldErrorMessage(code, params)) }
      })
      // Of many values that are wrong alike one line says it.
      const first = (fault: StepFault<StepId>, i: number) =>
        faults.findIndex(({ field, message }) => field === fault.field && message === fault.message) === i
      if (faults.length > 0) steps.showServerFaults(faults.filter(first))
      return rest
    },
    onSaved: () => {
      toast('confirmation', t`Team access saved.`)
      void navigate({ to: '/admin/team-access' })
    },
  })
  const setValues = (next: AssignValues) => {
    setOwn(next)
    steps.clearFaults([
      ...(next.teams.length > 0 ? [teamsField] : []),
      ...(next.scans.length + next.groups.length > 0
        ? steps.faults.filter(({ step }) => step === 'targets').map(({ field }) => field)
        : []),
    ])
  }
  return { values, setValues, steps, save, before }
}
