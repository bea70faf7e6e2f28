import { useLingui } from '@lingui/react/macro'
import type { ScriptId } from '@clearway/contract/kit/id.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ErrorSummary } from '../../../kit/error-summary.tsx'
import layout from '../../../kit/layout.module.css'
import { LeaveGuard } from '../../../kit/leave-guard.tsx'
import { PageHead } from '../../../kit/page-head.tsx'
import { SaveFailure } from '../../../kit/save-failure.tsx'
import { StepActions, Stepper } from '../../../kit/stepper.tsx'
import { useSession } from '../../user/model.ts'
import type { ScriptValues } from '../model.ts'
import type { ScriptStepId } from './use-script-form.ts'
import { scriptSteps, useScriptForm } from './use-script-form.ts'
import { GeneralStep, ReviewStep } from './script-steps.tsx'
import { VariableFields } from './variable-fields.tsx'
import { typeWords } from './words.ts'

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
    variables: steps.stateOf('variables') === 'done' && (count === 0 ? t`None` : String(count)),
  }
  const name = names[steps.current]
  const number = scriptSteps.indexOf(steps.current) + 1
  const parts: Record<ScriptStepId, ReactNode> = {
    script: <GeneralStep form={form} />,
    variables: (
      <VariableFields rows={values.variables} onChange={form.setVariables} checked={form.isChecked} />
    ),
    review: <ReviewStep form={form} names={names} />,
  }
  const back = steps.back
  return (
    <>
      <PageHead
        key={steps.current}
        title={`${title}: ${name}`}
        productName={config.productName}
        facts={t`Step ${number} of ${scriptSteps.length}`}
        crumbs={[<Link key="scripts" to="/admin/scripts">{t`Shared scripts`}</Link>]}
      />
      <Stepper
        label={t`Steps`}
        current={steps.current}
        onStep={steps.go}
        steps={scriptSteps.map((step) => ({
          id: step,
          name: names[step],
          state: steps.stateOf(step),
          chosen: chosen[step],
          reachable: steps.isReachable(step),
        }))}
      >
        <ErrorSummary faults={steps.faults} attempt={steps.attempt} onGo={steps.show} />
        {save.failure !== null && (
          <SaveFailure
            title={t`The script could not be saved.`}
            error={save.failure}
            onRetry={form.send}
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
          onNext={form.onward}
          onFinish={form.send}
        />
      </Stepper>
      <LeaveGuard blocked={form.isChanged} />
    </>
  )
}
