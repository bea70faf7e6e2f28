import { type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'

/** The axe tags of the rules that a rule set applies. */
export const tagsOf = (ruleSet: RuleSet): string[] => [
  ...standards[ruleSet.standard].tags,
  ...(ruleSet.bestPractices ? ['best-practice'] : []),
  ...(ruleSet.experimental ? ['experimental'] : []),
]
