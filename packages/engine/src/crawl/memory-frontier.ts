import {
  addVisits,
  openVisitSums,
  summarizeVisit,
  type VisitedEntry,
  type VisitSums,
} from '@clearway/contract/monitor/run/visit/model.ts'
import { getExtraPages } from '@clearway/contract/monitor/page/alias/model.ts'
import { isFoundOnBanner } from '@clearway/contract/monitor/page/model.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import { type Claim, type Frontier, isStartTarget, type NewEntry, type StateOutcome } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'
import { type EntryPool, openEntryPool } from './entry-pool.ts'

export type MemoryFrontier = Frontier & {
  /** Stops the run: nothing further is claimed. */
  stop(): void
  /** Entries that were discovered but not visited, because of the limit or an early stop. */
  listWaiting(): NewEntry[]
  /** Excluded entries that were not reported yet: those of the next wave, and traps. */
  listUnreported(): NewEntry[]
  /** Returns the first twenty referrers of a key, and their total count. */
  findReferrers(key: string): { first: readonly string[]; count: number }
}

const maxListedReferrers = 20

type FrontierEntry = NewEntry & {
  id: string
  attempt: number
  /** Number of claims, including unblamed ones; makes tokens unique. */
  claimCount: number
  notBefore: number
  state: 'waiting' | 'working' | 'done'
  /** Position in its wave, from 0. */
  order: number
  /** Summary of its visit; null until then. */
  visit: Omit<VisitedEntry, 'bucket'> | null
}

/** A URL for the next wave with its first position: order of the parent, then of the link on it. */
type PendingEntry = { entry: NewEntry; parent: number; link: number }

/** State of one in-memory run. */
type FrontierState = {
  pageLimit: number
  /** Pages that may be visited beyond the limit, in place of joined ones. */
  extraPages: number
  countJoined: () => number
  /** Entries that wait for a later batch; only in the representative order. */
  pool: EntryPool | null
  /** Sums of the visits of ended waves; only in the representative order. */
  visitSums: VisitSums
  entriesByKey: Map<string, FrontierEntry>
  waveEntries: FrontierEntry[]
  /** Number of the current wave. */
  wave: number
  /** One entry per key, regardless of how many pages link to it. */
  nextWave: Map<string, PendingEntry>
  workingCount: number
  recordedCount: number
  stopped: boolean
  waiters: Set<() => void>
  pdfCount: number
  /** Referrers by key: the first few URLs and the total count. */
  referrers: Map<string, { first: string[]; count: number }>
  onExcluded: (entry: NewEntry) => void
}

function notifyWaiters(frontierState: FrontierState): void {
  for (const resolve of frontierState.waiters) resolve()
  frontierState.waiters.clear()
}

/** Adds an entry to the wave under construction, unless its key is known. */
function addEntry(frontierState: FrontierState, entry: NewEntry): void {
  if (!canBeAdded(frontierState, entry)) return
  const existingEntry = frontierState.entriesByKey.get(entry.key)
  const entryId = existingEntry?.id ?? String(frontierState.entriesByKey.size + 1)
  const entryState = entry.exclusion === null ? 'waiting' : 'done'
  const newEntry: FrontierEntry = {
    ...entry,
    id: entryId,
    attempt: 0,
    claimCount: 0,
    notBefore: 0,
    state: entryState,
    order: frontierState.waveEntries.length,
    visit: null,
  }
  frontierState.entriesByKey.set(entry.key, newEntry)
  if (entry.exclusion !== null) return frontierState.onExcluded(entry)
  frontierState.wave = Math.max(frontierState.wave, entry.wave)
  if (frontierState.pool && entry.bucket != null) frontierState.pool.add(entry, entry.bucket)
  else frontierState.waveEntries.push(newEntry)
}

/** Returns true if the URL is new, or was previously too deep. */
const canBeAdded = (frontierState: FrontierState, { key, exclusion }: NewEntry): boolean => {
  const existingEntry = frontierState.entriesByKey.get(key)
  return !existingEntry || (existingEntry.exclusion === 'too-deep' && exclusion === null)
}

/** Queues the links of a page for the next wave by their first position, regardless of which page ended first. */
function queueLinks(frontierState: FrontierState, parentOrder: number, discoveredEntries: readonly NewEntry[]): void {
  discoveredEntries.forEach((entry, linkIndex) => {
    if (!canBeAdded(frontierState, entry)) return
    const queuedEntry = frontierState.nextWave.get(entry.key)
    const isNearer = queuedEntry?.entry.exclusion === 'too-deep' && entry.exclusion === null
    const isFarther = queuedEntry?.entry.exclusion === null && entry.exclusion === 'too-deep'
    const isLater =
      queuedEntry && (queuedEntry.parent < parentOrder || (queuedEntry.parent === parentOrder && queuedEntry.link < linkIndex))
    if (!queuedEntry || isNearer || (!isLater && !isFarther))
      frontierState.nextWave.set(entry.key, { entry, parent: parentOrder, link: linkIndex })
  })
}

/** Ends the wave when its last entry is recorded, and builds the next one in the order of parents and links. */
function advanceWave(frontierState: FrontierState): void {
  while (frontierState.waveEntries.every(({ state }) => state === 'done')) {
    const pendingEntries = [...frontierState.nextWave.values()].sort(
      (first, second) => first.parent - second.parent || first.link - second.link,
    )
    frontierState.nextWave.clear()
    noteVisits(frontierState)
    frontierState.waveEntries = []
    for (const { entry } of pendingEntries) addEntry(frontierState, entry)
    if (frontierState.waveEntries.length === 0 && frontierState.pool) openBatch(frontierState, frontierState.pool)
    if (frontierState.waveEntries.length === 0) return
  }
}

/** Notes the visits of a wave in its order, regardless of which ended first. */
function noteVisits(frontierState: FrontierState): void {
  if (!frontierState.pool) return
  for (const { bucket, visit } of frontierState.waveEntries)
    if (visit) addVisits(frontierState.visitSums, [{ ...visit, bucket: bucket ?? '' }])
}

/** Moves the entries of the next batch from the pool to the wave. */
function openBatch(frontierState: FrontierState, pool: EntryPool): void {
  const nextEntries = pool.takeBatch(frontierState.visitSums, frontierState.pageLimit)
  const wave = (frontierState.wave += 1)
  for (const entry of nextEntries) {
    const waitingEntry = frontierState.entriesByKey.get(entry.key)!
    Object.assign(waitingEntry, { wave, order: frontierState.waveEntries.length, isRandom: entry.isRandom ?? false })
    frontierState.waveEntries.push(waitingEntry)
  }
}

const getMaxPages = ({ pageLimit, extraPages }: FrontierState): number => pageLimit + extraPages

/** Makes room for further pages in place of those that are joined with others, when the limit is reached. */
function extendLimit(frontierState: FrontierState): void {
  if (frontierState.workingCount > 0 || frontierState.recordedCount < getMaxPages(frontierState)) return
  const { extraPages, pageLimit } = frontierState
  frontierState.extraPages = Math.max(extraPages, getExtraPages(frontierState.countJoined(), pageLimit))
}

function claimEntries(frontierState: FrontierState, maxClaims: number): Claim[] {
  const claims: Claim[] = []
  if (frontierState.stopped) return claims
  for (const entry of frontierState.waveEntries) {
    if (claims.length >= maxClaims || frontierState.recordedCount + frontierState.workingCount >= getMaxPages(frontierState))
      break
    if (entry.state !== 'waiting' || entry.notBefore > performance.now()) continue
    entry.state = 'working'
    entry.attempt += 1
    entry.claimCount += 1
    frontierState.workingCount += 1
    const { url, visitUrl, key, depth, wave, foundOn, exclusion, chain = 0, id, attempt, isRandom = false, bucket = null } = entry
    const token = `${id}.${entry.claimCount}`
    const urls = visitUrl === undefined ? { url } : { url, visitUrl }
    claims.push({ ...urls, key, depth, wave, foundOn, exclusion, chain, id, attempt, token, isRandom, bucket })
  }
  return claims
}

/** Returns the entry of a valid claim, or null. */
function findClaimedEntry(frontierState: FrontierState, claim: Claim): FrontierEntry | null {
  const entry = frontierState.entriesByKey.get(claim.key)
  if (!entry || entry.state !== 'working' || claim.token !== `${entry.id}.${entry.claimCount}`) return null
  return entry
}

function addReferrer(frontierState: FrontierState, referrerUrl: string, discoveredEntries: readonly NewEntry[]): void {
  for (const { key } of discoveredEntries) {
    const referrerList = frontierState.referrers.get(key) ?? { first: [], count: 0 }
    referrerList.count += 1
    if (referrerList.first.length < maxListedReferrers) referrerList.first.push(referrerUrl)
    frontierState.referrers.set(key, referrerList)
  }
}

function recordOutcome(
  frontierState: FrontierState,
  claim: Claim,
  outcome: PageOutcome,
  discoveredEntries: readonly NewEntry[],
  stateOutcomes: readonly StateOutcome[],
): boolean {
  const entry = findClaimedEntry(frontierState, claim)
  if (!entry) return false
  entry.state = 'done'
  entry.visit = summarizeVisit(claim, outcome, discoveredEntries)
  queueLinks(frontierState, entry.order, discoveredEntries)
  addReferrer(frontierState, claim.url, discoveredEntries)
  frontierState.workingCount -= 1
  // A banner is no page of its own: it takes no page of the limit.
  const pageStates = stateOutcomes.filter(({ foundOn }) => !isFoundOnBanner(foundOn))
  for (const recordedOutcome of [outcome, ...pageStates.map((state) => state.outcome)])
    if (recordedOutcome.kind !== 'excluded') frontierState.recordedCount += 1
  notifyWaiters(frontierState)
  return true
}

function releaseClaim(
  frontierState: FrontierState,
  claim: Claim,
  releaseOptions: { blame: boolean; notBeforeMs?: number },
): void {
  const entry = findClaimedEntry(frontierState, claim)
  if (!entry) return
  entry.state = 'waiting'
  if (!releaseOptions.blame) entry.attempt -= 1
  entry.notBefore = releaseOptions.notBeforeMs === undefined ? 0 : performance.now() + releaseOptions.notBeforeMs
  frontierState.workingCount -= 1
  notifyWaiters(frontierState)
}

/** Entries of the next wave: those to visit, or those that are excluded. */
const listNextWave = (frontierState: FrontierState, isExcluded: boolean): NewEntry[] =>
  [...frontierState.nextWave.values()]
    .map(({ entry }) => entry)
    .filter((entry) => (entry.exclusion !== null) === isExcluded && canBeAdded(frontierState, entry))

const listWaiting = (frontierState: FrontierState): NewEntry[] => [
  ...frontierState.waveEntries.filter(({ state }) => state === 'waiting'),
  ...(frontierState.pool?.list(frontierState.visitSums).filter(({ exclusion }) => exclusion === null) ?? []),
  ...listNextWave(frontierState, false),
]

const listStartTargets = ({ entriesByKey }: FrontierState): string[] =>
  [...entriesByKey.values()].filter(isStartTarget).map(({ url }) => url)

function waitForChange(frontierState: FrontierState, maxWaitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const waitTimer = setTimeout(finishWait, maxWaitMs)
    function finishWait() {
      clearTimeout(waitTimer)
      frontierState.waiters.delete(finishWait)
      resolve()
    }
    frontierState.waiters.add(finishWait)
  })
}

type MemoryFrontierOptions = {
  pageLimit: number
  /** `breadth` by default. */
  order?: CrawlOrder
  /** Determines the random share of the representative order. */
  seed?: string
  onRecorded: (entry: NewEntry & { attempt: number; label?: string }, outcome: PageOutcome) => void
  onExcluded?: (entry: NewEntry) => void
  /** Number of recorded pages that are joined with others; none by default. */
  countJoined?: () => number
}

const createState = (options: MemoryFrontierOptions): FrontierState => ({
  pageLimit: options.pageLimit,
  extraPages: 0,
  countJoined: options.countJoined ?? (() => 0),
  entriesByKey: new Map(),
  pool: options.order === 'representative' ? openEntryPool(options.seed ?? '') : null,
  visitSums: openVisitSums(),
  waveEntries: [],
  wave: 0,
  nextWave: new Map(),
  workingCount: 0,
  recordedCount: 0,
  stopped: false,
  waiters: new Set(),
  pdfCount: 0,
  referrers: new Map(),
  onExcluded: options.onExcluded ?? (() => {}),
})

/**
 * Opens the frontier of a run that exists only in this process. `onRecorded` receives each page once, in completion
 * order; `onExcluded` receives each URL that is recorded without a visit.
 */
export function openMemoryFrontier(options: MemoryFrontierOptions): MemoryFrontier {
  const frontierState = createState(options)
  return {
    async seed(entries) {
      for (const entry of entries) addEntry(frontierState, entry)
      notifyWaiters(frontierState)
    },
    async claim(maxClaims) {
      advanceWave(frontierState)
      return claimEntries(frontierState, maxClaims)
    },
    // No other process exists that could take over an entry.
    leaseMs: 30_000,
    async renew(claims) {
      return claims.filter((claim) => findClaimedEntry(frontierState, claim) === null).map(({ token }) => token)
    },
    record: async (claim, outcome, discoveredEntries, stateOutcomes = []) => {
      const wasRecorded = recordOutcome(frontierState, claim, outcome, discoveredEntries, stateOutcomes)
      if (!wasRecorded) return false
      options.onRecorded(claim, outcome)
      for (const { url, key, label, outcome: stateOutcome } of stateOutcomes)
        options.onRecorded({ ...claim, url, key, label }, stateOutcome)
      return true
    },
    // The only process of the run already limits its own pace.
    slow: async () => {},
    admitPdf: async (maxPdfs) => (frontierState.pdfCount += 1) <= maxPdfs,
    listWaiting: () => listWaiting(frontierState),
    listUnreported: () => [
      ...(frontierState.pool?.list(frontierState.visitSums).filter(({ exclusion }) => exclusion !== null) ?? []),
      ...listNextWave(frontierState, true),
    ],
    findReferrers: (key) => frontierState.referrers.get(key) ?? { first: [], count: 0 },
    release: async (claim, releaseOptions) => releaseClaim(frontierState, claim, releaseOptions),
    async state() {
      if (frontierState.stopped) return 'stopped'
      advanceWave(frontierState)
      if (frontierState.waveEntries.length > 0) extendLimit(frontierState)
      const isExhausted = frontierState.recordedCount >= getMaxPages(frontierState) || frontierState.waveEntries.length === 0
      return frontierState.workingCount === 0 && isExhausted ? 'drained' : 'open'
    },
    listStartTargets: async () => listStartTargets(frontierState),
    changed: (maxWaitMs) => waitForChange(frontierState, maxWaitMs),
    stop() {
      frontierState.stopped = true
      notifyWaiters(frontierState)
    },
  }
}
