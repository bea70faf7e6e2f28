import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useAxeMessages } from '../../ruleset/queries-axe.ts'
import { useRuleTexts, type RuleTexts } from '../../ruleset/queries-texts.ts'
import { correctionOf } from '../correction/model.ts'
import styles from './how-to-fix.module.css'

/**
 * What to do about the rule in general, with an example; the element without the issue, where that can be derived; and what axe
 * measured here, with how much of that is needed: one of `any`, and every one of `all` and `none`. For a review, what axe could not
 * decide.
 */
export function HowToFix({ issue }: { issue: Pick<IssueDetail, 'rule' | 'html' | 'fix' | 'needsReview'> }) {
  const { rule, fix: stored, needsReview: review } = issue
  const { t, i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  const say = useAxeMessages(i18n.locale)
  // Those of a PDF are the rule's own advice.
  const isSaid = texts !== null && rule.startsWith('pdf-')
  const any = isSaid ? [] : stored.any.map(say)
  const every = isSaid ? [] : [...stored.all, ...stored.none].map(say)
  const steps = [...every, ...any]
  return (
    <>
      {review && steps.length > 0 && (
        <DetailPart title={t`What to check`}>
          <Steps steps={steps.map((step) => ({ ...step, goal: null }))} />
        </DetailPart>
      )}
      {(texts !== null || (!review && steps.length > 0)) && (
        <DetailPart title={t`How to fix`}>
          {texts && <p lang={texts.lang}>{texts.fix}</p>}
          {!review && <Corrected issue={issue} />}
          {texts && <Example texts={texts} />}
          {!review && <Needed label={t`All of this is needed:`} steps={every} />}
          {!review && <Needed label={t`One of these is enough:`} steps={any} />}
        </DetailPart>
      )}
    </>
  )
}

type Step = { text: string; goal: string | null; lang: string }

/** Steps, with how many of them are needed where that is a question. */
function Needed({ label, steps }: { label: string; steps: readonly Step[] }) {
  if (steps.length === 0) return null
  return (
    <>
      {steps.length > 1 && <p className={`${layout.muted} ${layout.sm}`}>{label}</p>}
      <Steps steps={steps} />
    </>
  )
}

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

function Corrected({ issue }: { issue: Pick<IssueDetail, 'rule' | 'html' | 'fix'> }) {
  const { t } = useLingui()
  const correction = correctionOf(issue)
  if (!correction) return null
  return (
    <>
      <p>
        {correction.language === 'css' ? t`CSS that corrects this element:` : t`This element, corrected:`}
      </p>
      <code translate="no" className={styles.corrected}>
        {correction.code}
      </code>
    </>
  )
}

/** Code with the fault, and the same without it. */
function Example({ texts: { wrong, right } }: { texts: RuleTexts }) {
  const { t } = useLingui()
  return (
    <dl className={styles.example}>
      <dt>{t`Wrong`}</dt>
      <dd>
        <code translate="no">{wrong}</code>
      </dd>
      <dt>{t`Right`}</dt>
      <dd>
        <code translate="no">{right}</code>
      </dd>
    </dl>
  )
}
