import { useLingui } from '@lingui/react/macro'
import type { Fix } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useAxeMessages } from '../../ruleset/queries-axe.ts'
import { useRuleTexts } from '../../ruleset/queries-pdf.ts'
import styles from './how-to-fix.module.css'

/**
 * How the element would be right, in axe's words, and how much of that is needed: one of `any`, and every one of `all` and
 * `none`. For a review, what axe could not decide.
 */
export function HowToFix({ rule, fix: stored, review }: { rule: string; fix: Fix; review: boolean }) {
  const { t, i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  const say = useAxeMessages(i18n.locale)
  const own = texts?.fix ? { text: texts.fix, goal: null, lang: texts.lang } : null
  const fix = own
    ? { any: [own], all: [], none: [] }
    : { any: stored.any.map(say), all: stored.all.map(say), none: stored.none.map(say) }
  const every = [...fix.all, ...fix.none]
  if (every.length + fix.any.length === 0) return null
  if (review)
    return (
      <DetailPart title={t`What to check`}>
        <Steps steps={[...every, ...fix.any].map((step) => ({ ...step, goal: null }))} />
      </DetailPart>
    )
  return (
    <>
      {every.length > 0 && (
        <DetailPart title={every.length === 1 ? t`How to fix` : t`How to fix: all of this is needed`}>
          <Steps steps={every} />
        </DetailPart>
      )}
      {fix.any.length > 0 && (
        <DetailPart title={fix.any.length === 1 ? t`How to fix` : t`How to fix: one of these is enough`}>
          <Steps steps={fix.any} />
        </DetailPart>
      )}
    </>
  )
}

type Step = { text: string; goal: string | null; lang: string }

/** What to reach, and below it what is there now; what is wrong alone, where axe does not say more. */
function Steps({ steps }: { steps: readonly Step[] }) {
  const { t } = useLingui()
  return (
    <ul className={styles.steps}>
      {steps.map(({ text, goal, lang }) =>
        goal === null ? (
          <li key={text} lang={lang}>
            {text}
          </li>
        ) : (
          <li key={text}>
            <b lang={lang}>{goal}</b>
            <div className={`${layout.muted} ${layout.sm}`}>
              {t`Now:`} <span lang={lang}>{text}</span>
            </div>
          </li>
        ),
      )}
    </ul>
  )
}
