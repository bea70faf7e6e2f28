import type {
  ExclusionReason,
  FailureReason,
  PageNotice,
  PageSource,
  Health,
  PageStatus,
} from '@clearway/contract/monitor/page/schema.ts'
import { healthScore } from '@clearway/contract/monitor/page/model.ts'
import { type Generated, type RawBuilder, sql } from 'kysely'
import { numbered } from '../../kit/database.ts'
import { healths } from './model.ts'

type Counter = Generated<number>

export type PageTables = {
  page: {
    id: string
    run_id: string
    scan_id: string
    key_hash: Buffer
    url: string
    final_url: string | null
    title: string | null
    status: PageStatus
    source: Generated<PageSource>
    /** Index in `healths` of the model. */
    health: number | null
    failure: FailureReason | null
    exclusion: ExclusionReason | null
    detail: string | null
    http_status: number | null
    mime_type: string | null
    leads_to: string | null
    found_on: string | null
    depth: number
    attempts: number
    duration_ms: number | null
    notices: PageNotice[]
    critical: Counter
    serious: Counter
    moderate: Counter
    minor: Counter
    needs_review: Counter
    fixed: Counter
    not_stored: Counter
    content_hash: Buffer | null
    /** Photographs of the page, from its top down: hashes of `blob`. */
    views: Generated<Buffer[]>
    analysed_at: Date | null
    /** All that axe could see of it, in one word; null: the next run analyses it in any case. */
    fingerprint: Generated<string | null>
    /** The number of the run in which it was analysed; null for its own. */
    carried_from: Generated<number | null>
  }
  /** The bytes are in the row, or in an object store: `object/model.ts`. */
  blob: {
    hash: Buffer
    scan_id: string
    media_type: string
    encoding: string | null
    bytes: Buffer | null
    store: number | null
    object: string | null
  }
  object_store: { store: number; mark: string; swept_at: Generated<Date | null> }
}

/** The words of a page's health as SQL literals. */
export const health = numbered(healths)

/** SQL of the contract's `scoreOf`. @param pages how many pages have each health */
export const scoreOfPages = (pages: Readonly<Record<Health, RawBuilder<unknown>>>): RawBuilder<number> => {
  const plus = sql` + `
  const sum = healths.map((name) => sql`${pages[name]} * ${sql.lit(healthScore[name])}`)
  const all = healths.map((name) => pages[name])
  return sql`round((${sql.join(sum, plus)}) / nullif(${sql.join(all, plus)}, 0), 4)`
}

/** SQL of the contract's `healthOf`. @param open how many open issues of a page have each severity */
export const healthOfOpen = (
  open: Readonly<Record<Exclude<Health, 'good'>, RawBuilder<unknown>>>,
): RawBuilder<number> => {
  const cases = healths.flatMap((name) =>
    name === 'good' ? [] : [sql`when ${open[name]} > 0 then ${health[name]}`],
  )
  return sql`(case ${sql.join(cases, sql` `)} else ${health.good} end)`
}

/** What a page adds to the score when this is the severity of its worst open issue; null is none. */
export const scoreOfWorst = (severity: RawBuilder<unknown>): RawBuilder<number> => {
  const cases = healths.map((name) => sql`when ${health[name]} then ${sql.lit(healthScore[name])}`)
  return sql`(case ${severity} ${sql.join(cases, sql` `)} else ${sql.lit(healthScore.good)} end)`
}

/**
 * Texts and pictures are stored once and named by their hashes. A transaction that stores a reference to them takes this lock, shared,
 * before anything else; one that removes what nothing refers to takes it exclusively. Otherwise it would remove what an
 * open transaction has already found to be there.
 */
const evidenceLock = 7_265_502
export const namesEvidence = (scanId: string | RawBuilder<string>): RawBuilder<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${sql.lit(evidenceLock)}, hashtext(${scanId}))`
export const clearsEvidence = (scanId: string): RawBuilder<unknown> =>
  sql`select pg_advisory_xact_lock(${sql.lit(evidenceLock)}, hashtext(${scanId}))`
