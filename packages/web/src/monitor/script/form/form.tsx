import { useLingui } from '@lingui/react/macro'
import { CancelLink } from '../../../kit/form/cancel-link.tsx'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useSession } from '../../user/model.ts'
import { type ScriptValues, toDryRunBody } from './model.ts'
import { type ScriptStepId, scriptSteps, useScriptForm } from './use-form.ts'
import { GeneralStep, ReviewStep } from './steps.tsx'
import { VariableFields } from './variables.tsx'
import { DryRun } from '../parts/dry-run.tsx'
import { scriptTypeLabels } from '../parts/labels.ts'

type ScriptFormProps = {
  id: ScriptId | null
  initialValues: ScriptValues
  version: number
  title: string
  finishLabel: string
}

export function ScriptForm({ id, initialValues, version, title, finishLabel }: ScriptFormProps): ReactNode {
  const { t } = useLingui()
  const { config: appConfig } = useSession()
  const formState = useScriptForm({ id, initialValues, version })
  const { values: formValues, steps: stepsState, save: saveState } = formState
  const stepNames: Record<ScriptStepId, string> = {
    script: t`Script`,
    variables: t`Environment variables`,
    review: t`Review`,
  }
  const variableCount = formValues.variables.length
  const stepSummaries: Partial<Record<ScriptStepId, ReactNode>> = {
    script: formValues.name.trim() && `${formValues.name.trim()} · ${t(scriptTypeLabels[formValues.type])}`,
    variables: stepsState.getStepState('variables') === 'done' && (variableCount === 0 ? t`None` : String(variableCount)),
  }
  const stepContents: Record<ScriptStepId, ReactNode> = {
    script: <GeneralStep form={formState} />,
    variables: (
      <VariableFields
        rows={formValues.variables}
        onChange={formState.setVariables}
        areFaultsShown={formState.areVariablesChecked}
      />
    ),
    review: <ReviewStep form={formState} names={stepNames} />,
  }
  return (
    <StepForm
      productName={appConfig.productName}
      title={title}
      isObjectTitle={id !== null}
      homeLink={<Link key="scripts" to="/admin/scripts">{t`Shared scripts`}</Link>}
      cancelLink={<CancelLink to="/admin/scripts" />}
      stepOrder={scriptSteps}
      stepNames={stepNames}
      mainStep="script"
      summaries={stepSummaries}
      steps={stepsState}
      save={saveState}
      failureTitle={t`The script could not be saved.`}
      onRetry={formState.submitForm}
      finishLabel={finishLabel}
      canFinishEarly={id !== null}
      onNext={formState.continueToNext}
      onFinish={formState.submitForm}
      isChanged={formState.isChanged}
    >
      {stepContents[stepsState.currentStepId]}
      {stepsState.currentStepId !== 'review' && <DryRun getRequestBody={() => toDryRunBody(id, formValues)} />}
    </StepForm>
  )
}
