import { axeVersions, type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { hashOf } from '../../kit/hash.ts'

/** The axe tags of the rules that a rule set applies. */
export const tagsOf = (ruleSet: RuleSet): string[] => [
  ...standards[ruleSet.standard].tags,
  ...(ruleSet.bestPractices ? ['best-practice'] : []),
  ...(ruleSet.experimental ? ['experimental'] : []),
]

/**
 * Two runs with equal fingerprints applied the same rules, so their results compare. What came later takes part only where
 * it is on: runs of before keep the fingerprint that they were stored with.
 */
export const ruleSetHash = (ruleSet: RuleSet): string =>
  hashOf(
    axeVersions[ruleSet.axeVersion],
    ruleSet.standard,
    String(ruleSet.bestPractices),
    String(ruleSet.experimental),
    ...(ruleSet.pdfUa ? ['pdf-ua'] : []),
  ).toString('hex')
