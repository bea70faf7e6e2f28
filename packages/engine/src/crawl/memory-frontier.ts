import type { Claim, Frontier, NewEntry, StateOutcome } from '../frontier.ts'
import type { PageOutcome } from '../outcome.ts'

export type MemoryFrontier = Frontier & {
  /** Ends the run: nothing more is claimed. */
  stop(): void
  /** What was met and is not visited: the limit, or an early end, came first. */
  waiting(): NewEntry[]
  /** The pages that lead to a key: the first twenty, and their number. */
  referrersOf(key: string): { first: readonly string[]; count: number }
}

const namedReferrers = 20

type Entry = NewEntry & {
  id: string
  attempt: number
  /** How often it was claimed, blamed or not: makes tokens that never come again. */
  claims: number
  notBefore: number
  state: 'waiting' | 'working' | 'done'
  /** Position in its wave, from 0. */
  order: number
}

/** A URL for the next wave, with its first position: that of the parent, then that of the link on it. */
type Found = { entry: NewEntry; parent: number; link: number }

/** What one run in memory knows. */
type Memory = {
  pageLimit: number
  known: Map<string, Entry>
  entries: Entry[]
  /** Each key once, however many pages link to it. */
  next: Map<string, Found>
  working: number
  counted: number
  stopped: boolean
  waiters: Set<() => void>
  pdfs: number
  /** What links to a key: the first few URLs, and how many there are. */
  referrers: Map<string, { first: string[]; count: number }>
  onExcluded: (entry: NewEntry) => void
}

function wake(memory: Memory): void {
  for (const resolve of memory.waiters) resolve()
  memory.waiters.clear()
}

/** Adds an entry to the wave that is being built, unless its key is known. */
function add(memory: Memory, entry: NewEntry): void {
  if (!isNews(memory, entry)) return
  const known = memory.known.get(entry.key)
  const id = known?.id ?? String(memory.known.size + 1)
  const state = entry.exclusion === null ? 'waiting' : 'done'
  const added: Entry = {
    ...entry,
    id,
    attempt: 0,
    claims: 0,
    notBefore: 0,
    state,
    order: memory.entries.length,
  }
  memory.known.set(entry.key, added)
  if (entry.exclusion === null) memory.entries.push(added)
  else memory.onExcluded(entry)
}

/** Whether a URL may still be added: it is new, or was too deep by the way on which it was met first. */
const isNews = (memory: Memory, { key, exclusion }: NewEntry): boolean => {
  const known = memory.known.get(key)
  return !known || (known.exclusion === 'too-deep' && exclusion === null)
}

/** Keeps what a page links to for the next wave, by its first position, whichever page ended first. */
function note(memory: Memory, parent: number, found: readonly NewEntry[]): void {
  found.forEach((entry, link) => {
    if (!isNews(memory, entry)) return
    const other = memory.next.get(entry.key)
    const nearer = other?.entry.exclusion === 'too-deep' && entry.exclusion === null
    const farther = other?.entry.exclusion === null && entry.exclusion === 'too-deep'
    const later = other && (other.parent < parent || (other.parent === parent && other.link < link))
    if (!other || nearer || (!later && !farther)) memory.next.set(entry.key, { entry, parent, link })
  })
}

/** Ends the wave when its last entry is recorded, and lays out the next in the order of parents and links. */
function advance(memory: Memory): void {
  while (memory.entries.every(({ state }) => state === 'done')) {
    const found = [...memory.next.values()].sort((a, b) => a.parent - b.parent || a.link - b.link)
    memory.next.clear()
    memory.entries = []
    if (found.length === 0) return
    for (const { entry } of found) add(memory, entry)
  }
}

function claimFrom(memory: Memory, n: number): Claim[] {
  const claims: Claim[] = []
  if (memory.stopped) return claims
  for (const entry of memory.entries) {
    if (claims.length >= n || memory.counted + memory.working >= memory.pageLimit) break
    if (entry.state !== 'waiting' || entry.notBefore > performance.now()) continue
    entry.state = 'working'
    entry.attempt += 1
    entry.claims += 1
    memory.working += 1
    const { url, key, depth, wave, foundOn, exclusion, chain = 0, id, attempt } = entry
    const token = `${id}.${entry.claims}`
    claims.push({ url, key, depth, wave, foundOn, exclusion, chain, id, attempt, token })
  }
  return claims
}

/** The entry of a claim that is still valid, or null. */
function heldBy(memory: Memory, claim: Claim): Entry | null {
  const entry = memory.known.get(claim.key)
  if (!entry || entry.state !== 'working' || claim.token !== `${entry.id}.${entry.claims}`) return null
  return entry
}

function refer(memory: Memory, from: string, found: readonly NewEntry[]): void {
  for (const { key } of found) {
    const known = memory.referrers.get(key) ?? { first: [], count: 0 }
    known.count += 1
    if (known.first.length < namedReferrers) known.first.push(from)
    memory.referrers.set(key, known)
  }
}

function recordIn(
  memory: Memory,
  claim: Claim,
  outcome: PageOutcome,
  found: readonly NewEntry[],
  states: readonly StateOutcome[],
): boolean {
  const entry = heldBy(memory, claim)
  if (!entry) return false
  entry.state = 'done'
  note(memory, entry.order, found)
  refer(memory, claim.url, found)
  memory.working -= 1
  for (const one of [outcome, ...states.map((state) => state.outcome)])
    if (one.kind !== 'excluded') memory.counted += 1
  wake(memory)
  return true
}

function releaseIn(memory: Memory, claim: Claim, how: { blame: boolean; notBeforeMs?: number }): void {
  const entry = heldBy(memory, claim)
  if (!entry) return
  entry.state = 'waiting'
  if (!how.blame) entry.attempt -= 1
  entry.notBefore = how.notBeforeMs === undefined ? 0 : performance.now() + how.notBeforeMs
  memory.working -= 1
  wake(memory)
}

function nextChange(memory: Memory, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      memory.waiters.delete(end)
      resolve()
    }
    memory.waiters.add(end)
  })
}

/**
 * The frontier of a run that lives in this process only. `onRecorded` gets each page once, in the order in which pages end;
 * `onExcluded` each URL that is recorded without a visit.
 */
export function openMemoryFrontier(options: {
  pageLimit: number
  onRecorded: (entry: NewEntry & { attempt: number; label?: string }, outcome: PageOutcome) => void
  onExcluded?: (entry: NewEntry) => void
}): MemoryFrontier {
  const memory: Memory = {
    pageLimit: options.pageLimit,
    known: new Map(),
    entries: [],
    next: new Map(),
    working: 0,
    counted: 0,
    stopped: false,
    waiters: new Set(),
    pdfs: 0,
    referrers: new Map(),
    onExcluded: options.onExcluded ?? (() => {}),
  }
  return {
    async seed(entries) {
      for (const entry of entries) add(memory, entry)
      wake(memory)
    },
    async claim(n) {
      advance(memory)
      return claimFrom(memory, n)
    },
    // Nobody is there to take an entry over.
    leaseMs: 30_000,
    async renew(claims) {
      return claims.filter((claim) => heldBy(memory, claim) === null).map(({ token }) => token)
    },
    record: async (claim, outcome, found, states = []) => {
      const recorded = recordIn(memory, claim, outcome, found, states)
      if (!recorded) return false
      options.onRecorded(claim, outcome)
      for (const { url, key, label, outcome: result } of states)
        options.onRecorded({ ...claim, url, key, label }, result)
      return true
    },
    // The run's own process keeps the pace already.
    slow: async () => {},
    admitPdf: async (limit) => (memory.pdfs += 1) <= limit,
    waiting: () => [
      ...memory.entries.filter(({ state }) => state === 'waiting'),
      ...[...memory.next.values()].map(({ entry }) => entry).filter((entry) => isNews(memory, entry)),
    ],
    referrersOf: (key) => memory.referrers.get(key) ?? { first: [], count: 0 },
    release: async (claim, how) => releaseIn(memory, claim, how),
    async state() {
      if (memory.stopped) return 'stopped'
      advance(memory)
      const over = memory.counted >= memory.pageLimit || memory.entries.length === 0
      return memory.working === 0 && over ? 'drained' : 'open'
    },
    changed: (ms) => nextChange(memory, ms),
    stop() {
      memory.stopped = true
      wake(memory)
    },
  }
}
