import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { Step } from '../form/step-name.ts'
import { steps } from '../form/step-name.ts'
import styles from './wizard.module.css'
import { useFacts } from './use-facts.ts'
import { stepNames } from './words.ts'

type Props = { onStep: (step: Step) => void }

/** Everything that was chosen, with a way back to each step. */
export function ReviewStep({ onStep }: Props) {
  return (
    <div className={`${layout.card} ${layout.pad}`}>
      <ul className={styles.review}>
        {steps
          .filter((step) => step !== 'review')
          .map((step) => (
            <li key={step}>
              <ReviewRow step={step} onStep={onStep} />
            </li>
          ))}
      </ul>
    </div>
  )
}

function ReviewRow({ step, onStep }: Props & { step: Step }) {
  const { t } = useLingui()
  const facts = useFacts(step)
  const name = t(stepNames[step])
  return (
    <div className={styles.row}>
      <div className={layout.tight}>
        <h2>{name}</h2>
        {facts.map((fact, i) => (
          <p key={i} className={layout.break}>
            {fact}
          </p>
        ))}
      </div>
      <Button small label={t`Change: ${name}`} onPress={() => onStep(step)}>{t`Change`}</Button>
    </div>
  )
}
