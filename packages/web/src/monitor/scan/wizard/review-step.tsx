import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import type { WizardStep } from '../form/step-name.ts'
import { wizardSteps } from '../form/step-name.ts'
import styles from './wizard.module.css'
import { useStepFacts } from './use-facts.ts'
import { stepLabels } from './step-labels.ts'

type ReviewStepProps = { onStep: (step: WizardStep) => void }

export function ReviewStep({ onStep }: ReviewStepProps) {
  return (
    <div className={`${layout.card} ${layout.pad}`}>
      <ul className={styles.review}>
        {wizardSteps
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

function ReviewRow({ step, onStep }: ReviewStepProps & { step: WizardStep }) {
  const { t } = useLingui()
  const stepFacts = useStepFacts(step)
  const stepName = t(stepLabels[step])
  return (
    <div className={styles.row}>
      <div className={layout.tight}>
        <h2>{stepName}</h2>
        {stepFacts.map((fact, i) => (
          <p key={i} className={layout.break}>
            {fact}
          </p>
        ))}
      </div>
      <Button small label={t`Change: ${stepName}`} onPress={() => onStep(step)}>{t`Change`}</Button>
    </div>
  )
}
