import { useLingui } from '@lingui/react/macro'
import { useRuleTexts } from '../queries-texts.ts'
import { Affected } from './affected.tsx'

/** What is wrong, in the user's language; in the server's English for a rule that is not ours to know. */
export function RuleTitle({ rule, help }: { rule: string; help: string }) {
  const { i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  return <span lang={texts?.lang ?? 'en'}>{texts?.title ?? help}</span>
}

/** Why it matters, in the same way. */
export function RuleReason({
  rule,
  description,
  tags,
}: {
  rule: string
  description: string
  tags: readonly string[]
}) {
  const { i18n } = useLingui()
  const texts = useRuleTexts(i18n.locale, rule)
  if (texts) return <p lang={texts.lang}>{texts.why}</p>
  return (
    <>
      <p lang="en">{description}</p>
      <Affected tags={tags} />
    </>
  )
}
