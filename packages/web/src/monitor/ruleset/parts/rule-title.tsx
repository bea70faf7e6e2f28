import { useLingui } from '@lingui/react/macro'
import { useRuleTexts } from '../queries-texts.ts'
import { AffectedPeople } from './affected.tsx'

/** Title of a rule in the user's language. Unknown rules have the server's English title. */
export function RuleTitle({ rule, help }: { rule: string; help: string }) {
  const { i18n } = useLingui()
  const ruleTexts = useRuleTexts(i18n.locale, rule)
  return <span lang={ruleTexts?.lang ?? 'en'}>{ruleTexts?.title ?? help}</span>
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
