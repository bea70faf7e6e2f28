import { driveVersion } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import type { DriveMode } from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { axeVersions, type RuleSet, standards } from '@clearway/contract/monitor/ruleset/schema.ts'
import { computeHash } from '../../kit/hash.ts'

export const listRuleTags = (ruleSet: RuleSet): string[] => [
  ...standards[ruleSet.standard].tags,
  ...(ruleSet.bestPractices ? ['best-practice'] : []),
  ...(ruleSet.experimental ? ['experimental'] : []),
]

/** Rules of a run: those of its rule set, and whether pages are driven. */
export type RunRules = { ruleSet: RuleSet; advanced: { driven: DriveMode } }

/** Runs with equal hashes applied the same rules. Later options count only when enabled, so that older hashes stay valid. */
export const computeRuleSetHash = ({ ruleSet, advanced: { driven } }: RunRules): string =>
  computeHash(
    axeVersions[ruleSet.axeVersion],
    ruleSet.standard,
    String(ruleSet.bestPractices),
    String(ruleSet.experimental),
    ...(ruleSet.pdfUa ? ['pdf-ua'] : []),
    ...(driven === 'off' ? [] : [`driven ${driven} ${driveVersion}`]),
  ).toString('hex')
