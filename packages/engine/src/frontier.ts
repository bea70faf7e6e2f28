import type { ExclusionReason } from '@clearway/contract/monitor/page/schema.ts'
import type { PageOutcome } from './outcome.ts'

/**
 * A URL to consider. `key` is its normalized form: within a run, each key is one entry, no matter which page links to
 * it. `exclusion` is set for URLs that are recorded but never visited.
 */
export type NewEntry = {
  /** URL to store and show. */
  url: string
  /** URL to open, where it differs: with a session or a token. */
  visitUrl?: string
  key: string
  depth: number
  /** Breadth-first level. A redirect's target is one wave after its source, at the same depth. */
  wave: number
  foundOn: string | null
  exclusion: ExclusionReason | null
  /** Subject of the exclusion, in English: the rule, or the page that it duplicates. */
  detail?: string
  /** Length of the chain of pages with the same pattern that led here; detects endless calendars. 0 when omitted. */
  chain?: number
  /** `Bucket` as text in the representative order; null or omitted for entries that come first, and in other orders. */
  bucket?: string | null
  /** Position within the bucket: lower ranks come first. */
  rank?: number
  /** Equal for equal paths, if the page that contains the link also links to the path without parameters. */
  base?: string
  /** Part of the random share of the run. */
  isRandom?: boolean
}

/** Returns the URL to open. It must not be stored with the page or shown. */
export const getVisitUrl = ({ url, visitUrl }: Pick<NewEntry, 'url' | 'visitUrl'>): string => visitUrl ?? url

/** Returns true for a start URL and for the pages to which it redirects, which no page links to. */
export const isStartEntry = ({ depth, foundOn }: Pick<NewEntry, 'depth' | 'foundOn'>): boolean => depth === 0 && foundOn === null
/** Returns true for a page in the scope to which a start URL redirects. */
export const isStartTarget = (entry: NewEntry): boolean => isStartEntry(entry) && entry.wave > 0 && entry.exclusion === null

/** One state of a page that a script reached, or a banner; recorded as a page with its own name. */
export type StateOutcome = {
  url: string
  key: string
  label: string
  outcome: PageOutcome
  /** For a banner: `banner:` and the page that showed it. It is recorded once per run, whichever process was first. */
  foundOn?: string
}

/** An entry in progress. `token` is a fencing token: without the lease, nothing can be recorded. */
export type Claim = NewEntry & {
  id: string
  attempt: number
  token: string
  /** Fingerprint of the page at its last axe run; null or omitted if it must be analyzed in any case. */
  knownPrint?: string | null
}

/** A page of the last whole run, with the page that linked to it then. */
export type UnmetPage = { url: string; depth: number; foundOn: string }

/** State of a run's frontier. */
export type FrontierState = 'open' | 'drained' | 'stopped'

/**
 * The URLs of one run. Implementations: in memory (command line) and in PostgreSQL (shared by processes).
 * | The order is fixed: by wave; within a wave by the order of the parent, then by the order of its links. The next
 * wave starts when the last entry of the current one is recorded, so two runs of an unchanged site visit the same pages
 * despite concurrency. Excluded entries and excluded outcomes do not count toward the page limit.
 */
export type Frontier = {
  /** Adds start entries. Existing keys stay unchanged. */
  seed(entries: readonly NewEntry[]): Promise<void>
  /** Pages of the last run that a limited run in the representative order tests again; omitted if no earlier run is known. */
  listPreviousPages?(): Promise<readonly UnmetPage[]>
  /** Pages of the last whole run that this one has not met; omitted if no earlier run is known. */
  unmetPages?: {
    /** Those of a drained run with places left; empty for others. */
    list(): Promise<UnmetPage[]>
    /** Adds them, after all others. Existing keys stay unchanged. */
    add(entries: readonly NewEntry[]): Promise<void>
  }
  /**
   * Claims up to `maxClaims` entries of the current wave. Empty while others process the rest of the wave, or at the
   * limit: check `state`, wait (`changed`), then retry.
   * @param hasExtraPages true if this process may open half as many more pages of a host that it has to itself
   */
  claim(maxClaims: number, hasExtraPages?: boolean): Promise<Claim[]>
  /** Lifetime of a claim in milliseconds without `renew`; afterwards another process may claim the entry. */
  leaseMs: number
  /** Renews the leases of claims in progress. Returns the tokens of lost leases. */
  renew(claims: readonly Claim[]): Promise<string[]>
  /**
   * Records the outcome and the discovered links in one transaction. Returns false if the lease was lost: nothing was
   * recorded, drop the outcome. Known keys are not added again, but the claim is recorded as a referrer of every link.
   * `stateOutcomes` are further pages from the same visit.
   */
  record(
    claim: Claim,
    outcome: PageOutcome,
    discoveredEntries: readonly NewEntry[],
    stateOutcomes?: readonly StateOutcome[],
  ): Promise<boolean>
  /** Releases an entry for another attempt. With `blame`, the release counts as an attempt. */
  release(claim: Claim, options: { blame: boolean; notBeforeMs?: number }): Promise<void>
  state(): Promise<FrontierState>
  /** URLs in the scope to which start URLs redirected in this run, in any process. */
  listStartTargets(): Promise<string[]>
  /**
   * Blocks visits to `host` for `untilMs` milliseconds from now, and enforces `gapMs` between later visits, in every
   * process that shares the run.
   */
  slow(host: string, hostPace: { untilMs: number; gapMs: number }): Promise<void>
  /** Counts one more PDF. Returns false if the run already had `maxPdfs`. */
  admitPdf(maxPdfs: number): Promise<boolean>
  /** Resolves when something may have changed, after `maxWaitMs` at the latest. */
  changed(maxWaitMs: number): Promise<void>
}
