import { useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { ErrorSummary } from '../../../kit/error-summary.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { SaveFailure } from '../../../kit/save-failure.tsx'
import { StepActions, Stepper } from '../../../kit/stepper.tsx'
import { useSession } from '../../user/model.ts'
import { AdvancedStep, ComponentsStep, GeneralStep } from './preset-steps.tsx'
import { PresetReview } from './preset-review.tsx'
import type { PresetStep } from './preset-values.ts'
import { presetSteps } from './preset-values.ts'
import { usePresetForm } from './use-preset-form.ts'

type Props = {
  id: PresetId | null
  stored: PresetSettings | null
  version: number
  /** The title without its step. */
  title: string
  finish: string
}

/** What scans share, in four steps. */
export function PresetForm({ id, stored, version, title, finish }: Props): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const state = usePresetForm({ id, stored, version })
  const { form, steps, save } = state
  const names: Record<PresetStep, string> = {
    general: t`General`,
    components: t`Common components`,
    advanced: t`Advanced`,
    review: t`Review`,
  }
  const parts: Record<PresetStep, ReactNode> = {
    general: <GeneralStep state={state} />,
    components: <ComponentsStep />,
    advanced: <AdvancedStep state={state} />,
    review: <PresetReview state={state} names={names} />,
  }
  const name = names[steps.current]
  const number = presetSteps.indexOf(steps.current) + 1
  const back = steps.back
  return (
    <FormProvider {...form}>
      <PageHead
        key={steps.current}
        title={`${title}: ${name}`}
        productName={config.productName}
        facts={t`Step ${number} of ${presetSteps.length}`}
        crumbs={[<Link key="presets" to="/admin/presets">{t`Presets`}</Link>]}
      />
      <Stepper
        label={t`Steps`}
        current={steps.current}
        onStep={steps.go}
        steps={presetSteps.map((step) => ({
          id: step,
          name: names[step],
          state: steps.stateOf(step),
          reachable: steps.isReachable(step),
        }))}
      >
        <ErrorSummary faults={steps.faults} attempt={steps.attempt} onGo={steps.show} />
        {save.failure !== null && (
          <SaveFailure
            title={t`The preset could not be saved.`}
            error={save.failure}
            onRetry={save.send}
            onOverwrite={save.overwrite}
          />
        )}
        <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={name}>
          {parts[steps.current]}
        </section>
        <StepActions
          onBack={back && (() => steps.go(back))}
          next={steps.next && names[steps.next]}
          finish={finish}
          early={id !== null}
          pending={save.isPending}
          onNext={state.onward}
          onFinish={state.send}
        />
      </Stepper>
      <LeaveGuard blocked={state.isChanged} />
    </FormProvider>
  )
}
