import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Button } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import { StackedActions } from '../page/stacked-actions.tsx'
import styles from './stepper.module.css'
import { useMediaQuery } from '../page/use-media-query.ts'

export type StepState = 'open' | 'done' | 'skipped' | 'wrong'
export type StepItem<Id extends string> = {
  id: Id
  name: string
  state: StepState
  /** Short summary of the choices on this step. */
  summary?: ReactNode
  /** True if the user can open this step now. */
  isReachable: boolean
  /** True for a step of "More settings". */
  isExtra?: boolean
}

/** Steps between the others that most users do not need. */
export type ExtraSteps = {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Summary of their choices, shown while they are closed. */
  summary: ReactNode
}

type StepperProps<Id extends string> = {
  /** Goal of the steps. */
  label: string
  steps: readonly StepItem<Id>[]
  currentStepId: Id
  onStep: (id: Id) => void
  extraSteps?: ExtraSteps | undefined
  isNumbered?: boolean
  children: ReactNode
}

export const foldedMediaQuery = '(max-width: 63.99rem)'

/** List of steps next to the current one. Below 64rem it folds into a "Step 2 of 4" disclosure. */
export function Stepper<Id extends string>({
  label,
  steps,
  currentStepId,
  onStep,
  extraSteps,
  isNumbered = true,
  children,
}: StepperProps<Id>) {
  const { t } = useLingui()
  const isFolded = useMediaQuery(foldedMediaQuery)
  const stepName = steps.find(({ id }) => id === currentStepId)?.name ?? ''
  const stepPosition = useStepPosition(steps, currentStepId)
  const renderEntry = (step: StepItem<Id>) => (
    <li key={step.id}>
      <StepEntry
        step={step}
        stepNumber={step.isExtra || !isNumbered ? null : getPositionInSteps(steps, step.id).stepNumber}
        isCurrent={step.id === currentStepId}
        onStep={onStep}
      />
    </li>
  )
  const firstExtraIndex = steps.findIndex(({ isExtra }) => isExtra)
  const extraItems = steps.filter(({ isExtra }) => isExtra)
  const stepList = (
    <ol className={styles.steps} data-plain={!isNumbered || undefined}>
      {steps.slice(0, firstExtraIndex === -1 ? steps.length : firstExtraIndex).map(renderEntry)}
      {extraSteps && extraItems.length > 0 && (
        <li>
          <ExtraGroup {...extraSteps} isFaulty={extraItems.some(({ state }) => state === 'wrong')}>
            <ol className={styles.steps}>{extraItems.map(renderEntry)}</ol>
          </ExtraGroup>
        </li>
      )}
      {firstExtraIndex !== -1 && steps.slice(firstExtraIndex + extraItems.length).map(renderEntry)}
    </ol>
  )
  return (
    <div className={styles.stepper}>
      <nav aria-label={label}>
        {isFolded ? (
          // Changing the step closes the disclosure again.
          <details key={currentStepId} className={`${layout.card} ${styles.folded}`}>
            <summary>{isNumbered ? `${stepPosition}: ${stepName}` : t`Section: ${stepName}`}</summary>
            {stepList}
          </details>
        ) : (
          stepList
        )}
      </nav>
      <div className={layout.stack}>{children}</div>
    </div>
  )
}

/** Number of a step among the steps of its kind, and the number of these. */
function getPositionInSteps<Id extends string>(steps: readonly Pick<StepItem<Id>, 'id' | 'isExtra'>[], stepId: Id) {
  const isExtra = steps.find(({ id }) => id === stepId)?.isExtra ?? false
  const stepsOfKind = steps.filter((step) => (step.isExtra ?? false) === isExtra)
  return { isExtra, stepNumber: stepsOfKind.findIndex(({ id }) => id === stepId) + 1, stepCount: stepsOfKind.length }
}

/** Returns the position of a step as text: "Step 2 of 3". */
export function useStepPosition<Id extends string>(steps: readonly Pick<StepItem<Id>, 'id' | 'isExtra'>[], stepId: Id): string {
  const { t } = useLingui()
  const { isExtra, stepNumber, stepCount } = getPositionInSteps(steps, stepId)
  return isExtra ? t`More settings, ${stepNumber} of ${stepCount}` : t`Step ${stepNumber} of ${stepCount}`
}

/** "More settings": a button that opens its steps. A closed group tells if one of them has errors. */
function ExtraGroup({ isOpen, onToggle, summary, isFaulty, children }: ExtraSteps & { isFaulty: boolean; children: ReactNode }) {
  const { t } = useLingui()
  const listId = useId()
  return (
    <>
      <button
        type="button"
        className={`${styles.entry} ${styles.button}`}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => onToggle(!isOpen)}
      >
        <span className={styles.chevron} aria-hidden="true">
          <Icon name={isOpen ? 'up' : 'down'} />
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{t`More settings`}</span>
          {!isOpen && isFaulty && <span className={styles.fix}>{t`Needs a fix`}</span>}
          {!isOpen && !isFaulty && <span className={`${layout.muted} ${layout.sm} ${styles.chosen}`}>{summary}</span>}
        </span>
      </button>
      <div id={listId} hidden={!isOpen} className={styles.extra}>
        {children}
      </div>
    </>
  )
}

type StepEntryProps<Id extends string> = {
  step: StepItem<Id>
  /** Null for a step of "More settings". */
  stepNumber: number | null
  isCurrent: boolean
  onStep: (id: Id) => void
}

const stateIcons = { open: null, done: 'check', skipped: 'dash', wrong: 'warning' } as const

function StepEntry<Id extends string>({ step, stepNumber, isCurrent, onStep }: StepEntryProps<Id>) {
  const { t } = useLingui()
  const { id: stepId, name: stepName, state: stepState, summary, isReachable } = step
  const stateLabel = { open: '', done: t`Done`, skipped: t`Skipped`, wrong: t`Needs a fix` }[stepState]
  const stateIcon = isCurrent ? null : stateIcons[stepState]
  const entryContent = (
    <>
      {(stepNumber !== null || stateIcon) && (
        <span className={`${styles.sign} ${isCurrent ? styles.now : styles[stepState]}`} aria-hidden="true">
          {stateIcon ? <Icon name={stateIcon} /> : stepNumber}
        </span>
      )}
      <span className={styles.words}>
        <span className={styles.name}>{stepName}</span>
        {stepState === 'wrong' ? (
          <span className={styles.fix}>{stateLabel}</span>
        ) : (
          <>
            {stateLabel && <span className={layout.hidden}>{stateLabel}</span>}
            {summary && <span className={`${layout.muted} ${layout.sm} ${styles.chosen}`}>{summary}</span>}
          </>
        )}
      </span>
    </>
  )
  if (!isReachable && !isCurrent) return <span className={styles.entry}>{entryContent}</span>
  return (
    <button
      type="button"
      className={`${styles.entry} ${styles.button}`}
      aria-current={isCurrent ? 'step' : undefined}
      onClick={() => onStep(stepId)}
    >
      {entryContent}
    </button>
  )
}

type StepActionsProps = {
  cancelLink?: ReactNode
  onBack?: (() => void) | undefined
  onSkip?: (() => void) | undefined
  /** Name of the next step; undefined on the last step. */
  nextStepName?: string | undefined
  finishLabel: string
  canFinishEarly?: boolean
  isPending: boolean
  onNext: () => void
  onFinish: () => void
}

export function StepActions(props: StepActionsProps) {
  const { onBack, onSkip, nextStepName, finishLabel, canFinishEarly = false, isPending, onNext, onFinish } = props
  const { t } = useLingui()
  return (
    <div className={styles.actions}>
      <StackedActions>
        {props.cancelLink}
        {onBack && <Button icon="left" onPress={onBack}>{t`Back`}</Button>}
        <span className={`${layout.row} ${layout.end}`}>
          <StackedActions>
            {onSkip && nextStepName && <Button kind="quiet" onPress={onSkip}>{t`Skip`}</Button>}
            {nextStepName && (
              // Existing objects can be saved on every step.
              <Button keepsFocus kind={canFinishEarly ? 'plain' : 'primary'} onPress={onNext}>{t`Next: ${nextStepName}`}</Button>
            )}
            {(!nextStepName || canFinishEarly) && (
              <Button keepsFocus kind="primary" pending={isPending} onPress={onFinish}>
                {finishLabel}
              </Button>
            )}
          </StackedActions>
        </span>
      </StackedActions>
    </div>
  )
}
