import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from './outcome.ts'

/**
 * A URL to be considered. `key` is its normalised form: within a run, one key is one entry, whoever finds it.
 * `exclusion` is set for URLs that are recorded, never visited.
 */
export type NewEntry = {
  url: string
  key: string
  depth: number
  /** Breadth-first level. A redirect's target is one wave after its source, at the same depth. */
  wave: number
  foundOn: string | null
  exclusion: ExclusionReason | null
  /** What the exclusion is about: which rule, of which page it is a copy. English. */
  detail?: string
  /** How often, in a row, a page of the same pattern led to it: endless calendars are recognised by it. 0 when left out. */
  chain?: number
}

/** One state of a page that a script reached: a page of its own, with a name. */
export type StateOutcome = { url: string; key: string; label: string; outcome: PageOutcome }

/** An entry in work. `token` fences: who lost the lease can record nothing any more. */
export type Claim = NewEntry & {
  id: string
  attempt: number
  token: string
  /** The fingerprint of the page when it was last analysed; left out or null where it is to be analysed in any case. */
  knownPrint?: string | null
}

/** The state of a run. `problem` in the end states comes from whoever stopped it. */
export type FrontierState = 'open' | 'drained' | 'stopped'

/**
 * The URLs of one run. Two forms: in memory (command line) and in PostgreSQL (many processes share it).
 *
 * Order is fixed: by wave; within a wave by the order of the parent, then by the order of the links on it. The next wave
 * starts when the last entry of this one is recorded, so that two runs of an unchanged site visit the same pages
 * in spite of concurrency. Excluded entries and excluded outcomes do not count against the page limit.
 */
export type Frontier = {
  /** Adds start entries. Known keys are left as they are. */
  seed(entries: readonly NewEntry[]): Promise<void>
  /**
   * Up to `n` entries of the current wave. Empty while others work on the rest of the wave, or at the limit:
   * ask `state`, wait (`changed`), ask again.
   */
  claim(n: number): Promise<Claim[]>
  /** Milliseconds that a claim holds without `renew`; then another process may take the entry. */
  leaseMs: number
  /** Lengthens the leases of what is in work; answers the tokens that are lost. */
  renew(claims: readonly Claim[]): Promise<string[]>
  /**
   * Records the outcome with the links that were found, in one transaction. False when the lease was lost: nothing
   * was recorded, drop it. A known key among `found` is not added again, but the claim is on record as a referrer of
   * all. `states` are further pages that came of the same visit.
   */
  record(
    claim: Claim,
    outcome: PageOutcome,
    found: readonly NewEntry[],
    states?: readonly StateOutcome[],
  ): Promise<boolean>
  /** Gives an entry back for another attempt, with `blame` counting as one. */
  release(claim: Claim, options: { blame: boolean; notBeforeMs?: number }): Promise<void>
  state(): Promise<FrontierState>
  /**
   * Lets nobody visit `host` before `untilMs` (milliseconds from now), and leaves `gapMs` between two visits to it from now
   * on: in every process that shares the run.
   */
  slow(host: string, pace: { untilMs: number; gapMs: number }): Promise<void>
  /** Counts one more PDF; false when the run has had `limit` of them. */
  admitPdf(limit: number): Promise<boolean>
  /** Resolves when something may have changed, at the latest after `ms`. */
  changed(ms: number): Promise<void>
}
