import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StepForm } from '../../../kit/form/step-form.tsx'
import { useSession } from '../../user/model.ts'
import { type ScriptValues, toDryRun } from '../model.ts'
import type { ScriptStepId } from './use-form.ts'
import { scriptSteps, useScriptForm } from './use-form.ts'
import { GeneralStep, ReviewStep } from './steps.tsx'
import { VariableFields } from './variables.tsx'
import { DryRun } from '../parts/dry-run.tsx'
import { typeWords } from '../parts/words.ts'

type Props = {
  id: ScriptId | null
  before: ScriptValues
  version: number
  /** The title without its step. */
  title: string
  finish: string
}

/** A shared script in three steps: the script, its environment variables, and a look at both. */
export function ScriptForm({ id, before, version, title, finish }: Props): ReactNode {
  const { t } = useLingui()
  const { config } = useSession()
  const form = useScriptForm({ id, before, version })
  const { values, steps, save } = form
  const names: Record<ScriptStepId, string> = {
    script: t`Script`,
    variables: t`Environment variables`,
    review: t`Review`,
  }
  const count = values.variables.length
  const chosen: Partial<Record<ScriptStepId, ReactNode>> = {
    script: values.name.trim() && `${values.name.trim()} · ${t(typeWords[values.type])}`,
    variables: steps.getStepState('variables') === 'done' && (count === 0 ? t`None` : String(count)),
  }
  const parts: Record<ScriptStepId, ReactNode> = {
    script: <GeneralStep form={form} />,
    variables: (
      <VariableFields rows={values.variables} onChange={form.setVariables} checked={form.isChecked} />
    ),
    review: <ReviewStep form={form} names={names} />,
  }
  return (
    <StepForm
      productName={config.productName}
      title={title}
      homeLink={<Link key="scripts" to="/admin/scripts">{t`Shared scripts`}</Link>}
      stepOrder={scriptSteps}
      stepNames={names}
      summaries={chosen}
      steps={steps}
      save={save}
      failureTitle={t`The script could not be saved.`}
      onRetry={form.send}
      finishLabel={finish}
      canFinishEarly={id !== null}
      onNext={form.onward}
      onFinish={form.send}
      isChanged={form.isChanged}
    >
      {parts[steps.currentStepId]}
      {steps.currentStepId !== 'review' && <DryRun body={() => toDryRun(id, values)} />}
    </StepForm>
  )
}
