import { useLingui } from '@lingui/react/macro'
import { standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import type { AllowOverride } from '@clearway/contract/monitor/preset/schema.ts'
import type { ReactNode } from 'react'
import { Button } from '../../../kit/control/button.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useFormats } from '../../../kit/text/format.ts'
import type { PresetStep, Tri } from './values.ts'
import { presetOf } from './values.ts'
import type { PresetFormState } from './use-form.ts'

type Props = { state: PresetFormState; names: Record<PresetStep, string> }

/** What the preset will say, with the way back to each step. */
export function PresetReview({ state: { form, choices, steps }, names }: Props) {
  const { t } = useLingui()
  const { formatNumber: number } = useFormats()
  const preset = presetOf(form.getValues(), choices)
  const { ruleSet, urlScope, scanScope, commonComponents, advanced } = preset
  const free = t`Each scan decides`
  const said = (part: boolean, words: string, allow?: keyof AllowOverride) => {
    if (!part) return free
    return allow && choices.allow[allow] ? t`${words}; scan admins may override it` : words
  }
  const tri = (value: Tri, name: 'shareLink' | 'sendToReports', yes: string, no: string) =>
    said(value !== 'free', value === 'yes' ? yes : no, name)
  const rules = ruleSet ? standards[ruleSet.standard].name : ''
  const sizes = { quick: t`Quick`, standard: t`Standard (recommended)`, large: t`Large`, custom: t`Custom` }
  const facts: Record<Exclude<PresetStep, 'review'>, [string, ReactNode][]> = {
    general: [
      [t`Name`, preset.name],
      [t`Public share link`, tri(choices.shareLink, 'shareLink', t`Allowed`, t`Not allowed`)],
      [t`Rules`, said(ruleSet !== null, rules, 'ruleSet')],
      [t`URLs`, said(urlScope !== null, t`The preset decides this`, 'urlScope')],
      [t`Scan size`, said(scanScope !== null, scanScope ? sizes[scanScope.type] : '', 'scanScope')],
    ],
    components: [[t`Components`, commonComponents ? number(commonComponents.components.length) : free]],
    advanced: [[t`Advanced settings`, said(advanced !== null, t`The preset decides this`)]],
  }
  return (Object.keys(facts) as (keyof typeof facts)[]).map((step) => {
    const name = names[step]
    return (
      <div key={step} className={layout.tight}>
        <div className={layout.row}>
          <h2>{name}</h2>
          <Button small kind="quiet" label={t`Edit: ${name}`} onPress={() => steps.goToStep(step)}>
            {t`Edit`}
          </Button>
        </div>
        <dl className={layout.facts}>
          {facts[step].map(([word, value]) => (
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
