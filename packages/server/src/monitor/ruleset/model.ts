import { axeVersions, type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { computeHash } from '../../kit/hash.ts'

/** axe-core tags of the rules in a rule set. */
export const listRuleTags = (ruleSet: RuleSet): string[] => [
  ...standards[ruleSet.standard].tags,
  ...(ruleSet.bestPractices ? ['best-practice'] : []),
  ...(ruleSet.experimental ? ['experimental'] : []),
]

/**
 * Runs with equal hashes applied the same rules, so their results are comparable. Options added later are included only when
 * enabled, so that hashes of older runs stay valid.
 */
export const computeRuleSetHash = (ruleSet: RuleSet): string =>
  computeHash(
    axeVersions[ruleSet.axeVersion],
    ruleSet.standard,
    String(ruleSet.bestPractices),
    String(ruleSet.experimental),
    ...(ruleSet.pdfUa ? ['pdf-ua'] : []),
  ).toString('hex')
