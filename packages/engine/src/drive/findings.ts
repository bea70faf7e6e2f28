import type { DriveRuleId } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { buildDriveHelpUrl, buildDriveTags, driveRules } from '@clearway/contract/monitor/ruleset/drive/model.ts'
import { driveTextsEn } from '@clearway/contract/monitor/ruleset/drive/en.ts'
import { splitElementKey } from '@clearway/contract/monitor/issue/model.ts'
import { toFindings } from '../axe/findings.ts'
import type { ElementReference, RawRule } from '../axe/report-in-page.ts'
import type { Finding } from '../outcome.ts'
import type { DriveHit, StateResults } from './driver.ts'
import type { DrivenState } from './results.ts'
import { findInPicture } from './state-picture.ts'

/** Findings with the elements to take pictures of, in the same order; null for those found in another window. */
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
  const hitsInOrder = [...failures, ...reviews].flatMap(({ group }) => group)
  const references = hitsInOrder.map(({ reference }) => reference)
  const results = { violations: failures.map(({ rule }) => rule), incomplete: reviews.map(({ rule }) => rule) }
  const findings = toFindings(results, references, componentNames).map((finding, index): Finding => ({
    ...finding,
    engine: 'driven',
    picture: hitsInOrder[index]?.picture ?? null,
  }))
  // In another window, the element is elsewhere.
  return { findings, elements: hitsInOrder.map(({ reference, picture }) => (picture === undefined ? reference : null)) }
}

const getPlace = ({ rule, elementKey }: Finding) => `${rule}\n${splitElementKey(elementKey).location}`
const getTargetKey = ({ rule, target }: Finding) => `${rule}\n${JSON.stringify(target)}`

/** Violations that axe-core reports in a state but not in the page's first state, with their elements. */
function listNewFindings(
  { results, elements }: StateResults,
  baseFindings: readonly Finding[],
  componentNames: readonly string[],
): { finding: Finding; reference: ElementReference }[] {
  const baseTargets = new Set(baseFindings.map(getTargetKey))
  const basePlaces = new Set(baseFindings.map(getPlace))
  return toFindings(results, elements, componentNames)
    .map((finding, index) => ({ finding, reference: elements[index] ?? null }))
    .filter(({ finding }) => !baseTargets.has(getTargetKey(finding)) && !basePlaces.has(getPlace(finding)))
}

/** Elements of the findings that `listNewFindings` returns. */
export const listNewElements = (...newFindings: Parameters<typeof listNewFindings>): ElementReference[] =>
  listNewFindings(...newFindings).map(({ reference }) => reference)

/**
 * Converts axe's violations in states of a page. What axe found in the page's first state is left out; what it found in several
 * states is one finding.
 */
export function toStateFindings(
  states: readonly DrivenState[],
  baseFindings: readonly Finding[],
  componentNames: readonly string[],
): Finding[] {
  const merged = new Map<string, Finding>()
  for (const { state, results, picture } of states)
    for (const { finding, reference } of listNewFindings(results, baseFindings, componentNames)) {
      const mergeKey = `${getPlace(finding)}\n${finding.ordinal}`
      const statePicture = findInPicture(picture, reference?.box)
      const knownFinding = merged.get(mergeKey)
      if (knownFinding) {
        knownFinding.states = [...new Set([...(knownFinding.states ?? []), state])]
        knownFinding.picture ??= statePicture
      } else merged.set(mergeKey, { ...finding, engine: 'driven', states: [state], picture: statePicture })
    }
  return [...merged.values()]
}
