import {
  assignMatch,
  collectTrigrams,
  computeOverlap,
  computeSimilarity,
  filterUnmatchedFound,
  filterUnmatchedKnown,
  type FoundCandidate,
  haveSameDecision,
  isDecisionSafe,
  isSameToPeople,
  type KnownCandidate,
  minSimilarity,
  removeReferences,
} from '../match-candidate/model.ts'

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

/** HTML without words that look generated: within a bag, class names and data attributes are weak but useful evidence. */
const getWeakEvidence = (html: string): string =>
  removeReferences(html)
    .replaceAll(/[\w-]+/g, (word) => (/\d|__/.test(word) ? '*' : word))
    .replaceAll(/\s+/g, ' ')
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

/** Matches siblings that differ only in normalized parts, such as a price, by identical HTML apart from ids. */
function matchByExactHtml(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const foundByHtml = Map.groupBy(foundCandidates, ({ html }) => removeReferences(html))
  const knownByHtml = Map.groupBy(knownCandidates, ({ html }) => removeReferences(html))
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
  const isMixed = !haveSameDecision(bagMembers)
  const isResized = unmatchedFound.length !== unmatchedKnown.length
  // When one of them went, it may be the one with the decision: the others keep theirs, which is none.
  if (isMixed && isResized) knownCandidates = unmatchedKnown.filter((old) => !old.ignored)
  // When one position now holds something else, positions prove nothing, and the remaining elements are unknown.
  const isShifted = knownCandidates.some((old) => (currentSnippets.get(old.identity) ?? old.snippet) !== old.snippet)
  const isUniform = !isShifted || unmatchedFound.length === knownCandidates.length
  if (unmatchedFound.length !== knownCandidates.length && !isShifted)
    for (const item of unmatchedFound) {
      const sameIdentity = knownCandidates.find((old) => !old.isTaken && old.identity === item.identity)
      if (sameIdentity) assignMatch(sameIdentity, item, 'key', isDecisionSafe(knownCandidates, bagFindings.length, []))
    }
  const remainingFound = filterUnmatchedFound(unmatchedFound)
  const pairs = filterUnmatchedKnown(knownCandidates).flatMap((old, position) =>
    remainingFound[position] ? [[old, remainingFound[position]] as const] : [],
  )
  const isSure = isUniform && (isMixed && isResized ? true : isDecisionSafe(bagMembers, bagFindings.length, pairs))
  for (const [old, found] of pairs) assignMatch(old, found, 'moved', isSure)
  if (isMixed && isResized) askAgain(unmatchedKnown, unmatchedFound)
}
/** Keeps the issues of a bag whose decision cannot be placed; users decide again. */
function askAgain(knownCandidates: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const remainingFound = filterUnmatchedFound(foundCandidates)
  for (const [position, old] of filterUnmatchedKnown(knownCandidates).entries())
    if (remainingFound[position]) assignMatch(old, remainingFound[position], 'moved', false)
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

/** Matches the same location with other content, unless the key has positions only: such keys are used last, without ignores. */
function matchByPosition(
  knownCandidates: readonly KnownCandidate[],
  foundCandidates: readonly FoundCandidate[],
  isLast: boolean,
): void {
  const knownByIdentity = new Map(filterUnmatchedKnown(knownCandidates).map((old) => [old.identity, old]))
  for (const candidate of filterUnmatchedFound(foundCandidates)) {
    const knownIssue = knownByIdentity.get(candidate.identity)
    if (!knownIssue || knownIssue.isTaken) continue
    const isSure = !isPositional(candidate.elementKey) || knownIssue.html === '' || isSameToPeople(knownIssue, candidate)
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
    const isSure = isSameToPeople(knownIssue, candidate) && !rivalPairs.some((other) => other.old.ignored !== knownIssue.ignored)
    assignMatch(knownIssue, candidate, 'alike', isSure)
  }
}

/** Matches identical HTML elsewhere on the page if unique on both sides. Equal numbers match in order, but keep no ignore. */
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

/** Matches findings of one rule to known issues: the same HTML in place or nearby, the same location, similar or moved HTML. */
export function matchByMarkup(allKnown: readonly KnownCandidate[], foundCandidates: readonly FoundCandidate[]): void {
  const presentKnown = allKnown.filter((old) => old.present)
  matchBags(presentKnown, foundCandidates)
  matchByPosition(presentKnown, foundCandidates, false)
  matchBySimilarity(presentKnown, foundCandidates)
  matchMovedElements(presentKnown, foundCandidates, allKnown)
  matchByPosition(presentKnown, foundCandidates, true)
  // A fixed issue comes back only on identical evidence.
  const absentKnown = allKnown.filter((old) => !old.present)
  matchBags(absentKnown, foundCandidates)
  matchByPosition(absentKnown, foundCandidates, true)
}
