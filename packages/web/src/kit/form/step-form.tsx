import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ErrorSummary } from './error-summary.tsx'
import layout from '../page/layout.module.css'
import { LeaveGuard } from '../dialog/leave-guard.tsx'
import { PageHead } from '../page/head.tsx'
import { SaveFailure } from './save-failure.tsx'
import { useMediaQuery } from '../page/use-media-query.ts'
import { type ExtraSteps, foldedMediaQuery, StepActions, Stepper, useStepPosition } from './stepper.tsx'
import type { SaveState } from './use-save.ts'
import type { StepsState } from './use-steps.ts'

export type ShownSteps<Id extends string> = Pick<
  StepsState<Id>,
  | 'currentStepId'
  | 'nextStepId'
  | 'previousStepId'
  | 'attempt'
  | 'faults'
  | 'getStepState'
  | 'isReachable'
  | 'goToStep'
  | 'showFault'
>

type StepFormProps<Id extends string> = {
  productName: string
  /** Title without the step name; the name of the object if `isObjectTitle`. */
  title: string
  /** True if the title is the name of an existing object, whose steps are sections without an order. */
  isObjectTitle?: boolean
  /** Link to the list that the object belongs to, and to an existing object. */
  homeLink: ReactNode
  objectLink?: ReactNode
  /** Leaves the form. */
  cancelLink?: ReactNode
  actions?: ReactNode
  stepOrder: readonly Id[]
  stepNames: Record<Id, string>
  /** The step that has the name of the object: its title is the title of the form alone. */
  mainStep?: Id
  /** Steps of "More settings", which stand between the others. */
  extraSteps?: ExtraSteps & { ids: readonly Id[] }
  /** Summaries of choices, shown in the list of steps. */
  summaries?: Partial<Record<Id, ReactNode>>
  steps: ShownSteps<Id>
  save: Pick<SaveState, 'saveFailure' | 'isPending' | 'overwrite'>
  failureTitle: string
  onRetry: () => void
  finishLabel: string
  /** Shows the last button on every step; true for existing objects. */
  canFinishEarly: boolean
  onNext: () => void
  /** Leaves the step with its previous values; omitted where steps cannot be skipped. */
  onSkip?: (() => void) | undefined
  onFinish: () => void
  isChanged: () => boolean
  /** Explains what happens to changes when the user leaves. */
  leaveText?: string
  /** Shown above the errors. */
  banner?: ReactNode
  /** Replaces the step while its choices load or if loading failed. */
  notice?: ReactNode
  /** Content of the current step; null while a notice is shown. */
  children: ReactNode
  /** True if the content brings its own cards. */
  hasOwnCards?: boolean
}

/** Multi-step form: title with the step name, error summary, save failure, current step and navigation. */
export function StepForm<Id extends string>({ stepNames, steps, stepOrder, save, summaries, ...props }: StepFormProps<Id>) {
  const { extraSteps, isObjectTitle = false } = props
  const stepKinds = stepOrder.map((id) => ({ id, isExtra: extraSteps?.ids.includes(id) ?? false }))
  const stepPosition = useStepPosition(stepKinds, steps.currentStepId)
  const { t } = useLingui()
  const stepName = stepNames[steps.currentStepId]
  const titleWithStep = `${props.title}: ${stepName}`
  const shownTitle = isObjectTitle || steps.currentStepId === props.mainStep ? props.title : titleWithStep
  // The steps of an existing object have no order.
  const isNumbered = props.objectLink === undefined && !isObjectTitle
  // The folded list of steps says the position.
  const isFolded = useMediaQuery(foldedMediaQuery)
  const { previousStepId: previousStep, nextStepId: nextStep } = steps
  return (
    <>
      <PageHead
        key={steps.currentStepId}
        title={shownTitle}
        document={isObjectTitle ? titleWithStep : shownTitle}
        hiddenTitle={isObjectTitle && steps.currentStepId !== props.mainStep ? stepName : undefined}
        productName={props.productName}
        facts={isFolded || props.objectLink ? undefined : isNumbered ? stepPosition : stepName}
        crumbs={props.objectLink ? [props.homeLink, props.objectLink] : [props.homeLink]}
        actions={props.actions}
      />
      <Stepper
        label={t`Steps`}
        currentStepId={steps.currentStepId}
        onStep={steps.goToStep}
        extraSteps={extraSteps}
        isNumbered={isNumbered}
        steps={stepKinds.map(({ id: step, isExtra }) => ({
          id: step,
          isExtra,
          name: stepNames[step],
          // An existing object, or one with defaults, can be finished at once: then no step counts as done.
          state: props.canFinishEarly && steps.getStepState(step) === 'done' ? 'open' : steps.getStepState(step),
          summary: summaries?.[step],
          isReachable: steps.isReachable(step),
        }))}
      >
        {props.banner}
        <ErrorSummary
          faults={steps.faults.filter(({ step }) => step === steps.currentStepId)}
          faultyPlaces={stepOrder.flatMap((step) => {
            const firstFault = steps.faults.find((fault) => fault.step === step)
            return firstFault && step !== steps.currentStepId ? [{ name: stepNames[step], firstFault }] : []
          })}
          attempt={steps.attempt}
          onNavigate={steps.showFault}
        />
        {save.saveFailure !== null && (
          <SaveFailure title={props.failureTitle} error={save.saveFailure} onRetry={props.onRetry} onOverwrite={save.overwrite} />
        )}
        {props.notice}
        {props.hasOwnCards
          ? props.children
          : props.children !== null && (
              <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-label={stepName}>
                {props.children}
              </section>
            )}
        <StepActions
          cancelLink={props.cancelLink}
          onBack={previousStep && (() => steps.goToStep(previousStep))}
          onSkip={props.onSkip}
          nextStepName={nextStep && stepNames[nextStep]}
          finishLabel={props.finishLabel}
          canFinishEarly={props.canFinishEarly}
          isPending={save.isPending}
          onNext={props.onNext}
          onFinish={props.onFinish}
        />
      </Stepper>
      <LeaveGuard shouldBlock={props.isChanged} {...(props.leaveText ? { text: props.leaveText } : {})} />
    </>
  )
}
