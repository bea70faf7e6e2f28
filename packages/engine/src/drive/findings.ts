import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { buildDriveHelpUrl, buildDriveTags, driveRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import { toFindings } from '../axe/findings.ts'
import type { ElementReference, RawRule } from '../axe/report-in-page.ts'
import type { Finding } from '../outcome.ts'
import type { DriveHit } from './driver.ts'
import type { StateResults } from './rule/axe-state.ts'

/** Findings with the elements that they are about, in the same order. */
export type DriveFindings = { findings: Finding[]; elements: ElementReference[] }

const toRule = (ruleId: DriveRuleId, hits: readonly DriveHit[]): RawRule => ({
  id: ruleId,
  impact: driveRules[ruleId].impact,
  help: driveTextsEn.rules[ruleId][0],
  description: driveTextsEn.why[driveRules[ruleId].why],
  helpUrl: buildDriveHelpUrl(ruleId),
  tags: buildDriveTags(ruleId),
  nodes: hits.map(({ html, target, proof }) => ({
    impact: driveRules[ruleId].impact,
    html,
    target: target as RawRule['nodes'][number]['target'],
    ancestry: [],
    any: [proof],
    all: [],
    none: [],
  })),
})

/** Converts the hits of driven rules. Hits of rules that require a review are suspicions, whatever their verdict. */
export function toRuleFindings(hits: readonly DriveHit[], componentNames: readonly string[]): DriveFindings {
  const uniqueHits = [...new Map(hits.map((hit) => [`${hit.rule}\n${JSON.stringify(hit.target)}`, hit])).values()]
  const isFailure = ({ rule, verdict }: DriveHit) => verdict === 'fail' && !driveRules[rule as DriveRuleId].isReview
  const listRules = (ruleHits: readonly DriveHit[]) =>
    [...Map.groupBy(ruleHits, ({ rule }) => rule as DriveRuleId)].map(([ruleId, group]) => ({
      rule: toRule(ruleId, group),
      group,
    }))
  const failures = listRules(uniqueHits.filter(isFailure))
  const reviews = listRules(uniqueHits.filter((hit) => !isFailure(hit)))
  const elements = [...failures, ...reviews].flatMap(({ group }) => group.map(({ reference }) => reference))
  const results = { violations: failures.map(({ rule }) => rule), incomplete: reviews.map(({ rule }) => rule) }
  const findings = toFindings(results, elements, componentNames).map((finding): Finding => ({ ...finding, engine: 'driven' }))
  return { findings, elements }
}

const getPlace = ({ rule, elementKey }: Finding) => `${rule}\n${splitElementKey(elementKey).location}`
const getTargetKey = ({ rule, target }: Finding) => `${rule}\n${JSON.stringify(target)}`

/**
 * Converts axe's violations in states of a page. What axe found in the page's first state is left out; what it found in several
 * states is one finding.
 */
export function toStateFindings(
  states: readonly { state: string; results: StateResults }[],
  baseFindings: readonly Finding[],
  componentNames: readonly string[],
): DriveFindings {
  const baseTargets = new Set(baseFindings.map(getTargetKey))
  const basePlaces = new Set(baseFindings.map(getPlace))
  const merged = new Map<string, { finding: Finding; element: ElementReference }>()
  for (const { state, results } of states) {
    const stateFindings = toFindings(results.results, results.elements, componentNames)
    for (const [index, finding] of stateFindings.entries()) {
      if (baseTargets.has(getTargetKey(finding)) || basePlaces.has(getPlace(finding))) continue
      const mergeKey = `${getPlace(finding)}\n${finding.ordinal}`
      const knownFinding = merged.get(mergeKey)?.finding
      if (knownFinding) knownFinding.states = [...new Set([...(knownFinding.states ?? []), state])]
      else
        merged.set(mergeKey, {
          finding: { ...finding, engine: 'driven', states: [state] },
          element: results.elements[index] ?? null,
        })
    }
  }
  const rows = [...merged.values()]
  return { findings: rows.map(({ finding }) => finding), elements: rows.map(({ element }) => element) }
}
