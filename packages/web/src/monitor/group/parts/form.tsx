import { useLingui } from '@lingui/react/macro'
import type { GroupId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorCard, Skeleton } from '../../../kit/page/states.tsx'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useSession } from '../../user/model.ts'
import { groupChoicesQuery } from '../queries.ts'
import type { GroupChoices } from './steps.tsx'
import { GeneralStep, GroupReview, ScansStep, TeamsStep } from './steps.tsx'
import type { GroupStep, GroupValues } from './use-form.ts'
import { groupSteps, useGroupForm } from './use-form.ts'

type Props = {
  id: GroupId | null
  version: number
  before: GroupValues
  /** The title without its step. */
  title: string
  finish: string
  /** What is said when the server did not take it. */
  failed: string
}

/** A scan group in four steps: name and admins, scans, teams, and a look at all of it. */
export function GroupForm({ id, version, before, title, finish, failed }: Props): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const choices = useQuery(groupChoicesQuery(useSession()))
  const form = useGroupForm({ id, version, before })
  const { steps, save, values } = form
  const names: Record<GroupStep, string> = {
    general: t`General`,
    scans: t`Add scans`,
    teams: t`Add teams`,
    review: t`Review`,
  }
  const part = (found: GroupChoices): Record<GroupStep, ReactNode> => ({
    general: <GeneralStep form={form} choices={found} />,
    scans: <ScansStep form={form} choices={found} />,
    teams: <TeamsStep form={form} choices={found} />,
    review: <GroupReview values={values} choices={found} />,
  })
  return (
    <StepForm
      productName={config.productName}
      title={title}
      homeLink={<Link key="groups" to="/admin">{t`Scan groups`}</Link>}
      stepOrder={groupSteps}
      stepNames={names}
      steps={steps}
      save={save}
      failureTitle={failed}
      onRetry={form.send}
      finishLabel={finish}
      canFinishEarly={id !== null}
      onNext={steps.continueToNext}
      onFinish={form.send}
      isChanged={form.isChanged}
      notice={
        choices.isPending ? (
          <Skeleton label={t`Loading`} />
        ) : choices.isError ? (
          <ErrorCard
            title={t`The scans, teams and people could not be loaded.`}
            error={choices.error}
            onRetry={() => void choices.refetch()}
          />
        ) : null
      }
    >
      {choices.data ? part(choices.data)[steps.currentStepId] : null}
    </StepForm>
  )
}
