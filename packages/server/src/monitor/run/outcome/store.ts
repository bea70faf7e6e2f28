import { inTransaction } from '../../../kit/database.ts'
import type { Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { sql } from 'kysely'
import { computeHash } from '../../../kit/hash.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { severities, type StoredPage } from '../../issue/model.ts'
import { blobHash, computeHealthNumber, healths } from '../../page/model.ts'
import { type FrontierDeps, insertEntries, recordEntry, releaseEntry, lockFor } from '../frontier/store.ts'
import type { Objects } from '../../page/object/model.ts'
import { getContent, prepareBlobs, storeBlobs, getViews } from '../blob/store.ts'
import { buildPageScore, lockEvidenceShared } from '../../page/table.ts'
import { entryState } from '../table.ts'
import { findPreviousPage, type PreviousPageRow, stopReuse } from '../reuse/store.ts'

/** Stores the findings of a page in the same transaction; implemented by the issue noun. */
export type StoreFindings = (
  db: MonitorDb,
  page: StoredPage,
  findings: readonly Finding[],
  /** Called after the findings are matched to issues, before any is written. */
  onMatched?: () => Promise<void>,
) => Promise<{ open: number[]; total: number }>

/** Functions of the issue noun for recording a page. */
export type IssueSide = {
  storeFindings: StoreFindings
  /** Copies the previous findings to an unchanged page. */
  carryFindings: (
    db: MonitorDb,
    page: StoredPage,
    previousPage: PreviousPageRow,
  ) => Promise<{ open: number[]; total: number }>
  /** Checks that findings equal those stored of the page before. */
  sameFindings: (
    db: MonitorDb,
    page: StoredPage,
    previousPage: PreviousPageRow,
    findings: readonly Finding[],
  ) => Promise<boolean>
}

export type RecordDeps = FrontierDeps & {
  scanId: string
  runNumber: number
  issuesPerPage: number
  /** Days for which unchanged pages keep their findings; without it, none does. */
  reuseDays?: number
  /** Store for bytes; the database by default. */
  objects?: Pick<Objects, 'keep'>
}

type CompletedOutcome = Extract<PageOutcome, { kind: 'completed' }>
type VisitedOutcome = { finalUrl?: string; httpStatus?: number | null; mimeType?: string | null }

/** Columns of the page's row that all kinds of outcomes share. */
function toPageRow(claim: Pick<Claim, 'url' | 'foundOn' | 'depth'>, outcome: PageOutcome) {
  const visitedOutcome = outcome as VisitedOutcome
  const isOtherDomain = outcome.kind === 'excluded' && outcome.reason === 'other-domain'
  return {
    url: claim.url,
    final_url: visitedOutcome.finalUrl ?? null,
    // A script's label of a state is more specific than the document title, which several states may share.
    title: outcome.kind === 'completed' ? (outcome.stateLabel ?? outcome.title) : null,
    status: isOtherDomain ? ('otherDomainIgnored' as const) : outcome.kind,
    health: outcome.kind === 'completed' ? healths.indexOf(outcome.health) : null,
    failure: outcome.kind === 'failed' ? outcome.reason : null,
    exclusion: outcome.kind === 'excluded' ? outcome.reason : null,
    detail: outcome.detail ?? null,
    http_status: visitedOutcome.httpStatus ?? null,
    mime_type: visitedOutcome.mimeType ?? null,
    leads_to: outcome.kind === 'excluded' ? (outcome.leadsTo ?? null) : null,
    found_on: claim.foundOn,
    depth: claim.depth,
    duration_ms: Math.round(outcome.durationMs),
    analysed_at: sql<Date>`now()`,
  }
}

/** Replaces NUL, which PostgreSQL rejects in texts and pages may contain. */
export const cleanText = <T>(value: T): T =>
  (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value) as T

/** Findings to store, up to the limit; the remaining ones are only counted, with a notice on the page. */
export function limitFindings(
  deps: { issuesPerPage: number },
  outcome: PageOutcome,
): { findings: Finding[]; notStored: number; notices: PageNotice[] } {
  if (outcome.kind !== 'completed') return { findings: [], notStored: 0, notices: [] }
  const notStoredCount = Math.max(0, outcome.findings.length - deps.issuesPerPage)
  return {
    findings: outcome.findings.slice(0, deps.issuesPerPage),
    notStored: notStoredCount,
    notices: notStoredCount > 0 ? [...outcome.notices, 'issue-limit-reached'] : outcome.notices,
  }
}

/** A visited URL and its position in the run, for any outcome. */
type VisitedUrl = Pick<Claim, 'url' | 'foundOn' | 'depth'> & { keyHash: Buffer; attempt: number }

/** The contribution of a page to its run. `differs`: an unchanged page nevertheless had other findings. */
type PageContribution = {
  outcome: PageOutcome
  counts: readonly number[]
  total: number
  attempt: number
  differs?: boolean
}

/** A counter column of the run and its increment. */
type CounterIncrement = readonly [column: string, by: number]

const listIncrements = ({ outcome, counts, total, attempt }: PageContribution): CounterIncrement[] => [
  ['total_issues', total],
  ['retried', attempt > 1 ? 1 : 0],
  ...(outcome.kind === 'excluded' ? [] : [[outcome.kind, 1] as const]),
  ...(outcome.kind === 'completed'
    ? ([
        [`health_${outcome.health}`, 1],
        ['carried', outcome.unchanged ? 1 : 0],
        ['audited', outcome.audited ? 1 : 0],
      ] as const)
    : []),
  ...severities.map((name, index) => [name.replace(' ', '_'), counts[index] ?? 0] as const),
]

/** Adds pages to the counters of their run under its lock, with a single update for any number of pages. */
async function updateRunCounters(
  db: MonitorDb,
  runId: string,
  contributions: readonly PageContribution[],
): Promise<void> {
  const incrementSums = new Map<string, number>()
  for (const [columnName, increment] of contributions.flatMap(listIncrements))
    incrementSums.set(columnName, (incrementSums.get(columnName) ?? 0) + increment)
  const buildIncremented = (columnName: string) =>
    sql`(${sql.ref(columnName)} + ${incrementSums.get(columnName) ?? 0}::int)`
  const assignments = [...incrementSums].flatMap(([columnName, increment]) =>
    increment === 0 ? [] : [sql`${sql.ref(columnName)} = ${buildIncremented(columnName)}`],
  )
  const scoreColumn = buildPageScore({
    critical: buildIncremented('health_critical'),
    serious: buildIncremented('health_serious'),
    moderate: buildIncremented('health_moderate'),
    good: buildIncremented('health_good'),
  })
  await sql`with turn as materialized (select ${lockFor(runId)})
    update run set ${sql.join([sql`served_at = now()`, sql`score = ${scoreColumn}`, ...assignments])} from turn where run.id = ${runId}`.execute(
    db,
  )
}

const toCountColumns = (counts: readonly number[]) => ({
  critical: counts[0]!,
  serious: counts[1]!,
  moderate: counts[2]!,
  minor: counts[3]!,
  needs_review: counts[4]!,
})

/** The previous version of an unchanged page was removed in the meantime; the page must be visited again. */
class PreviousPageGone extends Error {}

/** Stores an unchanged page with the findings of the previous run. @throws PreviousPageGone */
async function insertUnchanged(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  visitedUrl: VisitedUrl,
  outcome: CompletedOutcome,
): Promise<PageContribution> {
  const { keyHash: pageKeyHash } = visitedUrl
  const previousPage = await findPreviousPage(trx, deps, pageKeyHash)
  if (!previousPage) throw new PreviousPageGone()
  const { scanId, runId, runNumber } = deps
  const storedPage: StoredPage = { id: createId(), runId, scanId, runNumber, keyHash: pageKeyHash }
  const carriedFindings = await deps.carryFindings(trx, storedPage, previousPage)
  const pageHealth = computeHealthNumber(carriedFindings.open)
  await trx
    .insertInto('page')
    .values({
      ...toPageRow(visitedUrl, outcome),
      title: previousPage.title,
      health: pageHealth,
      id: storedPage.id,
      run_id: runId,
      scan_id: scanId,
      key_hash: pageKeyHash,
      attempts: visitedUrl.attempt,
      notices: previousPage.notices,
      detail: previousPage.detail,
      not_stored: previousPage.not_stored,
      content_hash: previousPage.content_hash,
      views: previousPage.views,
      fingerprint: previousPage.fingerprint,
      carried_from: previousPage.carried_from ?? previousPage.number,
      analysed_at: previousPage.analysed_at,
      ...toCountColumns(carriedFindings.open),
    })
    .execute()
  return {
    outcome: { ...outcome, health: healths[pageHealth]! },
    counts: carriedFindings.open,
    total: carriedFindings.total,
    attempt: visitedUrl.attempt,
  }
}

/** Detects an audited page whose findings differ from those stored before. */
async function hasDifferentFindings(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  page: StoredPage,
  outcome: PageOutcome,
  findings: readonly Finding[],
): Promise<boolean> {
  if (outcome.kind !== 'completed' || !outcome.audited) return false
  const previousPage = await findPreviousPage(trx, deps, page.keyHash)
  return previousPage !== null && !(await deps.sameFindings(trx, page, previousPage, findings))
}

/** Stores a page with its findings; returns its contribution to the run. Its bytes are already stored. */
async function insertPage(
  deps: RecordDeps & IssueSide,
  trx: MonitorDb,
  visitedUrl: VisitedUrl,
  outcome: PageOutcome,
): Promise<PageContribution> {
  if (outcome.kind === 'completed' && outcome.unchanged)
    return insertUnchanged(deps, trx, visitedUrl, outcome)
  const { findings: storedFindings, notStored, notices } = limitFindings(deps, outcome)
  const storedPage: StoredPage = {
    id: createId(),
    runId: deps.runId,
    scanId: deps.scanId,
    runNumber: deps.runNumber,
    keyHash: visitedUrl.keyHash,
  }
  const hasOtherFindings = await hasDifferentFindings(deps, trx, storedPage, outcome, storedFindings)
  const storeResult =
    storedFindings.length > 0 ? await deps.storeFindings(trx, storedPage, storedFindings) : null
  const openCounts = storeResult?.open ?? severities.map(() => 0)
  const pageContent = getContent(outcome)
  const pageRow = toPageRow(visitedUrl, outcome)
  // Ignored issues do not count, so the health may be better than in the engine's outcome.
  const pageHealth = outcome.kind === 'completed' ? computeHealthNumber(openCounts) : null
  await trx
    .insertInto('page')
    .values({
      ...pageRow,
      title: cleanText(pageRow.title),
      detail: cleanText(pageRow.detail),
      health: pageHealth,
      id: storedPage.id,
      run_id: deps.runId,
      scan_id: deps.scanId,
      key_hash: visitedUrl.keyHash,
      attempts: visitedUrl.attempt,
      notices,
      not_stored: notStored,
      content_hash: pageContent === null ? null : blobHash(deps.scanId, pageContent),
      views: getViews(outcome).map((view) => blobHash(deps.scanId, view)),
      fingerprint: outcome.kind === 'completed' ? (outcome.fingerprint ?? null) : null,
      ...toCountColumns(openCounts),
    })
    .execute()
  const countedOutcome =
    outcome.kind === 'completed' ? { ...outcome, health: healths[pageHealth!]! } : outcome
  return {
    outcome: countedOutcome,
    counts: openCounts,
    total: storeResult?.total ?? 0,
    attempt: visitedUrl.attempt,
    differs: hasOtherFindings,
  }
}

/** Records a frontier entry for a state, so that the numbers of found and finished URLs match. */
async function insertStateEntry(
  db: MonitorDb,
  deps: RecordDeps,
  claim: Claim,
  state: StateOutcome,
  keyHash: Buffer,
) {
  await sql`
    insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, depth, url, key, found_on, exclusion)
    values (${deps.runId}, ${keyHash}, ${entryState.done}, ${claim.wave}, 0, 0, ${claim.depth}, ${state.url}, ${state.key},
      ${claim.url}, ${state.outcome.kind === 'excluded' ? state.outcome.reason : null})
    on conflict (run_id, key_hash) do nothing`.execute(db)
}

/**
 * Records the outcome of a URL with its findings, links and counts, and the states of the page that a script reached: all or
 * nothing.
 * @returns false when nothing was recorded, because the lease was lost or the previous version of an unchanged page is gone
 */
export async function storePage(
  deps: RecordDeps & IssueSide,
  claim: Claim,
  outcome: PageOutcome,
  newEntries: readonly NewEntry[],
  states: readonly StateOutcome[] = [],
): Promise<boolean> {
  const allOutcomes = [outcome, ...states.map((state) => state.outcome)]
  const preparedBlobs = await prepareBlobs(
    deps,
    allOutcomes.map((pageOutcome) => ({
      outcome: pageOutcome,
      findings: limitFindings(deps, pageOutcome).findings,
    })),
  )
  const recordedPromise = inTransaction(deps.db, async (trx) => {
    await lockEvidenceShared(deps.scanId).execute(trx)
    const exclusionReason = outcome.kind === 'excluded' ? outcome.reason : null
    const recordedEntry = await recordEntry({ ...deps, db: trx }, claim, exclusionReason)
    if (!recordedEntry) return false
    await storeBlobs(trx, deps.scanId, preparedBlobs)
    const visitedUrl = { ...claim, keyHash: recordedEntry.keyHash, attempt: recordedEntry.attempt }
    const contributions = [await insertPage(deps, trx, visitedUrl, outcome)]
    for (const state of states) {
      const stateKeyHash = computeHash(state.key)
      await insertStateEntry(trx, deps, claim, state, stateKeyHash)
      const stateUrl = {
        url: state.url,
        foundOn: claim.url,
        depth: claim.depth,
        keyHash: stateKeyHash,
        attempt: 1,
      }
      contributions.push(await insertPage(deps, trx, stateUrl, state.outcome))
    }
    await insertLinks(trx, deps.runId, { url: claim.url, keyHash: recordedEntry.keyHash }, newEntries)
    await insertEntries(trx, deps.runId, newEntries, recordedEntry.place)
    // From here on, all other transactions of the run wait.
    await updateRunCounters(trx, deps.runId, contributions)
    if (contributions.some(({ differs }) => differs)) await stopReuse(trx, deps, claim.url)
    return true
  })
  try {
    return await recordedPromise
  } catch (error) {
    if (!(error instanceof PreviousPageGone)) throw error
    await releaseEntry(deps, claim, { blame: false })
    return false
  }
}

/** Maximum number of links stored for one page; a page with more is an index. */
const maxStoredLinks = 2000
const maxListedReferrers = 20

/** The first eight bytes of a key's hash as a signed integer, like `bigint` in the database. */
const toLinkTarget = (hash: Buffer): string => hash.readBigInt64BE(0).toString()

/** Stores the links of a page in one row. */
async function insertLinks(
  db: MonitorDb,
  runId: string,
  { url, keyHash }: { url: string; keyHash: Buffer },
  newEntries: readonly NewEntry[],
): Promise<void> {
  if (newEntries.length === 0) return
  const linkTargets = [
    ...new Set(newEntries.slice(0, maxStoredLinks).map(({ key }) => toLinkTarget(computeHash(key)))),
  ]
  await sql`insert into page_link (run_id, url, key_hash, targets)
    values (${runId}, ${url}, ${keyHash}, ${linkTargets}::bigint[])`.execute(db)
}

/** Pages of a run that link to a key, in the order of their visits: the first twenty, and the total count. */
export async function findReferrers(
  { db }: { db: MonitorDb },
  runId: string,
  keyHash: Buffer,
): Promise<{ first: string[]; pages: (string | null)[]; count: number }> {
  const { rows: referrerRows } = await sql<{ url: string; page: string | null; count: number }>`
    select top.url, top.count, p.id as page
    from (select id, url, key_hash, count(*) over ()::int as count from page_link
      where run_id = ${runId} and targets @> array[${toLinkTarget(keyHash)}::bigint]
      order by id limit ${maxListedReferrers}) top
    left join page p on p.run_id = ${runId} and p.key_hash = top.key_hash
    order by top.id`.execute(db)
  return {
    first: referrerRows.map(({ url }) => url),
    pages: referrerRows.map(({ page }) => page),
    count: referrerRows[0]?.count ?? 0,
  }
}
