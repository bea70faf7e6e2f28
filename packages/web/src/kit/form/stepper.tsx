import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
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
}

type StepperProps<Id extends string> = {
  /** Goal of the steps. */
  label: string
  steps: readonly StepItem<Id>[]
  currentStepId: Id
  onStep: (id: Id) => void
  children: ReactNode
}

const foldedMediaQuery = '(max-width: 63.99rem)'

/** List of steps next to the current one. Below 64rem it folds into a "Step 2 of 4" disclosure. */
export function Stepper<Id extends string>({ label, steps, currentStepId, onStep, children }: StepperProps<Id>) {
  const { t } = useLingui()
  const isFolded = useMediaQuery(foldedMediaQuery)
  const currentIndex = steps.findIndex(({ id }) => id === currentStepId)
  const stepName = steps[currentIndex]?.name ?? ''
  const stepNumber = currentIndex + 1
  const stepCount = steps.length
  const stepList = (
    <ol className={styles.steps}>
      {steps.map((step, i) => (
        <li key={step.id}>
          <StepEntry step={step} stepNumber={i + 1} isCurrent={step.id === currentStepId} onStep={onStep} />
        </li>
      ))}
    </ol>
  )
  return (
    <div className={styles.stepper}>
      <nav aria-label={label}>
        {isFolded ? (
          // Changing the step closes the disclosure again.
          <details key={currentStepId} className={`${layout.card} ${styles.folded}`}>
            <summary>{t`Step ${stepNumber} of ${stepCount}: ${stepName}`}</summary>
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

type StepEntryProps<Id extends string> = { step: StepItem<Id>; stepNumber: number; isCurrent: boolean; onStep: (id: Id) => void }

const stateIcons = { open: null, done: 'check', skipped: 'dash', wrong: 'warning' } as const

function StepEntry<Id extends string>({ step, stepNumber, isCurrent, onStep }: StepEntryProps<Id>) {
  const { t } = useLingui()
  const { id: stepId, name: stepName, state: stepState, summary, isReachable } = step
  const stateLabel = { open: '', done: t`Done`, skipped: t`Skipped`, wrong: t`Needs a fix` }[stepState]
  const stateIcon = isCurrent ? null : stateIcons[stepState]
  const entryContent = (
    <>
      <span className={`${styles.sign} ${isCurrent ? styles.now : styles[stepState]}`} aria-hidden="true">
        {stateIcon ? <Icon name={stateIcon} /> : stepNumber}
      </span>
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
  onBack?: (() => void) | undefined
  onSkip?: (() => void) | undefined
  /** Name of the next step; undefined on the last step. */
  nextStepName?: string | undefined
  /** Label of the last button. */
  finishLabel: string
  /** Shows the last button on every step. */
  canFinishEarly?: boolean
  isPending: boolean
  onNext: () => void
  onFinish: () => void
}

/** Back, Skip, Next and Finish buttons below the card of the step. */
export function StepActions(props: StepActionsProps) {
  const { onBack, onSkip, nextStepName, finishLabel, canFinishEarly = false, isPending, onNext, onFinish } = props
  const { t } = useLingui()
  return (
    <div className={styles.actions}>
      {onBack && <Button icon="left" onPress={onBack}>{t`Back`}</Button>}
      <span className={`${layout.row} ${layout.end}`}>
        {onSkip && nextStepName && <Button kind="quiet" onPress={onSkip}>{t`Skip`}</Button>}
        {nextStepName && canFinishEarly && (
          <Button keepsFocus kind="primary" pending={isPending} onPress={onFinish}>
            {finishLabel}
          </Button>
        )}
        {nextStepName ? (
          // Existing objects can be saved on every step.
          <Button keepsFocus kind={canFinishEarly ? 'plain' : 'primary'} onPress={onNext}>{t`Next: ${nextStepName}`}</Button>
        ) : (
          <Button keepsFocus kind="primary" pending={isPending} onPress={onFinish}>
            {finishLabel}
          </Button>
        )}
      </span>
    </div>
  )
}
