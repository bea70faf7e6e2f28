import { useLingui } from '@lingui/react/macro'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useFormats } from '../../../kit/text/format.ts'
import { useSession } from '../../user/model.ts'
import { AdvancedStep, ComponentsStep, GeneralStep } from './steps.tsx'
import { PresetReview } from './review.tsx'
import { type PresetStep, presetSteps } from '../parts/values.ts'
import { usePresetForm } from './use-form.ts'

type PresetFormProps = {
  id: PresetId | null
  storedPreset: PresetSettings | null
  version: number
  title: string
  finishLabel: string
}

export function PresetForm({ id, storedPreset, version, title, finishLabel }: PresetFormProps): ReactNode {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const { config: appConfig } = useSession()
  const formState = usePresetForm({ id, storedPreset, version })
  const { form: scanForm, steps: stepsState, save: saveState } = formState
  const stepNames: Record<PresetStep, string> = {
    general: t`General`,
    components: t`Common components`,
    advanced: t`Advanced`,
    review: t`Review`,
  }
  const getDecider = (isDecided: boolean) => (isDecided ? t`The preset decides this` : t`Each scan decides`)
  const { decidedParts, shareLink, sendToReports } = formState.choices
  const partNames = [
    ...(decidedParts.ruleSet ? [t`Rules`] : []),
    ...(decidedParts.urlScope ? [t`URLs`] : []),
    ...(decidedParts.scanScope ? [t`Scan size`] : []),
    ...(shareLink !== 'free' ? [t`Public share link`] : []),
    ...(sendToReports !== 'free' ? [t`Send results to the reports product`] : []),
  ]
  const stepSummaries: Partial<Record<PresetStep, ReactNode>> = {
    general: partNames.length > 0 ? formatList(partNames) : t`Each scan decides`,
    components: getDecider(scanForm.getValues('commonComponents.components').length > 0),
    advanced: getDecider(decidedParts.advanced),
  }
  const stepContents: Record<PresetStep, ReactNode> = {
    general: <GeneralStep state={formState} />,
    components: <ComponentsStep />,
    advanced: <AdvancedStep state={formState} />,
    review: <PresetReview state={formState} names={stepNames} />,
  }
  return (
    <FormProvider {...scanForm}>
      <StepForm
        productName={appConfig.productName}
        title={title}
        isObjectTitle={id !== null}
        homeLink={<Link key="presets" to="/admin/presets">{t`Presets`}</Link>}
        cancelLink={<CancelLink to="/admin/presets" />}
        stepOrder={presetSteps}
        stepNames={stepNames}
        summaries={id === null ? {} : stepSummaries}
        steps={stepsState}
        save={saveState}
        failureTitle={t`The preset could not be saved.`}
        onRetry={saveState.submit}
        finishLabel={finishLabel}
        canFinishEarly={id !== null}
        onNext={formState.continueToNext}
        onFinish={formState.submitForm}
        isChanged={formState.isChanged}
      >
        {stepContents[stepsState.currentStepId]}
      </StepForm>
    </FormProvider>
  )
}
