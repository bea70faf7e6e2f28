import { useLingui } from '@lingui/react/macro'
import type { AllowOverride } from '@clearway/contract/monitor/preset/schema.ts'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import { useRuleSetNames } from '../../ruleset/parts/rule-set-names.ts'
import { type PresetStep, type TriState, toPresetSettings } from '../parts/values.ts'
import type { PresetFormState } from './use-form.ts'

type PresetReviewProps = { state: PresetFormState; names: Record<PresetStep, string> }

export function PresetReview({ state: { form, choices, steps }, names }: PresetReviewProps) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const getRuleSetNames = useRuleSetNames()
  const presetSettings = toPresetSettings(form.getValues(), choices)
  const { ruleSet, urlScope, scanScope, commonComponents, advanced } = presetSettings
  const undecidedText = t`Each scan decides`
  const describePart = (isDecided: boolean, text: string, overrideKey?: keyof AllowOverride) => {
    if (!isDecided) return undecidedText
    return overrideKey && choices.allowOverride[overrideKey] ? t`${text}; scan admins may override it` : text
  }
  const describeTri = (value: TriState, name: 'shareLink' | 'sendToReports', yesText: string, noText: string) =>
    describePart(value !== 'free', value === 'yes' ? yesText : noText, name)
  const ruleSetNames = ruleSet ? getRuleSetNames(ruleSet).join(', ') : ''
  const sizeLabels = {
    quick: t`Quick`,
    standard: t`Standard (recommended)`,
    large: t`Large`,
    custom: t`Custom`,
  }
  const factsByStep: Record<Exclude<PresetStep, 'review'>, [string, ReactNode][]> = {
    general: [
      [t`Name`, presetSettings.name],
      [t`Public share link`, describeTri(choices.shareLink, 'shareLink', t`Allowed`, t`Not allowed`)],
      [t`Rules`, describePart(ruleSet !== null, ruleSetNames, 'ruleSet')],
      [t`URLs`, describePart(urlScope !== null, t`The preset decides this`, 'urlScope')],
      [t`Scan size`, describePart(scanScope !== null, scanScope ? sizeLabels[scanScope.type] : '', 'scanScope')],
    ],
    components: [[t`Components`, commonComponents ? formatNumber(commonComponents.components.length) : undecidedText]],
    advanced: [[t`Advanced settings`, describePart(advanced !== null, t`The preset decides this`)]],
  }
  return (Object.keys(factsByStep) as (keyof typeof factsByStep)[]).map((step) => {
    const stepName = names[step]
    return (
      <div key={step} className={layout.tight}>
        <div className={layout.row}>
          <h2>{stepName}</h2>
          <Button small kind="quiet" label={t`Edit: ${stepName}`} onPress={() => steps.goToStep(step)}>
            {t`Edit`}
          </Button>
        </div>
        <dl className={layout.facts}>
          {factsByStep[step].map(([word, value]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    )
  })
}
