/**
 * A group of URLs that are probably alike. Its text form is its identity in the frontier: equal buckets have equal texts.
 */
export type Bucket = {
  /** Depth of its URLs in a scan with a maximum depth; otherwise 0. Lower depths come first. */
  depth: number
  /** Kind of page that most sites have once, such as `contact`; empty for others. */
  kind: string
  language: string
  section: string
  /** Form of the URLs, without what a site counts up or generates. */
  shape: string
  /** Landmark of the links, and template of the pages that contain them. */
  source: string
  /** Expected share of new content, before any page of the bucket is visited. */
  prior: number
}

const separator = '\t'

export const formatBucket = ({ depth, kind, language, section, shape, source, prior }: Bucket): string =>
  [depth, kind, language, section, shape, source, prior].join(separator)

export function parseBucket(text: string): Bucket {
  const [depth, kind = '', language = '', section = '', shape = '', source = '', prior] = text.split(separator)
  return { depth: Number(depth), kind, language, section, shape, source, prior: Number(prior) }
}

/** Kind of the buckets of views of other pages, as the words of their URLs tell: histories, printed or sorted pages. */
export const viewKind = 'view'

/** Kind of the buckets of pages that the last run tested. */
const previousPageKind = 'previous'

/** Kind of the buckets that the scan visits although they are traps. */
const openTrapKind = 'open-trap'
export const openTrapBucket = (text: string): string => formatBucket({ ...parseBucket(text), kind: openTrapKind })

/** A visited URL of a run, in the order of visits. */
export type VisitedEntry = {
  bucket: string
  /** Equal for pages with the same content; null for URLs without content, such as failures. */
  content: string | null
  /** The same without numbers of the page's own address, dates and tokens. */
  masked: string | null
  /** Number of pages of one pattern, each found on the previous one, that led to it. */
  chain: number
  /** Equal for pages with the same structure. */
  template: string | null
  /** The page asks search engines to leave it out. */
  isUnlisted: boolean
  /** The page is a list of links: its words are those of the pages that it links to. */
  isListing: boolean
}

/** Share of the page limit and of the visits for pages of the last run, and of each batch for random ones. */
export const previousShare = 0.8
export const randomShare = 0.1

/** A pattern that brought no new content in this many visits in a row is a trap. */
const trapLength = 10

/** Number of URLs to visit before the next ones are chosen; independent of the number of workers. */
export const computeBatchSize = (visitedCount: number): number => Math.min(500, Math.max(8, Math.ceil(visitedCount / 8)))

type Tally = { visits: number; gain: number; vainVisits: number }
const createTally = (): Tally => ({ visits: 0, gain: 0, vainVisits: 0 })

/** Sums of the visits of a run. */
export type Tallies = {
  get: (name: string) => Tally
  /** Buckets of the visits. */
  visitedBuckets: Set<string>
}
function openTallies(): Tallies {
  const tallies = new Map<string, Tally>()
  return {
    visitedBuckets: new Set(),
    get(name) {
      const tally = tallies.get(name)
      if (tally) return tally
      const created = createTally()
      tallies.set(name, created)
      return created
    },
  }
}

const getLanguageName = ({ language }: Bucket): string => `language ${language}`
const getSectionName = ({ language, section }: Bucket): string => `section ${language} ${section}`
/** URLs of one form, no matter which pages link to them. */
const getPatternName = ({ language, section, shape }: Bucket): string => `pattern ${language} ${section} ${shape}`
const splitShape = (shape: string): { path: string; query: string } => {
  const [path = '', query = ''] = shape.split('?')
  return { path, query }
}
const listNames = (query: string): string[] => query.split('&').filter(Boolean)
const getPathName = ({ language, section, shape }: Bucket): string => `path ${language} ${section} ${splitShape(shape).path}`
/** URLs of one path with any parameters; null for URLs without parameters. */
const getVariantName = (bucket: Bucket): string | null =>
  splitShape(bucket.shape).query === '' ? null : `variants of ${getPathName(bucket)}`
const getKindName = ({ kind }: Bucket): string => `kind ${kind}`
const allName = 'all'

/** A page of its own, a likely view of another page by the form of its URL, or a view by its words. */
type Role = 'page' | 'likely-view' | 'view'
export type Roles = ReadonlyMap<string, Role>
const getGroupName = (bucket: Bucket, role: Role): string => `${role === 'page' ? 'pages' : 'views'} of ${getSectionName(bucket)}`
const getRoleName = (bucket: Bucket, role: Role): string => `${role} of ${getSectionName(bucket)}`

type SeenSets = Record<'contents' | 'masked' | 'templates', Set<string>>

/** Adds a value that a page has. Returns true if no earlier page had it. */
function addNew(values: Set<string>, value: string | null): boolean {
  if (value === null || values.has(value)) return false
  values.add(value)
  return true
}

/** Length of a chain from which pages that differ only in numbers and dates are considered generated. */
const minGeneratedChain = 3

/**
 * Gain of a visit: new content, and twice that for a new structure. Pages that differ only in numbers, further lists of links, and
 * pages that ask not to be listed count less.
 */
function computeGain(entry: VisitedEntry, seen: SeenSets, isUnlisted: boolean): { gain: number; isVain: boolean } {
  const isNewTemplate = addNew(seen.templates, entry.template)
  const isNewContent = addNew(seen.contents, entry.content)
  const isNewMasked = addNew(seen.masked, entry.masked)
  const gain = !isNewMasked ? 0.4 : entry.isListing ? 0.3 : 1
  return {
    gain: !isNewContent ? 0 : isNewTemplate ? 2 : gain * (isUnlisted ? 0.1 : 1),
    isVain: !isNewContent || (!isNewMasked && entry.chain >= minGeneratedChain),
  }
}

/** Sums up the visits of a run, in their order, by bucket, pattern, section, language and kind. */
export function tallyVisits(visited: readonly VisitedEntry[]): Tallies {
  const tallies = openTallies()
  const seen: SeenSets = { contents: new Set(), masked: new Set(), templates: new Set() }
  // A site that asks not to be listed at all says nothing about its pages.
  const canBeListed = visited.filter(({ isUnlisted }) => isUnlisted).length < visited.length / 2
  for (const entry of visited) {
    const bucket = parseBucket(entry.bucket)
    const { gain, isVain } = computeGain(entry, seen, entry.isUnlisted && canBeListed)
    tallies.visitedBuckets.add(entry.bucket)
    const getNames = [getPatternName, getActionName, getVariantName, getSectionName, getLanguageName, getKindName]
    for (const name of [allName, entry.bucket, ...getNames.map((getName) => getName(bucket))]) {
      if (name === null) continue
      const tally = tallies.get(name)
      tally.visits += 1
      tally.gain += gain
      tally.vainVisits = isVain ? tally.vainVisits + 1 : 0
    }
  }
  return tallies
}

/** Share of views, relative to pages that bring as much, and of views by their words among them. */
const viewShare = 0.1
const shareByRole: Readonly<Record<Role, number>> = { page: 1, 'likely-view': 1, view: 0.5 }
/** URLs of a form from which the same form with further parameters is considered a view of them. */
const minViewedUrls = 3

/** Parameters of the forms of each path that have several URLs. */
function listViewedForms(counts: Iterable<readonly [text: string, count: number]>): Map<string, string[][]> {
  const formsByPath = new Map<string, Map<string, number>>()
  for (const [text, count] of counts) {
    const bucket = parseBucket(text)
    const forms = formsByPath.get(getPathName(bucket)) ?? new Map<string, number>()
    formsByPath.set(getPathName(bucket), forms)
    const { query } = splitShape(bucket.shape)
    forms.set(query, (forms.get(query) ?? 0) + count)
  }
  return new Map(
    [...formsByPath].map(([path, forms]) => [
      path,
      [...forms].flatMap(([query, count]) => (count >= minViewedUrls ? [listNames(query)] : [])),
    ]),
  )
}

/**
 * Finds the role of each bucket. The words of URLs tell views, and so do several URLs of the same path with some of their parameters
 * alone, as `?id=5` of `?id=5&do=show`. Sums up the visits by role.
 */
export function assignRoles(tallies: Tallies, waiting: ReadonlyMap<string, number>): Roles {
  const visited = [...tallies.visitedBuckets].map((text) => ({ text, ...tallies.get(text) }))
  const viewedForms = listViewedForms([...visited.map(({ text, visits }) => [text, visits] as const), ...waiting])
  const getRole = (bucket: Bucket): Role => {
    if (bucket.kind === viewKind) return 'view'
    const names = listNames(splitShape(bucket.shape).query)
    const isLikelyView = (viewedForms.get(getPathName(bucket)) ?? []).some(
      (viewedNames) => viewedNames.length < names.length && viewedNames.every((name) => names.includes(name)),
    )
    return isLikelyView ? 'likely-view' : 'page'
  }
  const texts = new Set([...tallies.visitedBuckets, ...waiting.keys()])
  const roles = new Map([...texts].map((text) => [text, getRole(parseBucket(text))]))
  for (const { text, visits, gain } of visited)
    for (const getName of [getGroupName, getRoleName]) {
      const tally = tallies.get(getName(parseBucket(text), roles.get(text)!))
      tally.visits += visits
      tally.gain += gain
    }
  return roles
}

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

/** Gain from which a new form of parameters starts: the mean of other parameters of its path, or of other views. */
function computeStartGain(bucket: Bucket, role: Role, tallies: Tallies): number {
  const groupName = role === 'page' ? getVariantName(bucket) : getGroupName(bucket, role)
  const { visits, gain } = groupName === null ? createTally() : tallies.get(groupName)
  return Math.min(1, (gain + 1) / (visits + 1))
}

/** Expected gain of a visit: what the bucket and its pattern have brought so far. */
function computeYield(text: string, bucket: Bucket, role: Role, tallies: Tallies): number {
  const ownTally = tallies.get(text)
  const patternTally = tallies.get(getPatternName(bucket))
  const gain = ownTally.gain + patternTally.gain / 2 + computeStartGain(bucket, role, tallies) / 2
  const gainShare = gain / (ownTally.visits + patternTally.visits / 2 + 0.5)
  return (0.02 + Math.min(role === 'page' ? 1.2 : 1, gainShare)) ** 2
}

/** URLs of one path with the same named views: `action=history`. */
const getActionName = (bucket: Bucket): string => {
  const { query } = splitShape(bucket.shape)
  return `action ${getPathName(bucket)} ${listNames(query)
    .filter((name) => name.includes('='))
    .join('&')}`
}

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
  // The prior of a view repeats why it is a view.
  const form = role === 'page' ? bucket.prior * expectedYield : expectedYield
  const names = levels.map(({ getName }) => getName(bucket, role, text))
  return { text, bucket, left, names, weights: { section: bucket.prior * group, group, role: shareByRole[role], form } }
}

/** Returns the group of a level whose visits are the fewest for its weight. Equal groups are in the order of their names. */
function pickGroup(candidates: readonly Candidate[], level: number, tallies: Tallies): Candidate[] {
  const { weight } = levels[level]!
  const groups = [...Map.groupBy(candidates, ({ names }) => names[level]!)].map(([name, members]) => ({
    name,
    members,
    need: (tallies.get(name).visits + 0.5) / Math.max(...members.map(({ weights }) => weights[weight])),
  }))
  groups.sort((first, second) => first.need - second.need || (first.name < second.name ? -1 : 1))
  return groups[0]?.members ?? []
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

/** Returns true for pages that most sites have once. */
const isCommonKind = ({ kind }: Bucket): boolean => !['', viewKind, previousPageKind, openTrapKind].includes(kind)

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
  const maxPrevious = Math.floor(pageLimit * previousShare)
  const previousTally = tallies.get(getKindName({ kind: previousPageKind } as Bucket))
  const visitCount = tallies.get(allName).visits
  const chosenTexts: string[] = []
  const choose = (candidate: Candidate) => {
    candidate.left -= 1
    chosenTexts.push(candidate.text)
    for (const name of [getKindName(candidate.bucket), ...candidate.names]) tallies.get(name).visits += 1
  }
  while (chosenTexts.length < size) {
    const available = candidates.filter(({ left }) => left > 0)
    const others = available.filter(({ bucket }) => bucket.kind !== previousPageKind)
    const previousPage = findLargest(available.filter(({ bucket }) => bucket.kind === previousPageKind))
    const canKeep =
      previousPage !== undefined &&
      previousTally.visits < maxPrevious &&
      (others.length === 0 || previousTally.visits < (visitCount + chosenTexts.length + 1) * previousShare)
    const common = others.filter(({ bucket }) => isCommonKind(bucket) && tallies.get(getKindName(bucket)).visits === 0)
    const [next] = levels.reduce((group, _, level) => pickGroup(group, level, tallies), common.length > 0 ? common : others)
    if (common.length > 0 && next) choose(next)
    else if (canKeep) choose(previousPage)
    else if (next) choose(next)
    else if (previousPage) choose(previousPage)
    else break
  }
  return chosenTexts
}

/** Buckets of the lowest depth: those of a scan with a maximum depth are visited level by level. */
function selectNearest(buckets: readonly string[]): string[] {
  const depths = buckets.map((text) => parseBucket(text).depth)
  const minDepth = depths.reduce((lowest, depth) => Math.min(lowest, depth), Infinity)
  return buckets.filter((_, index) => depths[index] === minDepth)
}

/** Bucket of a page that the last run tested. Its visits count for the pattern of its URL. */
export const toPreviousBucket = (text: string): string =>
  formatBucket({ ...parseBucket(text), kind: previousPageKind, source: '', prior: 1 })

type VisitOutcome =
  | {
      kind: 'completed'
      finalUrl: string
      signature?: { content: string; masked: string; template: string; isUnlisted: boolean; isListing?: boolean }
    }
  | { kind: 'failed' | 'excluded' }

/** Summary of a visit for the choice of the next ones. */
export function summarizeVisit({ chain = 0 }: { chain?: number }, outcome: VisitOutcome): Omit<VisitedEntry, 'bucket'> {
  const noContent = { chain, content: null, masked: null, template: null, isUnlisted: false, isListing: false }
  if (outcome.kind !== 'completed') return noContent
  // An unchanged page is as new as it was in the previous run.
  const { finalUrl, signature } = outcome
  if (!signature) return { ...noContent, content: finalUrl, masked: finalUrl }
  const { content, masked, template, isUnlisted, isListing = false } = signature
  return { chain, content, masked, template, isUnlisted, isListing }
}
