import { splitElementKey } from '../model.ts'
import {
  compareKeys,
  type FoundCandidate,
  type FoundIssue,
  type IssueMatch,
  type KnownCandidate,
  type KnownIssue,
  normalizeSnippet,
} from '../match-candidate/model.ts'
import { matchByMarkup } from '../match-markup/model.ts'
import { matchByTraits } from '../match-trait/model.ts'

/** Rules renamed by axe-core, old name to new: issues keep their identity. 4.10 to 4.14 renamed none; uploads may be older. */
const renamedRules: ReadonlyMap<string, string> = new Map([['aria-form-field-name', 'aria-input-field-name']])
export const getCurrentRule = (rule: string): string => renamedRules.get(rule) ?? rule
export const listRuleNames = (rule: string): string[] => [
  rule,
  ...[...renamedRules].filter(([, newName]) => newName === rule).map(([oldName]) => oldName),
]

/** Matches findings to issues whose keys have no traits, by the keys that the findings have by the same method. */
function matchWithoutTraits(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  if (knownCandidates.length === 0) return
  const views = foundCandidates
    .filter(({ match }) => match === null)
    .map((found) => {
      const elementKey = found.previous?.elementKey ?? splitElementKey(found.elementKey).location
      return { found, view: { ...found, elementKey, identity: found.previous?.identity ?? found.identity } }
    })
  matchByMarkup(
    knownCandidates,
    views.map(({ view }) => view),
  )
  for (const { found, view } of views) found.match = view.match
}

/**
 * Matches the findings of a run on a page one to one to known issues of the same rule: by the traits by which people recognize
 * an element, without traits by location and markup. The order of the arguments does not matter.
 * @returns for each finding its issue, or null for a new one, in the order of `foundIssues`
 */
export function matchIssues(knownIssues: readonly KnownIssue[], foundIssues: readonly FoundIssue[]): (IssueMatch | null)[] {
  const foundCandidates = foundIssues.map((item): FoundCandidate => ({
    ...item,
    snippet: normalizeSnippet(item.html),
    match: null,
  }))
  const knownCandidates = knownIssues.map((item): KnownCandidate => ({
    ...item,
    rule: getCurrentRule(item.rule),
    snippet: normalizeSnippet(item.html),
    isTaken: false,
  }))
  const knownByRule = Map.groupBy(knownCandidates, ({ rule }) => rule)
  for (const [rule, ruleFindings] of Map.groupBy(foundCandidates, (item) => getCurrentRule(item.rule))) {
    ruleFindings.sort((a, b) => compareKeys(a.elementKey, b.elementKey) || a.ordinal - b.ordinal)
    const allKnown = knownByRule.get(rule) ?? []
    allKnown.sort((a, b) => compareKeys(a.elementKey, b.elementKey) || (a.id < b.id ? -1 : 1))
    const hasTraits = ({ elementKey }: { elementKey: string }) => splitElementKey(elementKey).traits !== null
    const [traitFindings, traitKnown] = [ruleFindings.filter(hasTraits), allKnown.filter(hasTraits)]
    matchByTraits(traitKnown, traitFindings)
    matchWithoutTraits(
      allKnown.filter((known) => !hasTraits(known)),
      ruleFindings,
    )
  }
  return foundCandidates.map(({ match }) => match)
}
