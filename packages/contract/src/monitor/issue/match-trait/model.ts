import { splitElementKey } from '../model.ts'
import {
  assignMatch,
  computeSimilarity,
  type FoundCandidate,
  isDecisionSafe,
  type KnownCandidate,
} from '../match-candidate/model.ts'

/**
 * Weight of each kind of trait, which is its first letter: own anchor (i), name (n), text (t), target (h), picture (p), text of a
 * container (u), other attributes (a), class words (c); texts of the regions around it (r, s, q), the first text of each (f, e,
 * d), links there (l), nearby text (b), heading (g), anchors around it (o). Under a capital letter is the text without its numbers.
 * The words of a text in any order have no weight: they show that a different text is the same in another order.
 */
const weights: ReadonlyMap<string, number> = new Map(
  [...'i8n4t4h4p3u2a2c1r3f3s2e2q1d1l2o3b2g1N2T2H2U1R1F1S1E1B1'.matchAll(/(\w)(\d)/g)].map(([, kind, weight]) => [
    kind!,
    Number(weight),
  ]),
)
/** Kinds whose difference makes it another element, unless its place says otherwise. */
const ownKinds = ['i', 'n', 't', 'h'] as const
/** Kinds that tell apart elements with the same own traits. */
const nearKinds = ['f', 'e', 'd', 'l', 'o', 'b'] as const
const combinedKinds = /^[inthpca]/
const regionKinds = /^[rfsedlobg]/
/** Kind of the words of a text around an element in any order, by the kind of the text. Its own text is none of them: `A to B`. */
const wordKinds: ReadonlyMap<string, string> = new Map(
  [...'fjekdmbv'.matchAll(/(\w)(\w)/g)].map(([, kind, words]) => [kind!, words!]),
)
const isOfWords = (trait: string): boolean => /^[jkmv]/.test(trait)
/** A trait of more elements than this tells none of them apart. */
const maxSharers = 12

type Evidence = {
  location: string
  /** Tag, role and type. */
  nature: string
  traits: readonly string[]
  /** Traits of the words of its texts in any order. */
  words: ReadonlySet<string>
  /** Traits, and pairs of an own trait and one of the surroundings, which tell apart the buttons of one row. */
  tokens: ReadonlySet<string>
  /** Token that elements with the same own traits share. */
  self: string
}
type Known = KnownCandidate & Evidence
type Found = FoundCandidate & Evidence

/** Anchors of the path to an element, apart from landmarks, which repeat. */
const listAnchors = (location: string): string[] =>
  location
    .split(' >>> ')
    .map((path) => path.slice(0, path.indexOf('>')))
    .filter((step) => /^[#[]|\[name=/.test(step))

/** @param peerTexts hashes of the texts of all elements; a neighbor's text before an element is no label of it */
function readEvidence(elementKey: string, peerTexts: ReadonlySet<string>): Evidence {
  const { location, traits } = splitElementKey(elementKey)
  const [path = '', role = '', type = ''] = location.slice(location.lastIndexOf('>') + 1).split('|')
  const ownTraits = [
    ...(traits ?? []).filter(
      (trait) => trait[0] !== 'x' && !isOfWords(trait) && (trait[0] !== 'b' || !peerTexts.has(trait.slice(1))),
    ),
    ...listAnchors(location).map((anchor) => `o${anchor.replaceAll(/\s/g, '')}`),
  ]
  const regions = ownTraits.filter((trait) => regionKinds.test(trait))
  const pairs = ownTraits
    .filter((trait) => combinedKinds.test(trait))
    .flatMap((own) => regions.map((region) => `${own} ${region}`))
  const nature = [path.replace(/:\d+$/, ''), role, type].join('|')
  const self = `self ${nature} ${ownTraits.filter((trait) => /^[inthp]/.test(trait)).join('.')}`
  const words = new Set((traits ?? []).filter(isOfWords))
  return { location, nature, traits: ownTraits, words, tokens: new Set([...ownTraits, ...pairs]), self }
}

/** Numbers of known issues and findings that have each token. */
type TokenCounts = { knownCounts: ReadonlyMap<string, number>; foundCounts: ReadonlyMap<string, number> }
function countTokens(items: readonly Evidence[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tokens, self } of items) for (const token of [...tokens, self]) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}
const getSharers = ({ knownCounts, foundCounts }: TokenCounts, token: string): number =>
  Math.max(knownCounts.get(token) ?? 0, foundCounts.get(token) ?? 0)

const filterKnown = (known: readonly Known[]): Known[] => known.filter((one) => !one.isTaken)
const filterFound = (found: readonly Found[]): Found[] => found.filter((one) => one.match === null)
const isSamePlace = (known: Known, found: Found): boolean =>
  known.identity === found.identity || known.location === found.location

const listKind = ({ traits }: Evidence, kind: string): string[] => traits.filter((trait) => trait.startsWith(kind))
/**
 * True if both have traits of a kind, and none is the same, apart from the order of words; `isExact` counts texts that differ only
 * in numbers as different.
 */
function isDifferent(known: Evidence, found: Evidence, kind: string, isExact: boolean): boolean {
  const [knownTraits, foundTraits] = [listKind(known, kind), listKind(found, kind)]
  if (knownTraits.length === 0 || foundTraits.length === 0 || knownTraits.some((trait) => found.tokens.has(trait))) return false
  const plainTraits = listKind(known, kind.toUpperCase())
  if (plainTraits.some((trait) => found.tokens.has(trait))) return isExact
  const wordKind = wordKinds.get(kind)
  return wordKind === undefined || ![...known.words].some((trait) => trait.startsWith(wordKind) && found.words.has(trait))
}

/** How a known issue and a finding compare. */
type Comparison = {
  /** Tokens that both have and no other element. */
  unique: string[]
  score: number
  /** Kinds of own traits that both have and that differ. */
  differing: string[]
  /** The texts next to both differ, and none is of theirs alone. */
  differsNearby: boolean
  /** These texts also tell apart elements with the same own traits, such as the buttons of rows. */
  isElsewhere: boolean
}

/** Number of elements next to a text; null if it is next to all elements with the same own traits. */
function getOwnPlaceCount(item: Evidence, kind: string, tokenCounts: ReadonlyMap<string, number>): number | null {
  const siblingCount = tokenCounts.get(item.self) ?? 0
  const placeCount = Math.min(...listKind(item, kind).map((trait) => tokenCounts.get(trait) ?? 0))
  return placeCount < siblingCount ? placeCount : null
}

function computeComparison(known: Known, found: Found, counts: TokenCounts): Comparison {
  const shared = [...known.tokens].filter((token) => found.tokens.has(token))
  const differing = ownKinds.filter((kind) => isDifferent(known, found, kind, false))
  const unique = shared.filter((token) => getSharers(counts, token) === 1)
  // The rarest text next to both decides: that of a row before that of its list.
  const minSharers = Math.min(
    ...shared.filter((token) => /^[fedlobgrs]\S*$/.test(token)).map((token) => getSharers(counts, token)),
  )
  const differingNearby = minSharers === 1 ? [] : nearKinds.filter((kind) => isDifferent(known, found, kind, true))
  const isElsewhere = differingNearby.some((kind) => {
    const knownCount = getOwnPlaceCount(known, kind, counts.knownCounts)
    const foundCount = getOwnPlaceCount(found, kind, counts.foundCounts)
    return knownCount !== null && foundCount !== null && Math.max(knownCount, foundCount) < minSharers
  })
  const differsNearby = isElsewhere || differingNearby.includes('f') || differingNearby.includes('b')
  const sharedScore = shared
    .filter((token) => !token.includes(' '))
    .reduce((sum, token) => sum + (weights.get(token[0]!) ?? 0) / getSharers(counts, token), 0)
  const score = sharedScore - 3 * differing.length - (isElsewhere ? 2 : 0) + (isSamePlace(known, found) ? 0.5 : 0)
  return { unique, score, differing, differsNearby, isElsewhere }
}

type Compare = (known: Known, found: Found) => Comparison

/** Compares each pair once: passes with fewer and fewer traits meet the same pairs again. */
function createCompare(counts: TokenCounts): Compare {
  const comparisonsByKnown = new Map<Known, Map<Found, Comparison>>()
  return (known, found) => {
    let comparisons = comparisonsByKnown.get(known)
    if (!comparisons) comparisonsByKnown.set(known, (comparisons = new Map()))
    let comparison = comparisons.get(found)
    if (!comparison) comparisons.set(found, (comparison = computeComparison(known, found, counts)))
    return comparison
  }
}

/**
 * Matches members of a group in which nothing tells elements apart.
 * @param members all members of the group, including those that are matched or that weak evidence tells apart
 * @param isCertain false if the group may hold other elements than before
 */
function matchGroup(
  knownGroup: readonly Known[],
  foundGroup: readonly Found[],
  members: { known: readonly Known[]; foundCount: number },
  isCertain = true,
): void {
  // When some of them went, those with a decision may be among them.
  const isShrunk = knownGroup.length > foundGroup.length
  const undecidedFirst = isShrunk ? knownGroup.toSorted((a, b) => Number(a.ignored) - Number(b.ignored)) : knownGroup
  const candidates = undecidedFirst.slice(0, foundGroup.length)
  const pairs: [Known, Found][] = []
  const [pairedKnown, pairedFound] = [new Set<Known>(), new Set<Found>()]
  const addPair = (known: Known, found: Found) => {
    pairs.push([known, found])
    pairedKnown.add(known)
    pairedFound.add(found)
  }
  if (knownGroup.length !== foundGroup.length) {
    const foundByPlace = Map.groupBy(foundGroup, ({ location }) => location)
    for (const candidate of candidates) {
      const samePlace = foundByPlace.get(candidate.location)?.find((other) => !pairedFound.has(other))
      if (samePlace) addPair(candidate, samePlace)
    }
  }
  const remainingFound = foundGroup.filter((found) => !pairedFound.has(found))
  for (const [index, known] of candidates.filter((one) => !pairedKnown.has(one)).entries())
    if (remainingFound[index]) addPair(known, remainingFound[index])
  const isSure = isCertain && isDecisionSafe(members.known, members.foundCount, pairs)
  for (const [known, found] of pairs) assignMatch(known, found, 'moved', isSure)
}

/** Matches elements of which everything is the same, wherever they are. */
function matchUnchanged(known: readonly Known[], found: readonly Found[]): void {
  const getSignature = ({ nature, traits }: Evidence) => `${nature} ${traits.join('.')}`
  // Words of states wander from one element to another, so class words alone tell none apart.
  const getFirmSignature = ({ nature, traits }: Evidence) => `${nature} ${traits.filter((trait) => trait[0] !== 'c').join('.')}`
  const firmKnown = Map.groupBy(known, getFirmSignature)
  const firmFound = Map.groupBy(found, getFirmSignature)
  const foundBySignature = Map.groupBy(filterFound(found), getSignature)
  for (const [signature, knownGroup] of Map.groupBy(filterKnown(known), getSignature)) {
    const foundGroup = foundBySignature.get(signature)
    if (!foundGroup) continue
    const firmSignature = getFirmSignature(knownGroup[0]!)
    const members = { known: firmKnown.get(firmSignature)!, foundCount: firmFound.get(firmSignature)!.length }
    matchGroup(knownGroup, foundGroup, members)
  }
}

/**
 * Matches elements in the same place, with the same markup around them, the same own traits and the same nearest text: only
 * texts further away changed. It may be another element.
 */
function matchInPlace(known: readonly Known[], found: readonly Found[]): void {
  const getSignature = ({ elementKey, location, nature, traits }: Evidence & { elementKey: string }) => {
    const markup = splitElementKey(elementKey).traits?.find((trait) => trait.startsWith('x')) ?? ''
    const nearTraits = traits.filter((trait) => /^[inthpacrNTHRfFbBl]/.test(trait))
    return [location, nature, markup, ...nearTraits].join(' ')
  }
  const foundBySignature = Map.groupBy(filterFound(found), getSignature)
  for (const [signature, [one, ...otherKnown]] of Map.groupBy(filterKnown(known), getSignature)) {
    const [other, ...otherFound] = foundBySignature.get(signature) ?? []
    if (!other || otherKnown.length > 0 || otherFound.length > 0) continue
    assignMatch(one!, other, 'moved', false)
  }
}

type Pair = Comparison & { known: Known; found: Found }
/** Compares elements that share a rare token or a place. */
function listPairs(known: readonly Known[], found: readonly Found[], compare: Compare): Pair[] {
  const knownByToken = new Map<string, Known[]>()
  const listTokens = ({ tokens, location }: Evidence) => [...tokens, `place ${location}`]
  for (const one of known)
    for (const token of listTokens(one)) {
      const sharers = knownByToken.get(token)
      if (sharers) sharers.push(one)
      else knownByToken.set(token, [one])
    }
  return found.flatMap((item) => {
    const partners = new Set<Known>()
    for (const token of listTokens(item)) {
      const sharers = knownByToken.get(token) ?? []
      if (sharers.length <= maxSharers) for (const one of sharers) partners.add(one)
    }
    return [...partners].map((one) => ({ known: one, found: item, ...compare(one, item) }))
  })
}

/** Own traits that prove an element by themselves. */
const isOwnProof = (token: string): boolean => /^[inth]\S*$/.test(token)
/** Class words, outer regions and headings alone prove nothing, and neither do texts without their numbers. */
const isProof = (token: string): boolean => (token.includes(' ') ? !/[A-Z]/.test(token) : /^[inthpuarfselob]/.test(token))

/** Matches elements that changed a little, by traits that no other element has. */
function matchByUniqueTraits(known: readonly Known[], found: readonly Found[], compare: Compare): void {
  const pairs = listPairs(filterKnown(known), filterFound(found), compare).filter(({ unique }) => unique.some(isProof))
  const isClear = ({ differing, differsNearby, unique, known: one, found: other }: Pair) =>
    differing.length === 0 && one.nature === other.nature && (!differsNearby || unique.some(isOwnProof))
  // Without a difference first, then by score; the order of the items decides last.
  pairs.sort((a, b) => Number(isClear(b)) - Number(isClear(a)) || b.score - a.score)
  for (const pair of pairs) {
    const { known: one, found: other, differing, isElsewhere, unique } = pair
    if (one.isTaken || other.match !== null) continue
    const isPlausible =
      isClear(pair) ||
      // A wrapper around all content of a flagged container is flagged in its place.
      (differing.length === 0 && unique.some((token) => /^u\S*$/.test(token))) ||
      (differing.length < 2 && (unique.some(isOwnProof) || (isSamePlace(one, other) && !isElsewhere)))
    if (isPlausible) assignMatch(one, other, 'alike', isClear(pair))
  }
}

/** Own traits with fewer and fewer traits of the surroundings; at last without pictures, which a new design changes. */
const alikeKinds = ['rRfFsSelob', 'fedlob', 'fe', 'e', 'f', 'l', 'o', 'b', 'g', '']
  .map((near) => `inthpaNTHA${near}`)
  .concat('inthNTH')
/** Maximum number of pairs to compare; an untrusted page may have thousands of elements that look alike. */
const maxComparedPairs = 2500

/** The first tag of markup. axe-core leaves out the content of an element whose markup is long, so a letter more changes the rest. */
const getOpeningTag = (snippet: string): string => /^<[^>]*>/.exec(snippet)?.[0] ?? snippet

/**
 * Matches elements with the same own traits by fewer and fewer traits of their surroundings.
 * @param getMarkup markup that has to be the same
 */
function matchAlike(
  known: readonly Known[],
  found: readonly Found[],
  compare: Compare,
  getMarkup: (snippet: string) => string,
): void {
  for (const kinds of alikeKinds) {
    const getSignature = ({ nature, traits, snippet }: Evidence & { snippet: string }) =>
      `${nature} ${traits.filter((trait) => kinds.includes(trait[0]!)).join('.')} ${getMarkup(snippet)}`
    const [allKnown, allFound] = [Map.groupBy(known, getSignature), Map.groupBy(found, getSignature)]
    const foundBySignature = Map.groupBy(filterFound(found), getSignature)
    for (const [signature, knownGroup] of Map.groupBy(filterKnown(known), getSignature)) {
      const foundGroup = foundBySignature.get(signature) ?? []
      const isLarge = knownGroup.length * foundGroup.length > maxComparedPairs
      const isElsewhere = (one: Known, other: Found) => !isLarge && compare(one, other).isElsewhere
      const placed = knownGroup.filter((one) => !foundGroup.every((other) => isElsewhere(one, other)))
      const placedFound = foundGroup.filter((other) => !placed.every((one) => isElsewhere(one, other)))
      if (placed.length === 0 || placedFound.length === 0) continue
      const isCertain = !isLarge && placed.every((one) => placedFound.every((other) => !compare(one, other).differsNearby))
      const members = { known: allKnown.get(signature)!, foundCount: allFound.get(signature)!.length }
      matchGroup(placed, placedFound, members, isCertain)
    }
  }
}

const minSimilarityInPlace = 0.5
const removePositions = (location: string): string => location.replaceAll(/:\d+(?=[>|]|$)/g, '')
/** Matches remaining elements at the same place, if most of its markup is the same. It may be another element. */
function matchByPlace(known: readonly Known[], found: readonly Found[], compare: Compare): void {
  const foundByPlace = Map.groupBy(filterFound(found), ({ location }) => location)
  const countSiblings = (items: readonly Evidence[]) => Map.groupBy(items, ({ location }) => removePositions(location))
  const [knownSiblings, foundSiblings] = [countSiblings(known), countSiblings(found)]
  for (const one of filterKnown(known)) {
    const candidates = filterFound(foundByPlace.get(one.location) ?? [])
    const other = candidates.find(({ identity }) => identity === one.identity) ?? candidates[0]
    if (!other) continue
    const { differing, isElsewhere } = compare(one, other)
    const similarity =
      one.html === ''
        ? 1
        : Math.max(
            computeSimilarity(one.snippet, other.snippet),
            // Without the content, which may have been left out on one side.
            differing.length === 0 ? computeSimilarity(getOpeningTag(one.snippet), getOpeningTag(other.snippet)) : 0,
          )
    // An item of a list whose texts differ is another item; an element without siblings has new texts.
    const loosePlace = removePositions(one.location)
    const isAlone = knownSiblings.get(loosePlace)?.length === 1 && foundSiblings.get(loosePlace)?.length === 1
    const isPlausible = isAlone || (!isElsewhere && differing.length < 2)
    if (isPlausible && !differing.includes('i') && similarity >= minSimilarityInPlace) assignMatch(one, other, 'key', false)
  }
}

/** Matches findings of one rule to known issues by their traits. */
export function matchByTraits(allKnown: readonly KnownCandidate[], allFound: readonly FoundCandidate[]): void {
  const peerTexts = new Set(
    [...allKnown, ...allFound].flatMap(({ elementKey }) =>
      (splitElementKey(elementKey).traits ?? []).filter((trait) => trait.startsWith('t')).map((trait) => trait.slice(1)),
    ),
  )
  const knownItems = allKnown.map((one) => Object.assign(one, readEvidence(one.elementKey, peerTexts)))
  const foundItems = allFound.map((one) => Object.assign(one, readEvidence(one.elementKey, peerTexts)))
  for (const isPresent of [true, false]) {
    const someKnown = knownItems.filter(({ present }) => present === isPresent)
    if (someKnown.length === 0) continue
    const compare = createCompare({ knownCounts: countTokens(someKnown), foundCounts: countTokens(foundItems) })
    matchUnchanged(someKnown, foundItems)
    matchByUniqueTraits(someKnown, foundItems, compare)
    // A fixed issue comes back only on strong evidence.
    if (isPresent) matchInPlace(someKnown, foundItems)
    for (const getMarkup of isPresent ? [(snippet: string) => snippet, getOpeningTag] : [])
      matchAlike(someKnown, foundItems, compare, getMarkup)
    if (isPresent) matchByPlace(someKnown, foundItems, compare)
  }
}
