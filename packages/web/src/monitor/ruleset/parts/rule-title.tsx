import { useLingui } from '@lingui/react/macro'
import { useRuleTexts, useRuleTitle } from '../queries-texts.ts'
import { findReviewTitle } from './review-titles.ts'
import { AffectedPeople } from './affected.tsx'

/** Title of a rule in the user's language, or the server's in English. The title of an undecided result claims nothing. */
export function RuleTitle({ rule, help, isUndecided = false }: { rule: string; help: string; isUndecided?: boolean }) {
  const { i18n, t } = useLingui()
  const ruleTexts = useRuleTexts(i18n.locale, rule)
  const title = <span lang={ruleTexts?.lang ?? 'en'}>{ruleTexts?.title ?? help}</span>
  if (!isUndecided) return title
  const reviewTitle = findReviewTitle(rule)
  return reviewTitle ? (
    t(reviewTitle)
  ) : (
    <>
      {t`Possible issue:`} {title}
    </>
  )
}

/** Returns the same titles as text, for names of controls. */
export function useResultTitle(): (result: { rule: string; help: string; isUndecided: boolean }) => string {
  const { i18n, t } = useLingui()
  const getRuleTitle = useRuleTitle(i18n.locale)
  return ({ rule, help, isUndecided }) => {
    const title = getRuleTitle(rule, help)
    if (!isUndecided) return title
    const reviewTitle = findReviewTitle(rule)
    return reviewTitle ? t(reviewTitle) : `${t`Possible issue:`} ${title}`
  }
}

/** Reason of a rule in the user's language, with the same fallback. */
export function RuleReason({ rule, description, tags }: { rule: string; description: string; tags: readonly string[] }) {
  const { i18n } = useLingui()
  const ruleTexts = useRuleTexts(i18n.locale, rule)
  if (ruleTexts) return <p lang={ruleTexts.lang}>{ruleTexts.why}</p>
  return (
    <>
      <p lang="en">{description}</p>
      <AffectedPeople tags={tags} />
    </>
  )
}
