import type {
  ExclusionReason,
  FailureReason,
  PageNotice,
  PageSource,
  Health,
  PageStatus,
} from '@clearway/contract/monitor/page/schema.ts'
import { goneExclusions, goneFailures } from '@clearway/contract/monitor/page/proof/model.ts'
import { bannerPrefix, healthScores, lostSessionFailures } from '@clearway/contract/monitor/page/model.ts'
import { wallNotices } from '@clearway/contract/monitor/page/wall/model.ts'
import { type ColumnType, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { toIndexLiterals } from '../../kit/database.ts'
import { healths } from './model.ts'

type CounterColumn = Generated<number | null>

/** A page as a visit saw it, shared by all runs that saw the same. */
export type PageVersion = {
  url: string
  final_url: string | null
  title: string | null
  source: PageSource
  http_status: number | null
  mime_type: string | null
  found_on: string | null
  depth: number
  /** The content; for a failed page, a picture. Its bytes last until the contents of the run are cleared. */
  content_hash: Buffer | null
  /** Equal for pages with the same main text, controls and media; null if it is unknown or the scan counts the page by itself. */
  content_key: string | null
  /** Canonical URL in the scope that the page declares. */
  canonical: string | null
  /** Equal for pages with the same structure; null if it is unknown. */
  template: string | null
  /** Photographs of the page from top to bottom: hashes of `blob`. */
  views: Buffer[]
  /** Hash of everything that axe-core could see; null forces an axe run in the next run. */
  fingerprint: string | null
  /** True if it was proved to be shown to the signed-in user; null if that is unknown. */
  signed_in: boolean | null
  /** `PageEvidence`: what the visit saw; null for PDFs, uploads and older pages. */
  evidence: unknown
  /** `WalkedPage`; null for pages that were not driven. */
  driven: unknown
}

/** A page in a run: how its visit ended, and its issues. `Counter` is the type of its numbers. */
type RunPage<Counter> = {
  id: string
  run_id: string
  key_hash: Buffer
  status: PageStatus
  /** Index in `healths` of the model. */
  health: number | null
  failure: FailureReason | null
  exclusion: ExclusionReason | null
  detail: string | null
  leads_to: string | null
  attempts: number
  duration_ms: number | null
  critical: Counter
  serious: Counter
  moderate: Counter
  minor: Counter
  needs_review: Counter
  fixed: Counter
  /** Issues that the run neither found nor proved fixed. */
  not_rechecked: Counter
  not_stored: Counter
  analysed_at: Date | null
  /** `SentRequests` of the visit; null for uploads, older pages and pages that no browser opened. */
  requests: ColumnType<unknown, string | null | undefined, string | null>
  /** Number of the run that analyzed it; null for its own run. */
  carried_from: Generated<number | null>
}

export type PageTables = {
  /** A view of `run_page` with the columns of its `page_version`. It is only read. */
  page: Selectable<RunPage<number>> & PageVersion & { scan_id: string; notices: PageNotice[] }
  /** `notices` and the counts are null for none, which takes no space. */
  run_page: RunPage<CounterColumn> & {
    version_id: string
    notices: PageNotice[] | null
    /** Part of the random share of its run; set when the run ends. */
    is_random: Generated<boolean | null>
    /** Known URLs that it stands for; set when a limited run ends. */
    weight: Generated<number | null>
  }
  page_version: PageVersion & { id: string; scan_id: string; hash: Buffer }
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

/** A page without the contents that its run no longer has. Other runs with the same version of the page may have them. */
export const blankClearedContents = <Row extends Pick<PageVersion, 'content_hash' | 'views'> & { is_cleared: boolean }>(
  page: Row,
): Row => (page.is_cleared ? { ...page, content_hash: null, views: [] } : page)

/** Condition for pages that were tested, and found to be the same as another page of the run under a further address. */
export const isJoined = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.exclusion`)} is not distinct from 'duplicate' and ${sql.ref(`${alias}.content_key`)} is not null)`

/** Pages that prove their own disappearance. Only unvisited URLs were excluded by settings; joined ones have another address. */
export const isProvenGone = (alias: string): RawBuilder<boolean> => sql`(
  ${isJoined(alias)} or ${sql.ref(`${alias}.failure`)} = any(${[...goneFailures]}::text[])
  or (${sql.ref(`${alias}.exclusion`)} = any(${[...goneExclusions]}::text[]) and ${sql.ref(`${alias}.attempts`)} = 0))`

/** Condition for pages whose content was not seen: they have no health. */
export const isWalled = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.notices`)} && ${[...wallNotices]}::text[])`

/** Condition for pages that were not proved to be shown to the signed-in user. */
export const isUnproved = (alias: string): RawBuilder<boolean> =>
  sql`((${sql.ref(`${alias}.status`)} = 'completed' and not ${sql.ref(`${alias}.signed_in`)}) or (${sql.ref(`${alias}.status`)} = 'failed'
    and ${sql.ref(`${alias}.failure`)} = any(${[...lostSessionFailures]}::text[])))`

/** Condition for pages that show a banner alone, and no content. */
export const isBannerPage = (alias: string): RawBuilder<boolean> =>
  sql`coalesce(starts_with(${sql.ref(`${alias}.found_on`)}, ${sql.lit(bannerPrefix)}), false)`

/** SQL version of `computePageHealth`: condition for pages that have a health, and so count in the score. */
export const hasHealth = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.status`)} = 'completed' and not ${isWalled(alias)} and not ${isBannerPage(alias)})`

export const healthLiterals = toIndexLiterals(healths)

/** Number of different contents among the completed pages of a group. */
export const countContents = (alias: string): RawBuilder<number> =>
  sql`(count(distinct coalesce(${sql.ref(`${alias}.content_key`)}, encode(${sql.ref(`${alias}.key_hash`)}, 'hex')))
    filter (where ${sql.ref(`${alias}.status`)} = 'completed' and not ${isBannerPage(alias)}))::int`

/** SQL version of the contract's `computeScore`. @param pages number of pages by health */
export const buildPageScore = (pages: Readonly<Record<Health, RawBuilder<unknown>>>): RawBuilder<number> => {
  const plusOperator = sql` + `
  const weightedCounts = healths.map((name) => sql`${pages[name]} * ${sql.lit(healthScores[name])}`)
  const pageCounts = healths.map((name) => pages[name])
  return sql`round((${sql.join(weightedCounts, plusOperator)}) / nullif(${sql.join(pageCounts, plusOperator)}, 0), 4)`
}

/** The same for a number of pages that is computed for each health. */
export const buildScoreOf = (countPages: (health: Health) => RawBuilder<unknown>): RawBuilder<number> =>
  buildPageScore(Object.fromEntries(healths.map((name) => [name, countPages(name)])) as Record<Health, RawBuilder<unknown>>)

/** SQL version of the contract's `computeHealth`. @param open number of open issues of a page by severity */
export const buildPageHealth = (open: Readonly<Record<Exclude<Health, 'good'>, RawBuilder<unknown>>>): RawBuilder<number> => {
  const caseClauses = healths.flatMap((name) =>
    name === 'good' ? [] : [sql`when ${open[name]} > 0 then ${healthLiterals[name]}`],
  )
  return sql`(case ${sql.join(caseClauses, sql` `)} else ${healthLiterals.good} end)`
}

/** Score and open issues of two runs on the pages that both tested. The arguments are the ids of the runs. */
export const selectCommonFigures = (
  runId: RawBuilder<unknown>,
  otherRunId: RawBuilder<unknown>,
  isNeeded: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => {
  const buildSideScore = (alias: string) =>
    buildScoreOf(
      (name) =>
        sql`count(*) filter (where ${sql.ref(`${alias}.health`)} = ${healthLiterals[name]} and p.health is not null and q.health is not null)`,
    )
  const difference = (column: string) =>
    sql`coalesce(sum(p.${sql.ref(column)} - q.${sql.ref(column)}), 0)::int as ${sql.ref(column)}`
  return sql`(select count(*)::int as pages, ${buildSideScore('p')} - ${buildSideScore('q')} as score,
      ${sql.join(['critical', 'serious', 'moderate', 'minor', 'needs_review'].map(difference))}
    from page p join page q on q.run_id = ${otherRunId} and q.key_hash = p.key_hash and q.status = 'completed'
    where ${isNeeded} and p.run_id = ${runId} and p.status = 'completed')`
}

/** Contribution of a page to the score by the severity of its worst open issue; null for none. */
export const buildWorstScore = (severity: RawBuilder<unknown>): RawBuilder<number> => {
  const caseClauses = healths.map((name) => sql`when ${healthLiterals[name]} then ${sql.lit(healthScores[name])}`)
  return sql`(case ${severity} ${sql.join(caseClauses, sql` `)} else ${sql.lit(healthScores.good)} end)`
}

/**
 * Evidence and blobs are stored once and referenced by hash. Transactions that store a reference take this lock shared, those
 * that remove unreferenced rows exclusively: otherwise they could remove rows that an open transaction has found. Changes of
 * statuses take it exclusively, too: a page that leaves an issue as it is does not lock its row.
 */
const evidenceLockId = 7_265_502
export const lockEvidenceShared = (scanId: string | RawBuilder<string>): RawBuilder<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${sql.lit(evidenceLockId)}, hashtext(${scanId}))`
export const lockEvidenceExclusive = (scanId: string | RawBuilder<string>): RawBuilder<unknown> =>
  sql`select pg_advisory_xact_lock(${sql.lit(evidenceLockId)}, hashtext(${scanId}))`
