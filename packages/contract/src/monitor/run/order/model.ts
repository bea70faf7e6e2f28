import {
  type Bucket,
  getActionName,
  getKindName,
  getLanguageName,
  getPatternName,
  getSectionName,
  getVariantName,
  isCommonKind,
  openTrapKind,
  parseBucket,
  previousPageKind,
} from '../bucket/model.ts'
import { getGroupName, getRoleName, type Role, type Roles } from '../view/model.ts'
import { allName, type Tallies } from '../visit/model.ts'

/** Share of the page limit and of the visits for pages of the last run, and of each batch for random ones. */
export const previousShare = 0.8
export const randomShare = 0.1

/** A pattern that brought no new content in this many visits in a row is a trap. */
const trapLength = 10

/** Number of URLs to visit before the next ones are chosen; independent of the number of workers. */
export const computeBatchSize = (visitedCount: number): number => Math.min(500, Math.max(8, Math.ceil(visitedCount / 8)))

/** Share of views, relative to pages that bring as much, and of views by their words among them. */
const viewShare = 0.1
const shareByRole: Readonly<Record<Role, number>> = { page: 1, 'likely-view': 1, view: 0.5 }
/** Share of views in a batch while one of them has a name that no visited one has, and so probably a structure of its own. */
const newViewShare = 1.5

/** Buckets for random visits: of pages, if any wait, then of likely views. Traps and deeper levels are left out. */
export function selectRandomBuckets(buckets: readonly string[], roles: Roles, tallies: Tallies): string[] {
  const traps = new Set(listTraps(tallies, buckets))
  const openBuckets = selectNearest(buckets.filter((text) => !traps.has(text)))
  const byRole = Map.groupBy(openBuckets, (text) => roles.get(text) ?? 'page')
  return byRole.get('page') ?? byRole.get('likely-view') ?? openBuckets
}

type Candidate = {
  text: string
  bucket: Bucket
  left: number
  /** Names of its groups, by level. */
  names: readonly string[]
  /** Weights of its section, of pages or views in it, of its role among views, and of its form. */
  weights: { section: number; group: number; role: number; form: number }
}

/** Limits of the expected gain: more comes from new structures, of which a form has few. */
const maxGain = { page: 1.5, view: 1 }

/** Gain from which a new form of parameters starts: the mean of other parameters of its path, or of other views. */
function computeStartGain(bucket: Bucket, role: Role, tallies: Tallies): number {
  const groupName = role === 'page' ? getVariantName(bucket) : getGroupName(bucket, role)
  const { visits, gain } = groupName === null ? { visits: 0, gain: 0 } : tallies.get(groupName)
  return Math.min(1, (gain + 1) / (visits + 1))
}

/** Expected gain of a visit: what the bucket and its pattern have brought so far. */
function computeYield(text: string, bucket: Bucket, role: Role, tallies: Tallies): number {
  const ownTally = tallies.get(text)
  const patternTally = tallies.get(getPatternName(bucket))
  const gain = ownTally.gain + patternTally.gain / 2 + computeStartGain(bucket, role, tallies) / 2
  const gainShare = gain / (ownTally.visits + patternTally.visits / 2 + 0.5)
  return (0.02 + Math.min(role === 'page' ? maxGain.page : maxGain.view, gainShare)) ** 2
}

/** Number of visits of a pattern after which its prior counts half, as an exponent: what they brought tells more. */
const priorVisits = 4

type Level = { getName: (bucket: Bucket, role: Role, text: string) => string; weight: keyof Candidate['weights'] }
/** Groups that take turns, from the outermost. */
const levels: readonly Level[] = [
  { getName: getLanguageName, weight: 'section' },
  { getName: getSectionName, weight: 'section' },
  { getName: getGroupName, weight: 'group' },
  { getName: getRoleName, weight: 'role' },
  { getName: getActionName, weight: 'form' },
  { getName: getPatternName, weight: 'form' },
  { getName: (_bucket, _role, text) => text, weight: 'form' },
]

function toCandidate(text: string, bucket: Bucket, left: number, role: Role, tallies: Tallies): Candidate {
  const expectedYield = computeYield(text, bucket, role, tallies)
  const group = expectedYield * (role === 'page' ? 1 : viewShare)
  const prior = bucket.prior ** (priorVisits / (priorVisits + tallies.get(getPatternName(bucket)).visits))
  // The prior of a view repeats why it is a view.
  const form = role === 'page' ? prior * expectedYield : expectedYield
  const names = levels.map(({ getName }) => getName(bucket, role, text))
  const isNewView = role === 'view' && tallies.get(getActionName(bucket)).visits === 0
  return {
    text,
    bucket,
    left,
    names,
    weights: { section: bucket.prior * group, group, role: isNewView ? newViewShare : shareByRole[role], form },
  }
}

type Weights = Candidate['weights']

/** Candidates of a group, in groups of the next level. */
type Group = {
  name: string
  /** Ordered by name; none for a bucket. */
  groups: readonly Group[]
  candidate: Candidate | null
  /** Maxima of the candidates that are left; all 0 if none is. */
  weights: Weights
}

const noWeights: Weights = { section: 0, group: 0, role: 0, form: 0 }
const getMaxWeights = (groups: readonly { weights: Weights }[]): Weights =>
  groups.reduce(
    (maxima, { weights }) => ({
      section: Math.max(maxima.section, weights.section),
      group: Math.max(maxima.group, weights.group),
      role: Math.max(maxima.role, weights.role),
      form: Math.max(maxima.form, weights.form),
    }),
    noWeights,
  )

function buildGroup(name: string, candidates: readonly Candidate[], level = 0): Group {
  const [first] = candidates
  if (level === levels.length && first) return { name, groups: [], candidate: first, weights: first.weights }
  const groups = [...Map.groupBy(candidates, ({ names }) => names[level]!)]
    .map(([groupName, members]) => buildGroup(groupName, members, level + 1))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  return { name, groups, candidate: null, weights: getMaxWeights(groups) }
}

/** Takes a URL of the bucket whose groups, at each level, have the fewest visits for their weight; the first by name of equal ones. */
function takeNext(group: Group, tallies: Tallies, level = 0): Candidate | null {
  if (level === levels.length) {
    const { candidate } = group
    if (candidate && (candidate.left -= 1) === 0) group.weights = noWeights
    return candidate
  }
  const { weight } = levels[level]!
  let [next, minNeed]: [Group | null, number] = [null, Infinity]
  for (const member of group.groups) {
    if (member.weights === noWeights) continue
    const need = (tallies.get(member.name).visits + 0.5) / member.weights[weight]
    if (next === null || need < minNeed) [next, minNeed] = [member, need]
  }
  if (!next) return null
  const { weights } = next
  const candidate = takeNext(next, tallies, level + 1)
  // The last URL of a bucket was taken.
  if (next.weights !== weights) {
    const openGroups = group.groups.filter((member) => member.weights !== noWeights)
    group.weights = openGroups.length === 0 ? noWeights : getMaxWeights(openGroups)
  }
  return candidate
}

/** Returns the bucket with the most waiting URLs, the first of several. */
const findLargest = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.reduce<Candidate | undefined>(
    (largest, candidate) => (largest === undefined || candidate.left > largest.left ? candidate : largest),
    undefined,
  )

export type BatchRequest = {
  roles: Roles
  /** Sums of the visits so far; those of the batch are added. */
  tallies: Tallies
  /** Numbers of waiting URLs by bucket, at least up to `size`. */
  waiting: ReadonlyMap<string, number>
  size: number
  pageLimit: number
}

/** Returns true for patterns that no longer bring new content. */
const isTrap = (bucket: Bucket, tallies: Tallies): boolean =>
  bucket.kind !== previousPageKind && bucket.kind !== openTrapKind && tallies.get(getPatternName(bucket)).vainVisits >= trapLength

/** Reason why the URLs of a bucket are not visited, in English. */
export const describeTrap = (text: string): string => {
  const { language, section, shape } = parseBucket(text)
  const [host = '', folder = ''] = section.split(' ')
  const path = folder === '' || shape.startsWith(`/${folder}/`) ? shape : `/${folder}${shape}`
  return `The last ${trapLength} pages of this pattern had no new content: ${host}${language === '' ? '' : `/${language}`}${path}`
}

export function listTraps(tallies: Tallies, buckets: Iterable<string>): string[] {
  return [...buckets].filter((text) => isTrap(parseBucket(text), tallies))
}

/**
 * Chooses the buckets of the next visits: first pages that most sites have once, and pages of the last run up to their share, then
 * in turn by language, section and bucket. Depends on the visits so far alone, so that any number of workers gets the same answer.
 * @returns one bucket for each visit; fewer than `size` if the others are traps or deeper, none if all are traps
 */
export function planBatch({ tallies, roles, waiting, size, pageLimit }: BatchRequest): string[] {
  const buckets = [...waiting]
    .map(([text, count]) => ({ text, count, bucket: parseBucket(text) }))
    .filter(({ count, bucket }) => count > 0 && !isTrap(bucket, tallies))
  // A level of traps alone does not keep the next one waiting.
  const minDepth = buckets.reduce((depth, { bucket }) => Math.min(depth, bucket.depth), Infinity)
  const candidates: Candidate[] = buckets
    .filter(({ bucket }) => bucket.depth === minDepth)
    .map(({ text, count, bucket }) => toCandidate(text, bucket, count, roles.get(text)!, tallies))
    .sort((first, second) => (first.text < second.text ? -1 : 1))
  const [previousPages, others] = [true, false].map((isPrevious) =>
    candidates.filter(({ bucket }) => (bucket.kind === previousPageKind) === isPrevious),
  ) as [Candidate[], Candidate[]]
  const maxPrevious = Math.floor(pageLimit * previousShare)
  const previousTally = tallies.get(getKindName({ kind: previousPageKind } as Bucket))
  const visitCount = tallies.get(allName).visits
  const chosenTexts: string[] = []
  const note = ({ text, bucket, names }: Candidate) => {
    chosenTexts.push(text)
    for (const name of [getKindName(bucket), ...names]) tallies.get(name).visits += 1
  }
  const isUnmetKind = ({ bucket }: Candidate) => isCommonKind(bucket) && tallies.get(getKindName(bucket)).visits === 0
  while (chosenTexts.length < size) {
    const common = takeNext(buildGroup('', others.filter(isUnmetKind)), tallies)
    if (!common) break
    note(common)
  }
  const allOthers = buildGroup(
    '',
    others.filter(({ left }) => left > 0),
  )
  while (chosenTexts.length < size) {
    const previousPage = findLargest(previousPages.filter(({ left }) => left > 0))
    const canKeep =
      previousPage !== undefined &&
      previousTally.visits < maxPrevious &&
      previousTally.visits < (visitCount + chosenTexts.length + 1) * previousShare
    const next = (canKeep ? null : takeNext(allOthers, tallies)) ?? previousPage
    if (!next) break
    if (next === previousPage) next.left -= 1
    note(next)
  }
  return chosenTexts
}

/** Buckets of the lowest depth: those of a scan with a maximum depth are visited level by level. */
function selectNearest(buckets: readonly string[]): string[] {
  const depths = buckets.map((text) => parseBucket(text).depth)
  const minDepth = depths.reduce((lowest, depth) => Math.min(lowest, depth), Infinity)
  return buckets.filter((_, index) => depths[index] === minDepth)
}
