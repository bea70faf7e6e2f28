import { useLingui } from '@lingui/react/macro'
import type { GroupId } from '@clearway/contract/kit/id.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorSummary } from '../../../kit/error-summary.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { SaveFailure } from '../../../kit/save-failure.tsx'
import { ErrorCard, Skeleton } from '../../../kit/states.tsx'
import { StepActions, Stepper } from '../../../kit/stepper.tsx'
import { useSession } from '../../user/model.ts'
import { groupChoicesQuery } from '../queries.ts'
import type { GroupChoices } from './group-steps.tsx'
import { GeneralStep, GroupReview, ScansStep, TeamsStep } from './group-steps.tsx'
import type { GroupStep, GroupValues } from './use-group-form.ts'
import { groupSteps, useGroupForm } from './use-group-form.ts'

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
    review: <GroupReview values={values} />,
  })
  const name = names[steps.current]
  const number = groupSteps.indexOf(steps.current) + 1
  const back = steps.back
  return (
    <>
      <PageHead
        key={steps.current}
        title={`${title}: ${name}`}
        productName={config.productName}
        facts={t`Step ${number} of ${groupSteps.length}`}
        crumbs={[<Link key="groups" to="/admin">{t`Scan groups`}</Link>]}
      />
      <Stepper
        label={t`Steps`}
        current={steps.current}
        onStep={steps.go}
        steps={groupSteps.map((step) => ({
          id: step,
          name: names[step],
          state: steps.stateOf(step),
          reachable: steps.isReachable(step),
        }))}
      >
        <ErrorSummary faults={steps.faults} attempt={steps.attempt} onGo={steps.show} />
        {save.failure !== null && (
          <SaveFailure title={failed} error={save.failure} onRetry={form.send} onOverwrite={save.overwrite} />
        )}
        {choices.isPending && <Skeleton label={t`Loading`} />}
        {choices.isError && (
          <ErrorCard
            title={t`The scans, teams and people could not be loaded.`}
            error={choices.error}
            onRetry={() => void choices.refetch()}
          />
        )}
        {choices.data && (
          <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={name}>
            {part(choices.data)[steps.current]}
          </section>
        )}
        <StepActions
          onBack={back && (() => steps.go(back))}
          next={steps.next && names[steps.next]}
          finish={finish}
          early={id !== null}
          pending={save.isPending}
          onNext={steps.onward}
          onFinish={form.send}
        />
      </Stepper>
      <LeaveGuard blocked={form.isChanged} />
    </>
  )
}
