import { useLingui } from '@lingui/react/macro'
import { type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'

/** Returns a function that names the rules of a rule set: its standard, and what is tested beyond it. */
export function useRuleSetNames() {
  const { t } = useLingui()
  return ({ standard, bestPractices, experimental }: Pick<RuleSet, 'standard' | 'bestPractices' | 'experimental'>): string[] => [
    standards[standard].name,
    ...(bestPractices ? [t`best practices`] : []),
    ...(experimental ? [t`experimental`] : []),
  ]
}
