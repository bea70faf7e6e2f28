import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ErrorSummary } from './error-summary.tsx'
import layout from '../page/layout.module.css'
import { LeaveGuard } from '../dialog/leave-guard.tsx'
import { PageHead } from '../page/head.tsx'
import { SaveFailure } from './save-failure.tsx'
import { StepActions, Stepper } from './stepper.tsx'
import type { Save } from './use-save.ts'
import type { Steps } from './use-steps.ts'

type Props<Id extends string> = {
  productName: string
  /** The title without its step. */
  title: string
  /** The link to the list that this belongs to. */
  home: ReactNode
  order: readonly Id[]
  names: Record<Id, string>
  /** What was chosen on a step, in the list of steps. */
  chosen?: Partial<Record<Id, ReactNode>>
  steps: Steps<Id>
  save: Save
  /** What is said when the server did not take it. */
  failed: string
  /** The same attempt again. */
  onRetry: () => void
  /** Words of the last button. */
  finish: string
  /** The last button is on every step: of something that exists already. */
  early: boolean
  onNext: () => void
  onFinish: () => void
  isChanged: () => boolean
  /** In place of the step: that its choices are being loaded, or could not be. */
  notice?: ReactNode
  /** The current step; null while there is a notice. */
  children: ReactNode
}

/** A form in steps: title with its step, what has to be corrected, why it was not saved, the step, and the way on. */
export function StepForm<Id extends string>({ names, steps, order, save, chosen, ...props }: Props<Id>) {
  const { t } = useLingui()
  const name = names[steps.current]
  const number = order.indexOf(steps.current) + 1
  const { back, next } = steps
  return (
    <>
      <PageHead
        key={steps.current}
        title={`${props.title}: ${name}`}
        productName={props.productName}
        facts={t`Step ${number} of ${order.length}`}
        crumbs={[props.home]}
      />
      <Stepper
        label={t`Steps`}
        current={steps.current}
        onStep={steps.go}
        steps={order.map((step) => ({
          id: step,
          name: names[step],
          state: steps.stateOf(step),
          chosen: chosen?.[step],
          reachable: steps.isReachable(step),
        }))}
      >
        <ErrorSummary faults={steps.faults} attempt={steps.attempt} onGo={steps.show} />
        {save.failure !== null && (
          <SaveFailure
            title={props.failed}
            error={save.failure}
            onRetry={props.onRetry}
            onOverwrite={save.overwrite}
          />
        )}
        {props.notice}
        {props.children !== null && (
          <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={name}>
            {props.children}
          </section>
        )}
        <StepActions
          onBack={back && (() => steps.go(back))}
          next={next && names[next]}
          finish={props.finish}
          early={props.early}
          pending={save.isPending}
          onNext={props.onNext}
          onFinish={props.onFinish}
        />
      </Stepper>
      <LeaveGuard blocked={props.isChanged} />
    </>
  )
}
