import type { Finding } from '@clearway/engine/outcome.ts'
import { computeHash } from '../../../kit/hash.ts'
import type { StoredPage } from '../model.ts'

/** A known issue of a page. */
export type KnownIssue = {
  id: string
  identity: string
  rule: string
  elementKey: string
  /** HTML of its newest finding; empty when retention removed it. */
  html: string
  ignored: boolean
  /** True unless the issue is fixed or gone; a fixed issue comes back only on the strongest evidence. */
  present: boolean
}
/** A finding of a run on that page. */
export type FoundIssue = { identity: string; rule: string; elementKey: string; ordinal: number; html: string }
export type MatchPass = 'key' | 'alike' | 'moved'
/** `sure` is false when the location matches but the content differs: assignee and comments stay, an ignore does not. */
export type IssueMatch = { id: string; by: MatchPass; sure: boolean }

/**
 * Rules renamed by axe-core, old name to new: an issue keeps its identity under the new name. Versions 4.10 to 4.14 renamed
 * none; uploads may be older.
 */
const renamedRules: ReadonlyMap<string, string> = new Map([['aria-form-field-name', 'aria-input-field-name']])
export const getCurrentRule = (rule: string): string => renamedRules.get(rule) ?? rule
/** Identity of a finding by its location. */
export const computeIdentity = (page: Pick<StoredPage, 'keyHash'>, finding: Finding): string =>
  computeHash('v1', page.keyHash, '', getCurrentRule(finding.rule), finding.elementKey, finding.ordinal).toString('hex')
/** All names that a rule has had. */
export const listRuleNames = (rule: string): string[] => [
  rule,
  ...[...renamedRules].filter(([, newName]) => newName === rule).map(([oldName]) => oldName),
]

const unstableAttributes =
  /\s(?:id|class|style|for|name|nonce|integrity|tabindex|aria-(?:labelledby|describedby|controls|owns|activedescendant|expanded|selected|checked)|data-[\w-]*|ng-[\w-]*|_ng[\w-]*|jsname|jsaction)(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?(?=[\s/>])/gi

/** HTML without volatile parts: generated attributes, query strings, hashes, digits, white space. */
export function normalizeSnippet(html: string): string {
  return html
    .replaceAll(unstableAttributes, '')
    .replaceAll(/((?:href|src|srcset|action)=["'])([^"'?#]*)[?#][^"']*/gi, '$1$2')
    .replaceAll(/\b(?=[\da-f]*\d)[\da-f]{8,}\b/gi, '*')
    .replaceAll(/\d+/g, '0')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([<>]) ?/g, '$1')
    .trim()
    .toLowerCase()
}

/** The key without positions among siblings; identical siblings share it. */
const toLooseKey = (key: string): string => key.replaceAll(/:\d+(?=[>|]|$)/g, '')
/** Detects keys that consist of positions only: no resource URL, and steps below the anchor. */
const isPositional = (key: string): boolean => /:\d+(?=[>|]|$)/.test(key) && /\|#?$/.test(key)
/** The resource URL or link target of an element; empty for none. */
const getResource = (key: string): string => key.slice(key.lastIndexOf('|') + 1)
const getAnchorAndRole = (key: string): string => {
  const [elementPath = '', elementRole = '', elementType = ''] = key.split('|')
  const anchorSteps = elementPath.split(' >>> ').map((step) => step.split('>')[0] ?? '')
  const lastStep = elementPath.split('>').at(-1)?.replace(/:\d+$/, '') ?? ''
  return [...anchorSteps, lastStep, elementRole, elementType].join('|')
}

/** Compares keys in document order: positions are compared as numbers. */
const compareKeys = new Intl.Collator('en', { numeric: true }).compare

function collectTrigrams(text: string): Set<string> {
  const trigramSet = new Set<string>()
  for (let position = 0; position + 3 <= text.length && position < 600; position++)
    trigramSet.add(text.slice(position, position + 3))
  return trigramSet
}
function computeOverlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0
  let commonCount = 0
  for (const trigram of left) if (right.has(trigram)) commonCount++
  return (2 * commonCount) / (left.size + right.size)
}
/** Similarity of two texts, 0–1: shared trigrams relative to all trigrams. */
export const computeSimilarity = (a: string, b: string): number =>
  a === b ? 1 : computeOverlap(collectTrigrams(a), collectTrigrams(b))
const minSimilarity = 0.8

type KnownCandidate = KnownIssue & { snippet: string; isBlocked: boolean; isTaken: boolean }
type FoundCandidate = FoundIssue & { snippet: string; match: IssueMatch | null }

const assignMatch = (known: KnownCandidate, candidate: FoundCandidate, by: MatchPass, sure: boolean): void => {
  known.isTaken = true
  candidate.match = { id: known.id, by: known.identity === candidate.identity ? 'key' : by, sure }
}
const filterUnmatchedKnown = (knownCandidates: readonly KnownCandidate[]) =>
  knownCandidates.filter((old) => !old.isTaken && !old.isBlocked)
const filterUnmatchedFound = (foundCandidates: readonly FoundCandidate[]) =>
  foundCandidates.filter((found) => found.match === null)

/** HTML without words that look generated: within a bag, class names and data attributes are weak but useful evidence. */
const getWeakEvidence = (html: string): string =>
  html.replaceAll(/[\w-]+/g, (word) => (/\d|__/.test(word) ? '*' : word)).replaceAll(/\s+/g, ' ')
/** Minimum lead in similarity of the best candidate over the next. */
const minSimilarityLead = 0.05
/** Maximum number of pairs to compare; an untrusted page may have thousands of siblings. */
const maxWeakPairs = 36

/** Matches siblings that differ only in normalized parts by their full HTML, when it identifies them clearly. */
function matchByWeakEvidence(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  if (knownCandidates.length === foundCandidates.length || knownCandidates.length * foundCandidates.length > maxWeakPairs) return
  const evidenceTexts = new Map([...knownCandidates, ...foundCandidates].map((item) => [item, getWeakEvidence(item.html)]))
  if (new Set(evidenceTexts.values()).size < 2) return
  const trigramsByItem = new Map([...evidenceTexts].map(([item, text]) => [item, collectTrigrams(text)]))
  const scoredPairs = knownCandidates.flatMap((old) =>
    foundCandidates.map((found) => ({ old, found, alike: computeOverlap(trigramsByItem.get(old)!, trigramsByItem.get(found)!) })),
  )
  for (const bestPair of scoredPairs) {
    const rivalPairs = scoredPairs.filter((one) => one !== bestPair && (one.old === bestPair.old || one.found === bestPair.found))
    const isClear = rivalPairs.every(({ alike }) => alike <= bestPair.alike - minSimilarityLead)
    if (isClear && bestPair.alike >= minSimilarity) assignMatch(bestPair.old, bestPair.found, 'moved', true)
  }
}

/** Matches siblings that differ only in normalized parts, such as a price, by identical HTML. */
function matchByExactHtml(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const foundByHtml = Map.groupBy(foundCandidates, ({ html }) => html)
  const knownByHtml = Map.groupBy(knownCandidates, ({ html }) => html)
  if (foundByHtml.size < 2 && knownByHtml.size < 2) return
  for (const [html, [knownItem, ...otherKnown]] of knownByHtml) {
    const [foundItem, ...otherFound] = foundByHtml.get(html) ?? []
    if (foundItem && otherKnown.length === 0 && otherFound.length === 0) assignMatch(knownItem!, foundItem, 'moved', true)
  }
}

/** Maps each item to the last matched one before it, so that insertions and removals elsewhere on the page do not matter. */
function mapToPrecedingMatch<T extends KnownCandidate | FoundCandidate>(
  allItems: readonly T[],
  getPartnerId: (item: T) => string | null,
) {
  const precedingMatches = new Map<T, string>()
  let lastPartnerId = ''
  for (const item of allItems) {
    precedingMatches.set(item, lastPartnerId)
    lastPartnerId = getPartnerId(item) ?? lastPartnerId
  }
  return precedingMatches
}

/**
 * Matches identical siblings, which form a bag. While their number stays the same they keep their order. When it changes, the
 * one that went or came is unknown, so ignores are only kept if all of them are ignored.
 */
function matchBag(
  bagMembers: readonly KnownCandidate[],
  [unmatchedKnown, bagFindings]: readonly [readonly KnownCandidate[], readonly FoundCandidate[]],
  currentSnippets: ReadonlyMap<string, string>,
): void {
  const unmatchedFound = filterUnmatchedFound(bagFindings)
  let knownCandidates: readonly KnownCandidate[] = unmatchedKnown
  const isMixed = bagMembers.some((old) => old.ignored !== bagMembers[0]!.ignored)
  if (isMixed && unmatchedFound.length !== unmatchedKnown.length) {
    for (const old of unmatchedKnown) old.isBlocked = old.ignored
    knownCandidates = unmatchedKnown.filter((old) => !old.ignored)
  }
  // When one position now holds something else, positions prove nothing, and the remaining elements are unknown.
  const isShifted = knownCandidates.some((old) => (currentSnippets.get(old.identity) ?? old.snippet) !== old.snippet)
  const isSure = !isShifted || unmatchedFound.length === knownCandidates.length
  if (unmatchedFound.length !== knownCandidates.length && !isShifted)
    for (const item of unmatchedFound) {
      const sameIdentity = knownCandidates.find((old) => !old.isTaken && old.identity === item.identity)
      if (sameIdentity) assignMatch(sameIdentity, item, 'key', true)
    }
  const remainingFound = filterUnmatchedFound(unmatchedFound)
  filterUnmatchedKnown(knownCandidates).forEach(
    (old, position) => remainingFound[position] && assignMatch(old, remainingFound[position], 'moved', isSure),
  )
}

/** Matches bags of constant size first; changed bags are then split at the matches around them. */
function matchBags(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const getBagKey = (item: { elementKey: string; snippet: string }) => `${toLooseKey(item.elementKey)}\n${item.snippet}`
  const foundBags = Map.groupBy(filterUnmatchedFound(foundCandidates), getBagKey)
  /** Current content by location. */
  const currentSnippets = new Map(foundCandidates.map((item) => [item.identity, item.snippet]))
  const changedBags: [KnownCandidate[], FoundCandidate[]][] = []
  for (const [bagKey, members] of Map.groupBy(filterUnmatchedKnown(knownCandidates), getBagKey)) {
    const bagFindings = foundBags.get(bagKey) ?? []
    if (bagFindings.length === 0) continue
    matchByExactHtml(members, bagFindings)
    matchByWeakEvidence(filterUnmatchedKnown(members), filterUnmatchedFound(bagFindings))
    if (filterUnmatchedKnown(members).length === filterUnmatchedFound(bagFindings).length)
      matchBag(members, [filterUnmatchedKnown(members), bagFindings], currentSnippets)
    else changedBags.push([members, bagFindings])
  }
  const matchedIds = new Set(foundCandidates.map(({ match }) => match?.id))
  const precedingKnown = mapToPrecedingMatch(knownCandidates, ({ id }) => (matchedIds.has(id) ? id : null))
  const precedingFound = mapToPrecedingMatch(foundCandidates, ({ match }) => match?.id ?? null)
  for (const [bagMembers, bagFindings] of changedBags) {
    const foundByPrecedingMatch = Map.groupBy(filterUnmatchedFound(bagFindings), (item) => precedingFound.get(item)!)
    for (const [precedingId, knownSegment] of Map.groupBy(filterUnmatchedKnown(bagMembers), (old) => precedingKnown.get(old)!)) {
      const foundSegment = foundByPrecedingMatch.get(precedingId)
      if (foundSegment) matchBag(bagMembers, [knownSegment, foundSegment], currentSnippets)
    }
    // Items without a counterpart in their segment.
    matchBag(bagMembers, [filterUnmatchedKnown(bagMembers), bagFindings], currentSnippets)
  }
}

/**
 * Matches the same location with other content: the same element with a new text, unless the key consists of positions
 * only. Such keys are used last, and keep no ignore.
 */
function matchByPosition(
  knownCandidates: readonly KnownCandidate[],
  foundCandidates: readonly FoundCandidate[],
  isLast: boolean,
): void {
  const knownByIdentity = new Map(filterUnmatchedKnown(knownCandidates).map((old) => [old.identity, old]))
  for (const candidate of filterUnmatchedFound(foundCandidates)) {
    const knownIssue = knownByIdentity.get(candidate.identity)
    if (!knownIssue || knownIssue.isTaken) continue
    const isSure =
      !isPositional(candidate.elementKey) ||
      knownIssue.html === '' ||
      computeSimilarity(knownIssue.snippet, candidate.snippet) >= minSimilarity
    if (isSure || isLast) assignMatch(knownIssue, candidate, 'key', isSure)
  }
}

/** Matches by anchor, role and similar HTML, the most similar first. */
function matchBySimilarity(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const knownByAnchor = Map.groupBy(filterUnmatchedKnown(knownCandidates), (old) => getAnchorAndRole(old.elementKey))
  const scoredPairs = filterUnmatchedFound(foundCandidates).flatMap((found) =>
    (knownByAnchor.get(getAnchorAndRole(found.elementKey)) ?? [])
      // Similarity cannot distinguish the items of a long uniform list.
      .slice(0, 60)
      .map((old) => ({ old, found, alike: computeSimilarity(old.snippet, found.snippet) }))
      .filter(({ alike }) => alike >= minSimilarity),
  )
  scoredPairs.sort((a, b) => b.alike - a.alike)
  for (const { old: knownIssue, found: candidate } of scoredPairs) {
    if (knownIssue.isTaken || candidate.match !== null) continue
    // Two equally similar candidates prove neither.
    const rivalPairs = scoredPairs.filter((other) => other.found === candidate && !other.old.isTaken && other.old !== knownIssue)
    assignMatch(knownIssue, candidate, 'alike', !rivalPairs.some((other) => other.old.ignored !== knownIssue.ignored))
  }
}

/**
 * Matches identical HTML elsewhere on the page if it is unique on both sides. If several remain in equal number on both
 * sides, they match in order but keep no ignore.
 */
function matchMovedElements(
  knownCandidates: readonly KnownCandidate[],
  foundCandidates: readonly FoundCandidate[],
  allKnown: readonly KnownCandidate[],
): void {
  const groupBySnippet = <T extends { snippet: string }>(items: readonly T[]) => Map.groupBy(items, ({ snippet }) => snippet)
  const [foundBySnippet, knownBySnippet, unmatchedBySnippet] = [
    groupBySnippet(foundCandidates),
    groupBySnippet(allKnown),
    groupBySnippet(filterUnmatchedFound(foundCandidates)),
  ]
  for (const [snippet, unmatchedKnown] of groupBySnippet(filterUnmatchedKnown(knownCandidates))) {
    const unmatchedFound = unmatchedBySnippet.get(snippet) ?? []
    if (unmatchedFound.length !== unmatchedKnown.length) continue
    const isOnly = foundBySnippet.get(snippet)!.length === 1 && knownBySnippet.get(snippet)!.length === 1
    unmatchedKnown.forEach((old, position) => {
      const foundItem = unmatchedFound[position]!
      if (isOnly || getResource(old.elementKey) === getResource(foundItem.elementKey))
        assignMatch(old, foundItem, 'moved', isOnly)
    })
  }
}

/**
 * Matches the findings of a run on a page one to one to known issues of the same rule: by the same HTML in the same or a
 * neighboring location, the same location, similar HTML, or the same HTML elsewhere. The result does not depend on the order
 * of the arguments.
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
    isBlocked: false,
    isTaken: false,
  }))
  const knownByRule = Map.groupBy(knownCandidates, ({ rule }) => rule)
  for (const [rule, ruleFindings] of Map.groupBy(foundCandidates, (item) => getCurrentRule(item.rule))) {
    ruleFindings.sort((a, b) => compareKeys(a.elementKey, b.elementKey) || a.ordinal - b.ordinal)
    const allKnown = knownByRule.get(rule) ?? []
    allKnown.sort((a, b) => compareKeys(a.elementKey, b.elementKey) || (a.id < b.id ? -1 : 1))
    const presentKnown = allKnown.filter((old) => old.present)
    matchBags(presentKnown, ruleFindings)
    matchByPosition(presentKnown, ruleFindings, false)
    matchBySimilarity(presentKnown, ruleFindings)
    matchMovedElements(presentKnown, ruleFindings, allKnown)
    matchByPosition(presentKnown, ruleFindings, true)
    // A fixed issue comes back only on identical evidence.
    const absentKnown = allKnown.filter((old) => !old.present)
    matchBags(absentKnown, ruleFindings)
    matchByPosition(absentKnown, ruleFindings, true)
  }
  return foundCandidates.map(({ match }) => match)
}
