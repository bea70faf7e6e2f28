import { useLingui } from '@lingui/react/macro'
import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/detail-panel.tsx'
import { useRuleTexts } from '../../ruleset/queries-pdf.ts'
import styles from './how-to-fix.module.css'

/**
 * What is wrong, in axe's words, and how much of it must be mended: one of `any`, and every one of `all` and `none`.
 * For a review, what axe could not decide.
 */
export function HowToFix({ rule, fix: told, review }: { rule: string; fix: Fix; review: boolean }) {
  const { t, i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  const fix = texts ? { any: [texts.fix], all: [], none: [] } : told
  const lang = texts?.lang ?? 'en'
  const every = [...fix.all, ...fix.none]
  if (every.length + fix.any.length === 0) return null
  if (review)
    return (
      <DetailPart title={t`What to check`}>
        <Steps lang={lang} steps={[...every, ...fix.any]} />
      </DetailPart>
    )
  return (
    <>
      {every.length > 0 && (
        <DetailPart title={every.length === 1 ? t`How to fix: mend this` : t`How to fix: mend all of these`}>
          <Steps lang={lang} steps={every} />
        </DetailPart>
      )}
      {fix.any.length > 0 && (
        <DetailPart
          title={fix.any.length === 1 ? t`How to fix: mend this` : t`How to fix: mend one of these`}
        >
          <Steps lang={lang} steps={fix.any} />
        </DetailPart>
      )}
    </>
  )
}

function Steps({ steps, lang }: { steps: readonly string[]; lang: string }) {
  return (
    <ul className={styles.steps} lang={lang}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ul>
  )
}
