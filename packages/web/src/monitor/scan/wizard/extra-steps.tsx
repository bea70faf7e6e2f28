import { useLingui } from '@lingui/react/macro'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { extraSteps, type WizardStep } from '../form/step-name.ts'
import { stepLabels } from './step-labels.ts'
import { useChangedSteps, useStepFacts } from './use-facts.ts'

export function ExtraSummary() {
  const { t } = useLingui()
  const { formatList } = useFormats()
  const changedSteps = useChangedSteps().filter((step) => extraSteps.includes(step))
  if (changedSteps.length === 0) return t`Defaults`
  const stepNames = formatList(changedSteps.map((step) => t(stepLabels[step])))
  return t`Changed: ${stepNames}`
}

/** Choices of "More settings" on the first step: defaults need no visit. */
export function ExtraOverview({ onOpen }: { onOpen: () => void }) {
  const { t } = useLingui()
  const stepName = t`More settings`
  return (
    <section className={`${layout.card} ${layout.pad} ${layout.stack}`} aria-labelledby="extra-steps">
      <h2 id="extra-steps">{stepName}</h2>
      <dl className={layout.facts}>
        {extraSteps.map((step) => (
          <ExtraFacts key={step} step={step} />
        ))}
      </dl>
      <div>
        <Button small label={t`Change: ${stepName}`} onPress={onOpen}>{t`Change`}</Button>
      </div>
    </section>
  )
}

function ExtraFacts({ step }: { step: WizardStep }) {
  const { t } = useLingui()
  const [mainFact] = useStepFacts(step)
  return (
    <div>
      <dt>{t(stepLabels[step])}</dt>
      <dd>{mainFact}</dd>
    </div>
  )
}
