import { splitElementKey } from '../model.ts'

export type KnownIssue = {
  id: string
  identity: string
  rule: string
  elementKey: string
  /** HTML of its newest finding; empty when retention removed it. */
  html: string
  /** True if it bears a decision that no other element may get: it is ignored, or a user judged the result. */
  ignored: boolean
  /** True unless the issue is fixed or gone; a fixed issue comes back only on the strongest evidence. */
  present: boolean
}
/** A finding of a run on that page; `previous` are its key and identity by the method of keys without traits. */
export type FoundIssue = {
  identity: string
  rule: string
  elementKey: string
  ordinal: number
  html: string
  previous?: { identity: string; elementKey: string }
}
export type MatchPass = 'key' | 'alike' | 'moved'
/** `sure` is false when it may be another element: assignee and comments stay, an ignore does not. */
export type IssueMatch = { id: string; by: MatchPass; sure: boolean }

/** Attributes that hold or refer to ids, which component libraries generate. */
const referenceNames =
  'id|for|name|form|list|headers|popovertarget|commandfor|aria-(?:labelledby|describedby|details|errormessage|controls|owns|flowto|activedescendant)'
const attributeValue = String.raw`(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?(?=[\s/>])`
const referenceAttributes = new RegExp(String.raw`\s(?:${referenceNames})${attributeValue}`, 'gi')
const unstableAttributes = new RegExp(
  String.raw`\s(?:${referenceNames}|class|style|nonce|integrity|tabindex|aria-(?:expanded|selected|checked)|data-[\w-]*|ng-[\w-]*|_ng[\w-]*|jsname|jsaction)${attributeValue}`,
  'gi',
)

/** HTML without ids and references to them: they shift with each component inserted before. */
export const removeReferences = (html: string): string =>
  html.replaceAll(referenceAttributes, '').replaceAll(/((?:xlink:)?href=["']#)[^"']*/gi, '$1')

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

/** Compares keys in document order: positions are compared as numbers. */
export const compareKeys = new Intl.Collator('en', { numeric: true }).compare

export function collectTrigrams(text: string): Set<string> {
  const trigramSet = new Set<string>()
  for (let position = 0; position + 3 <= text.length && position < 600; position++)
    trigramSet.add(text.slice(position, position + 3))
  return trigramSet
}
export function computeOverlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size + right.size === 0) return 0
  let commonCount = 0
  for (const trigram of left) if (right.has(trigram)) commonCount++
  return (2 * commonCount) / (left.size + right.size)
}
/** Similarity of two texts, 0–1: shared trigrams relative to all trigrams. */
export const computeSimilarity = (a: string, b: string): number =>
  a === b ? 1 : computeOverlap(collectTrigrams(a), collectTrigrams(b))
export const minSimilarity = 0.8

/** Texts and attributes by which people tell elements apart. */
function getVisibleParts(html: string): string {
  const attributes = html.matchAll(/\s(?:aria-label|alt|title|placeholder|value|href|src|data|label)=(?:"([^"]*)"|'([^']*)')/gi)
  const texts = html.split('<').map((part) => ` ${part.slice(part.indexOf('>') + 1)}`)
  return normalizeSnippet([...attributes].map(([, doubleQuoted, quoted]) => doubleQuoted ?? quoted).join(' ') + texts.join(''))
}
/** True if two pieces of markup look alike, and people read the same in both. */
export const isSameToPeople = (left: { html: string; snippet: string }, right: { html: string; snippet: string }): boolean =>
  computeSimilarity(left.snippet, right.snippet) >= minSimilarity && getVisibleParts(left.html) === getVisibleParts(right.html)

export type KnownCandidate = KnownIssue & { snippet: string; isTaken: boolean }
export type FoundCandidate = FoundIssue & { snippet: string; match: IssueMatch | null }

export const assignMatch = (known: KnownCandidate, candidate: FoundCandidate, by: MatchPass, sure: boolean): void => {
  known.isTaken = true
  candidate.match = { id: known.id, by: known.identity === candidate.identity ? 'key' : by, sure }
}
export const filterUnmatchedKnown = <K extends KnownCandidate>(knownCandidates: readonly K[]): K[] =>
  knownCandidates.filter((old) => !old.isTaken)
export const filterUnmatchedFound = <F extends FoundCandidate>(foundCandidates: readonly F[]): F[] =>
  foundCandidates.filter((found) => found.match === null)

/** Locations without their common start, which content before all of them may shift. */
function toRelativeLocations(locations: readonly string[]): readonly string[] {
  const [first = '', ...others] = locations
  if (others.length === 0) return locations
  let length = 0
  while (length < first.length && others.every((one) => one[length] === first[length])) length += 1
  return locations.map((one) => one.slice(first.lastIndexOf('>', length) + 1))
}
/** Hash of the exact markup around an element; null in keys without traits. */
const getMarkup = (elementKey: string): string | null =>
  splitElementKey(elementKey).traits?.find((trait) => trait.startsWith('x')) ?? null
/** True if elements that nothing tells apart are where they were, with the markup that they had. */
function areInPlace(pairs: readonly (readonly [KnownCandidate, FoundCandidate])[]): boolean {
  const getPlaces = (items: readonly { elementKey: string }[]) =>
    toRelativeLocations(items.map(({ elementKey }) => splitElementKey(elementKey).location))
  const knownPlaces = getPlaces(pairs.map(([known]) => known))
  const foundPlaces = getPlaces(pairs.map(([, found]) => found))
  return pairs.every(
    ([known, found], index) =>
      knownPlaces[index] === foundPlaces[index] &&
      (known.html === '' || known.html === found.html) &&
      getMarkup(known.elementKey) === getMarkup(found.elementKey),
  )
}
export const haveSameDecision = (knownCandidates: readonly KnownCandidate[]): boolean =>
  knownCandidates.every(({ ignored }) => ignored === knownCandidates[0]?.ignored)
/**
 * True if no decision lands on another element, when nothing tells the members of a group apart.
 * @param members the known members, matched ones included; `foundCount` the members now
 */
export function isDecisionSafe(
  members: readonly KnownCandidate[],
  foundCount: number,
  pairs: readonly (readonly [KnownCandidate, FoundCandidate])[],
): boolean {
  if (members.every(({ ignored }) => !ignored)) return true
  if (foundCount > members.length) return false
  return haveSameDecision(members) || (foundCount === members.length && areInPlace(pairs))
}
