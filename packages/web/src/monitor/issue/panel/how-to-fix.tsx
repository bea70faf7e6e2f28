import { useLingui } from '@lingui/react/macro'
import type { IssueDetail } from '@clearway/contract/monitor/issue/schema.ts'
import { Icon } from '../../../kit/control/icon.tsx'
import { DetailPart } from '../../../kit/page/detail-panel.tsx'
import layout from '../../../kit/page/layout.module.css'
import { useAxeMessages } from '../../ruleset/queries-axe.ts'
import { useRuleTexts, type RuleTexts } from '../../ruleset/queries-texts.ts'
import { findCorrection } from '../correction/model.ts'
import styles from './how-to-fix.module.css'

/**
 * Advice on the rule with an example, the corrected element if it can be derived, and the measurements of axe-core. One of the
 * `any` steps is sufficient; all of `all` and `none` are required. For results that need review: why axe-core could not decide.
 */
export function HowToFix({ issue }: { issue: Pick<IssueDetail, 'rule' | 'html' | 'fix' | 'needsReview'> }) {
  const { rule, fix: storedFix, needsReview } = issue
  const { t, i18n } = useLingui()
  const ruleTexts = useRuleTexts(i18n.locale, rule)
  const translateMessage = useAxeMessages(i18n.locale)
  // Messages of PDF rules repeat the rule's own advice.
  const isCoveredByRule = ruleTexts !== null && rule.startsWith('pdf-')
  const anySteps = isCoveredByRule ? [] : storedFix.any.map(translateMessage)
  const requiredSteps = isCoveredByRule ? [] : [...storedFix.all, ...storedFix.none].map(translateMessage)
  const isFolded = ruleTexts !== null && anySteps.length > 1
  const allSteps = [...requiredSteps, ...anySteps]
  return (
    <>
      {needsReview && allSteps.length > 0 && (
        <DetailPart title={t`What to check`}>
          <FixSteps steps={allSteps.map((step) => ({ ...step, goal: null }))} />
        </DetailPart>
      )}
      {(ruleTexts !== null || (!needsReview && allSteps.length > 0)) && (
        <DetailPart title={t`How to fix`}>
          {!needsReview && <RequiredSteps label={t`Fix all of the following:`} steps={requiredSteps} />}
          {!needsReview && !isFolded && <RequiredSteps label={t`Fix any of the following:`} steps={anySteps} />}
          {ruleTexts && <p lang={ruleTexts.lang}>{ruleTexts.fix}</p>}
          {!needsReview && <CorrectedElement issue={issue} />}
          {ruleTexts && <RuleExample texts={ruleTexts} />}
          {!needsReview && isFolded && <OtherWays steps={anySteps} />}
        </DetailPart>
      )}
    </>
  )
}

type FixStep = { text: string; goal: string | null; lang: string }

type RequiredStepsProps = { label: string; steps: readonly FixStep[] }

/** Several alternatives, below the rule's own advice. */
function OtherWays({ steps }: Pick<RequiredStepsProps, 'steps'>) {
  const { t } = useLingui()
  const wayCount = steps.length
  return (
    <details>
      <summary className={`${layout.muted} ${layout.sm}`}>{t`Other ways to fix it (${wayCount})`}</summary>
      <FixSteps steps={steps} />
    </details>
  )
}

/** Steps under a label that states how many of them are needed. */
function RequiredSteps({ label, steps }: RequiredStepsProps) {
  if (steps.length === 0) return null
  return (
    <>
      {steps.length > 1 && <p className={`${layout.muted} ${layout.sm}`}>{label}</p>}
      {/* The goal of a single step only negates it. */}
      <FixSteps steps={steps.length === 1 ? steps.map((step) => ({ ...step, goal: null })) : steps} />
    </>
  )
}

/** The problem of each step, and its goal below it if axe-core provides one. */
function FixSteps({ steps }: { steps: readonly FixStep[] }) {
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
            <b lang={lang}>{text}</b>
            <div className={`${layout.muted} ${layout.sm}`}>
              {t`Needed:`} <span lang={lang}>{goal}</span>
            </div>
          </li>
        ),
      )}
    </ul>
  )
}

function CorrectedElement({ issue }: { issue: Pick<IssueDetail, 'rule' | 'html' | 'fix'> }) {
  const { t } = useLingui()
  const correction = findCorrection(issue)
  if (!correction) return null
  return (
    <>
      <p>{correction.language === 'css' ? t`CSS that corrects this element:` : t`This element, corrected:`}</p>
      <code translate="no" className={styles.corrected}>
        {correction.code}
      </code>
    </>
  )
}

/** Breaks between the words of the code; inside them only if they are wider than the panel. */
const ExampleCode = ({ code }: { code: string }) => (
  <code translate="no">
    {code.split(/(?<=[\s>])/).map((word, index) => (
      // eslint-disable-next-line react/no-array-index-key -- Words repeat, and never move.
      <span key={index} className={styles.word}>
        {word}
      </span>
    ))}
  </code>
)

function RuleExample({ texts: { wrong, right } }: { texts: RuleTexts }) {
  const { t } = useLingui()
  return (
    <dl className={styles.example}>
      <dt className={styles.wrong}>
        <Icon name="close" /> {t`Wrong`}
      </dt>
      <dd>
        <ExampleCode code={wrong} />
      </dd>
      <dt className={styles.right}>
        <Icon name="check" /> {t`Right`}
      </dt>
      <dd>
        <ExampleCode code={right} />
      </dd>
    </dl>
  )
}
