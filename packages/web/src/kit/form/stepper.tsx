import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import { Icon } from '../control/icon.tsx'
import layout from '../page/layout.module.css'
import styles from './stepper.module.css'
import { useMedia } from '../page/use-media.ts'

export type StepState = 'open' | 'done' | 'skipped' | 'wrong'
export type Step<Id extends string> = {
  id: Id
  name: string
  state: StepState
  /** What was chosen there, in a few words. */
  chosen?: ReactNode
  /** Whether one may go there now. */
  reachable: boolean
}

type Props<Id extends string> = {
  /** What the steps lead to. */
  label: string
  steps: readonly Step<Id>[]
  current: Id
  onStep: (id: Id) => void
  children: ReactNode
}

const folded = '(max-width: 63.99rem)'

/** The steps of a longer form beside the one that is open; below 64rem "Step 2 of 4" that opens them. */
export function Stepper<Id extends string>({ label, steps, current, onStep, children }: Props<Id>) {
  const { t } = useLingui()
  const isFolded = useMedia(folded)
  const at = steps.findIndex(({ id }) => id === current)
  const name = steps[at]?.name ?? ''
  const number = at + 1
  const total = steps.length
  const list = (
    <ol className={styles.steps}>
      {steps.map((step, i) => (
        <li key={step.id}>
          <StepEntry step={step} number={i + 1} isCurrent={step.id === current} onStep={onStep} />
        </li>
      ))}
    </ol>
  )
  return (
    <div className={styles.stepper}>
      <nav aria-label={label}>
        {isFolded ? (
          // Another step folds it again.
          <details key={current} className={`${layout.card} ${styles.folded}`}>
            <summary>{t`Step ${number} of ${total}: ${name}`}</summary>
            {list}
          </details>
        ) : (
          list
        )}
      </nav>
      <div className={layout.stack}>{children}</div>
    </div>
  )
}

type EntryProps<Id extends string> = {
  step: Step<Id>
  number: number
  isCurrent: boolean
  onStep: (id: Id) => void
}

const signs = { open: null, done: 'check', skipped: 'dash', wrong: 'warning' } as const

function StepEntry<Id extends string>({ step, number, isCurrent, onStep }: EntryProps<Id>) {
  const { t } = useLingui()
  const { id, name, state, chosen, reachable } = step
  const words = { open: '', done: t`Done`, skipped: t`Skipped`, wrong: t`Needs a fix` }[state]
  const sign = isCurrent ? null : signs[state]
  const inside = (
    <>
      <span className={`${styles.sign} ${isCurrent ? styles.now : styles[state]}`} aria-hidden="true">
        {sign ? <Icon name={sign} /> : number}
      </span>
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        {state === 'wrong' ? (
          <span className={styles.fix}>{words}</span>
        ) : (
          <>
            {words && <span className={layout.hidden}>{words}</span>}
            {chosen && <span className={`${layout.muted} ${layout.sm} ${styles.chosen}`}>{chosen}</span>}
          </>
        )}
      </span>
    </>
  )
  if (!reachable && !isCurrent) return <span className={styles.entry}>{inside}</span>
  return (
    <button
      type="button"
      className={`${styles.entry} ${styles.button}`}
      aria-current={isCurrent ? 'step' : undefined}
      onClick={() => onStep(id)}
    >
      {inside}
    </button>
  )
}

type ActionsProps = {
  onBack?: (() => void) | undefined
  onSkip?: (() => void) | undefined
  /** Name of the step that follows; without one this is the last. */
  next?: string | undefined
  /** Words of the button that ends it all. */
  finish: string
  /** Offers the end on every step. */
  early?: boolean
  pending: boolean
  onNext: () => void
  onFinish: () => void
}

/** Back, Skip, Next and the end; below the card of the step. */
export function StepActions(props: ActionsProps) {
  const { onBack, onSkip, next, finish, early = false, pending, onNext, onFinish } = props
  const { t } = useLingui()
  return (
    <div className={styles.actions}>
      {onBack && <Button icon="left" onPress={onBack}>{t`Back`}</Button>}
      <span className={`${layout.row} ${layout.end}`}>
        {onSkip && next && <Button kind="quiet" onPress={onSkip}>{t`Skip`}</Button>}
        {next && early && (
          <Button steady kind="primary" pending={pending} onPress={onFinish}>
            {finish}
          </Button>
        )}
        {next ? (
          // What exists already is changed on one step, and saved there.
          <Button steady kind={early ? 'plain' : 'primary'} onPress={onNext}>{t`Next: ${next}`}</Button>
        ) : (
          <Button steady kind="primary" pending={pending} onPress={onFinish}>
            {finish}
          </Button>
        )}
      </span>
    </div>
  )
}
