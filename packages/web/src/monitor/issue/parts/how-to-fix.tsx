import { useLingui } from '@lingui/react/macro'
import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/detail-panel.tsx'
import { useAxeMessages } from '../../ruleset/queries-axe.ts'
import { useRuleTexts } from '../../ruleset/queries-pdf.ts'
import styles from './how-to-fix.module.css'

/**
 * What is wrong, in axe's words, and how much of it must be mended: one of `any`, and every one of `all` and `none`.
 * For a review, what axe could not decide.
 */
export function HowToFix({ rule, fix: told, review }: { rule: string; fix: Fix; review: boolean }) {
  const { t, i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  const say = useAxeMessages(i18n.locale)
  const own = texts?.fix ? { text: texts.fix, lang: texts.lang } : null
  const fix = own
    ? { any: [own], all: [], none: [] }
    : { any: told.any.map(say), all: told.all.map(say), none: told.none.map(say) }
  const every = [...fix.all, ...fix.none]
  if (every.length + fix.any.length === 0) return null
  if (review)
    return (
      <DetailPart title={t`What to check`}>
        <Steps steps={[...every, ...fix.any]} />
      </DetailPart>
    )
  return (
    <>
      {every.length > 0 && (
        <DetailPart title={every.length === 1 ? t`How to fix: mend this` : t`How to fix: mend all of these`}>
          <Steps steps={every} />
        </DetailPart>
      )}
      {fix.any.length > 0 && (
        <DetailPart
          title={fix.any.length === 1 ? t`How to fix: mend this` : t`How to fix: mend one of these`}
        >
          <Steps steps={fix.any} />
        </DetailPart>
      )}
    </>
  )
}

type Step = { text: string; lang: string }

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ul className={styles.steps}>
      {steps.map(({ text, lang }) => (
        <li key={text} lang={lang}>
          {text}
        </li>
      ))}
    </ul>
  )
}
