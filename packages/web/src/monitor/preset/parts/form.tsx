import { useLingui } from '@lingui/react/macro'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useSession } from '../../user/model.ts'
import { AdvancedStep, ComponentsStep, GeneralStep } from './steps.tsx'
import { PresetReview } from './review.tsx'
import type { PresetStep } from './values.ts'
import { presetSteps } from './values.ts'
import { usePresetForm } from './use-form.ts'

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
  return (
    <FormProvider {...form}>
      <StepForm
        productName={config.productName}
        title={title}
        homeLink={<Link key="presets" to="/admin/presets">{t`Presets`}</Link>}
        stepOrder={presetSteps}
        stepNames={names}
        steps={steps}
        save={save}
        failureTitle={t`The preset could not be saved.`}
        onRetry={save.submit}
        finishLabel={finish}
        canFinishEarly={id !== null}
        onNext={state.onward}
        onFinish={state.send}
        isChanged={state.isChanged}
      >
        {parts[steps.currentStepId]}
      </StepForm>
    </FormProvider>
  )
}
