import { getPatternName, listGroupNames, parseBucket } from '../bucket/model.ts'

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
  /** Patterns of its links to views of paths that it links to, too, each with a value that is equal for equal paths. */
  bases: readonly Base[]
}

export type Base = readonly [pattern: string, value: string]

type SeenSets = Record<'contents' | 'masked' | 'templates', Set<string>>

/** Adds a value that a page has. Returns true if no earlier page had it. */
function addNew(values: Set<string>, value: string | null): boolean {
  if (value === null || values.has(value)) return false
  values.add(value)
  return true
}

/** Length of a chain from which pages that differ only in numbers and dates are considered generated. */
const minGeneratedChain = 3

/** Sums of the visits of a group. */
type Sum = {
  visits: number
  gain: number
  /** Part of the gain that counts less if the pages ask not to be listed and most others do not. */
  unlistedGain: number
  /** Number of visits since the last one with new content. */
  vainVisits: number
}
const createSum = (): Sum => ({ visits: 0, gain: 0, unlistedGain: 0, vainVisits: 0 })

/** Sums of the visits of a run, to which later visits are added. Its size depends on the visits, not on the known URLs. */
export type VisitSums = {
  count: number
  unlistedCount: number
  sumsByName: Map<string, Sum>
  visitedBuckets: Set<string>
  /** Values of bases by pattern. */
  basesByPattern: Map<string, Set<string>>
  seen: SeenSets
}
export const openVisitSums = (): VisitSums => ({
  count: 0,
  unlistedCount: 0,
  sumsByName: new Map(),
  visitedBuckets: new Set(),
  basesByPattern: new Map(),
  seen: { contents: new Set(), masked: new Set(), templates: new Set() },
})

/** Gain of a visit: new content, and twice that for a new structure. Pages that differ only in numbers and further lists count less. */
function computeGain(entry: VisitedEntry, seen: SeenSets): Omit<Sum, 'visits' | 'vainVisits'> & { isVain: boolean } {
  const isNewTemplate = addNew(seen.templates, entry.template)
  const isNewContent = addNew(seen.contents, entry.content)
  const isNewMasked = addNew(seen.masked, entry.masked)
  const contentGain = !isNewMasked ? 0.4 : entry.isListing ? 0.3 : 1
  const gain = !isNewContent ? 0 : isNewTemplate ? 2 : contentGain
  return {
    gain,
    unlistedGain: entry.isUnlisted && !isNewTemplate ? gain : 0,
    isVain: !isNewContent || (!isNewMasked && entry.chain >= minGeneratedChain),
  }
}

/** Name of the sums of all visits. */
export const allName = 'all'

/** Adds visits, in their order, to the sums by bucket, pattern, section, language and kind. */
export function addVisits(sums: VisitSums, visits: readonly VisitedEntry[]): void {
  for (const entry of visits) {
    const { gain, unlistedGain, isVain } = computeGain(entry, sums.seen)
    sums.count += 1
    sums.unlistedCount += Number(entry.isUnlisted)
    sums.visitedBuckets.add(entry.bucket)
    for (const [pattern, value] of entry.bases) {
      const values = sums.basesByPattern.get(pattern) ?? new Set()
      if (values.size < minBases) sums.basesByPattern.set(pattern, values.add(value))
    }
    for (const name of [allName, entry.bucket, ...listGroupNames(parseBucket(entry.bucket))]) {
      const { visits: visitCount, vainVisits, ...gains } = sums.sumsByName.get(name) ?? createSum()
      sums.sumsByName.set(name, {
        visits: visitCount + 1,
        gain: gains.gain + gain,
        unlistedGain: gains.unlistedGain + unlistedGain,
        vainVisits: isVain ? vainVisits + 1 : 0,
      })
    }
  }
}

/** Share of its gain that a page keeps if it asks not to be listed. */
const unlistedShare = 0.1

export type Tally = Omit<Sum, 'unlistedGain'>
/** Sums of the visits of a run for the choice of one batch, which adds to them. */
export type Tallies = {
  get: (name: string) => Tally
  /** Buckets of the visits. */
  visitedBuckets: ReadonlySet<string>
  basesByPattern: ReadonlyMap<string, ReadonlySet<string>>
}

/** Copies the sums that a batch needs. A site that asks not to be listed at all says nothing about its pages. */
export function copyTallies({ sumsByName, visitedBuckets, basesByPattern, count, unlistedCount }: VisitSums): Tallies {
  const lostShare = unlistedCount < count / 2 ? 1 - unlistedShare : 0
  const tallies = new Map<string, Tally>()
  return {
    visitedBuckets,
    basesByPattern,
    get(name) {
      const tally = tallies.get(name)
      if (tally) return tally
      const { visits, gain, unlistedGain, vainVisits } = sumsByName.get(name) ?? createSum()
      const copiedTally = { visits, gain: gain - lostShare * unlistedGain, vainVisits }
      tallies.set(name, copiedTally)
      return copiedTally
    },
  }
}

type VisitOutcome =
  | {
      kind: 'completed'
      finalUrl: string
      signature?: { content: string; masked: string; template: string; isUnlisted: boolean; isListing?: boolean }
    }
  | { kind: 'failed' | 'excluded' }

/** Link of a page. `base`: a value that is equal for equal paths, if the page links to the path without parameters, too. */
type VisitedLink = { exclusion?: string | null; bucket?: string | null; base?: string }

/** Number of bases of a pattern from which it is one of views of several paths. */
export const minBases = 4
/** Maximum number of bases that one page adds. */
const maxPageBases = 50

/** Bases of the links of a page, up to the number of each pattern that matters. */
function listBases(links: readonly VisitedLink[]): Base[] {
  const bases: Base[] = []
  const valuesByPattern = new Map<string, Set<string>>()
  for (const { exclusion = null, bucket = null, base } of links) {
    if (base === undefined || bucket === null || exclusion !== null || bases.length === maxPageBases) continue
    const pattern = getPatternName(parseBucket(bucket))
    const values = valuesByPattern.get(pattern) ?? new Set()
    if (values.has(base) || values.size === minBases) continue
    valuesByPattern.set(pattern, values.add(base))
    bases.push([pattern, base])
  }
  return bases
}

/** Summary of a visit for the choice of the next ones. */
export function summarizeVisit(
  { chain = 0 }: { chain?: number },
  outcome: VisitOutcome,
  links: readonly VisitedLink[] = [],
): Omit<VisitedEntry, 'bucket'> {
  const bases = listBases(links)
  const noContent = { chain, content: null, masked: null, template: null, isUnlisted: false, isListing: false, bases }
  if (outcome.kind !== 'completed') return noContent
  // An unchanged page is as new as it was in the previous run.
  const { finalUrl, signature } = outcome
  if (!signature) return { ...noContent, content: finalUrl, masked: finalUrl }
  const { content, masked, template, isUnlisted, isListing = false } = signature
  return { chain, content, masked, template, isUnlisted, isListing, bases }
}
