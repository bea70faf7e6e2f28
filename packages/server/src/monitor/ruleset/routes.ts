import type { rulesetApi } from '@clearway/contract/monitor/ruleset/api.ts'
import {
  axeVersions,
  defaultRuleSet,
  type AxeVersion,
  type StandardId,
  standards,
} from '@clearway/contract/monitor/ruleset/schema.ts'
import type { Handlers } from '../../kit/http/answer.ts'

const supportedRuleSets = {
  versions: Object.entries(axeVersions).map(([version, release]) => ({ version: version as AxeVersion, release })),
  standards: Object.entries(standards).map(([id, { name }]) => ({ id: id as StandardId, name })),
  default: defaultRuleSet,
}

export const rulesetHandlers = (): Handlers<typeof rulesetApi> => ({ axeSupported: () => Promise.resolve(supportedRuleSets) })
