import { useLingui } from '@lingui/react/macro'
import { useRuleTexts } from '../queries-pdf.ts'

/** What is wrong, in the user's language where there are texts in it, else in English. */
export function RuleTitle({ rule, help }: { rule: string; help: string }) {
  const { i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  return <span lang={texts?.lang ?? 'en'}>{texts?.title ?? help}</span>
}

/** Why it matters, in the same way. */
export function RuleDescription({ rule, description }: { rule: string; description: string }) {
  const { i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  return <span lang={texts?.lang ?? 'en'}>{texts?.why ?? description}</span>
}
