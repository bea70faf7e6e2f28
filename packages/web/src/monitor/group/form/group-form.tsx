import { Plural, useLingui } from '@lingui/react/macro'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import type { GroupId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { groupChoicesQuery } from '../queries.ts'
import { type GroupChoices, GeneralStep, GroupReview, ScansStep, TeamsStep } from './steps.tsx'
import { type GroupStep, type GroupValues, groupSteps, useGroupForm } from '../parts/use-form.ts'

type GroupFormProps = {
  id: GroupId | null
  version: number
  initialValues: GroupValues
  title: string
  finishLabel: string
  failureTitle: string
}

/** Form of a scan group in four steps: name and admins, scans, teams, review. */
export function GroupForm({ id, version, initialValues, title, finishLabel, failureTitle }: GroupFormProps): ReactNode {
  const { t } = useLingui()
  const { formatDay } = useFormats()
  const { config: appConfig } = useSession()
  const choicesResult = useQuery(groupChoicesQuery(useSession()))
  const formState = useGroupForm({ id, version, initialValues })
  const { steps: stepsState, save: saveState, values: formValues } = formState
  const stepNames: Record<GroupStep, string> = {
    general: t`General`,
    scans: t`Scans`,
    teams: t`Teams`,
    review: t`Review`,
  }
  const { targetScore, targetDue } = formValues
  const dueDay = targetDue && formatDay(targetDue)
  const targetText = targetDue && t`${targetScore} by ${dueDay}`
  const scanCount = formValues.scans.length
  const teamCount = Object.keys(formValues.teams).length
  const stepSummaries: Partial<Record<GroupStep, ReactNode>> = {
    general: targetText,
    scans: scanCount === 0 ? t`None` : <Plural value={scanCount} one="# scan" other="# scans" />,
    teams: teamCount === 0 ? t`None` : <Plural value={teamCount} one="# team" other="# teams" />,
  }
  const renderSteps = (choices: GroupChoices): Record<GroupStep, ReactNode> => ({
    general: <GeneralStep form={formState} choices={choices} />,
    scans: <ScansStep form={formState} choices={choices} />,
    teams: <TeamsStep form={formState} choices={choices} />,
    review: <GroupReview values={formValues} choices={choices} />,
  })
  return (
    <StepForm
      productName={appConfig.productName}
      title={title}
      isObjectTitle={id !== null}
      cancelLink={<CancelLink to="/admin" />}
      homeLink={<Link key="groups" to="/admin">{t`Scan groups`}</Link>}
      stepOrder={groupSteps}
      stepNames={stepNames}
      summaries={id === null ? {} : stepSummaries}
      steps={stepsState}
      save={saveState}
      failureTitle={failureTitle}
      onRetry={formState.submitForm}
      finishLabel={finishLabel}
      canFinishEarly={id !== null}
      onNext={stepsState.continueToNext}
      onFinish={formState.submitForm}
      isChanged={formState.isChanged}
      notice={
        choicesResult.isPending ? (
          <Skeleton label={t`Loading`} />
        ) : choicesResult.isError ? (
          <ErrorCard
            title={t`The scans, teams and people could not be loaded.`}
            error={choicesResult.error}
            onRetry={() => void choicesResult.refetch()}
          />
        ) : null
      }
    >
      {choicesResult.data ? renderSteps(choicesResult.data)[stepsState.currentStepId] : null}
    </StepForm>
  )
}
