import type { Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import { findFormerKey } from '@clearway/contract/monitor/page/url/model.ts'
import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { hasWall, unconfirmedNotice } from '@clearway/contract/monitor/page/wall/model.ts'
import type { Finding, PageOutcome } from '@clearway/engine/outcome.ts'
import { inTransaction } from '../../../kit/database.ts'
import { computeHash } from '../../../kit/hash.ts'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { carryFindings, hasSameFindings } from '../../issue/carry/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { adoptFormerKey } from '../../issue/former-key/store.ts'
import { countOpen, type StoredPage } from '../../issue/model.ts'
import { blobHash, computePageHealth } from '../../page/model.ts'
import { lockEvidenceShared } from '../../page/table.ts'
import { compareWithLastVisit } from '../wall/store.ts'
import { getContent, getViews, prepareBlobs, storeBlobs } from '../blob/store.ts'
import { insertEntries, recordEntry, releaseEntry } from '../frontier/store.ts'
import { countPage } from '../measure/service.ts'
import { findPreviousPage, stopReuse } from '../reuse/store.ts'
import {
  getContentColumns,
  insertLinks,
  insertPageRow,
  insertStateEntry,
  limitFindings,
  type PageContribution,
  type RecordDeps,
  updateRunCounters,
  type VisitedUrl,
} from './store.ts'

type CompletedOutcome = Extract<PageOutcome, { kind: 'completed' }>

/** The previous version of an unchanged page was removed in the meantime; the page must be visited again. */
class PreviousPageGone extends Error {}

/** The contribution of a page to its run, with its health without ignored issues; none behind a wall. */
const createContribution = (
  { attempt, foundOn }: VisitedUrl,
  outcome: PageOutcome,
  { open, total, notices }: { open: readonly number[]; total: number; notices: readonly PageNotice[] },
): PageContribution => ({
  outcome:
    outcome.kind === 'completed'
      ? { ...outcome, health: computePageHealth({ kind: outcome.kind, notices, foundOn, openCounts: open }) }
      : outcome,
  isBehindWall: hasWall(notices),
  counts: open,
  total,
  attempt,
})

/** Stores an unchanged page with the findings of the previous run. @throws PreviousPageGone */
async function insertUnchanged(
  deps: RecordDeps,
  trx: MonitorDb,
  page: StoredPage,
  visitedUrl: VisitedUrl,
  outcome: CompletedOutcome,
): Promise<PageContribution> {
  const previousPage = await findPreviousPage(trx, deps, page.keyHash)
  if (!previousPage) throw new PreviousPageGone()
  const { open: openCounts, total } = await carryFindings(trx, page, previousPage)
  // The end of each run decides which pages show the same text, and whether most issues disappeared.
  const keptNotices = previousPage.notices.filter((notice) => notice !== 'same-as-other-pages' && notice !== unconfirmedNotice)
  await insertPageRow(trx, page, visitedUrl, outcome, openCounts, {
    row: {
      notices: keptNotices,
      detail: previousPage.detail,
      not_stored: previousPage.not_stored,
      carried_from: previousPage.carried_from ?? previousPage.number,
      analysed_at: previousPage.analysed_at,
    },
    version: {
      title: previousPage.title,
      content_hash: previousPage.content_hash,
      ...(outcome.signature
        ? getContentColumns(outcome)
        : { content_key: previousPage.content_key, canonical: previousPage.canonical, template: previousPage.template }),
      views: previousPage.views,
      fingerprint: previousPage.fingerprint,
      evidence: previousPage.evidence === null ? null : { ...(previousPage.evidence as object), retained: 1 },
      driven: previousPage.driven,
    },
  })
  return createContribution(visitedUrl, outcome, { open: openCounts, total, notices: keptNotices })
}

/** Detects an audited page whose findings differ from those stored before. */
async function hasDifferentFindings(
  deps: RecordDeps,
  trx: MonitorDb,
  page: StoredPage,
  outcome: PageOutcome,
  findings: readonly Finding[],
): Promise<boolean> {
  if (outcome.kind !== 'completed' || !outcome.audited) return false
  const previousPage = await findPreviousPage(trx, deps, page.keyHash)
  return previousPage !== null && !(await hasSameFindings(trx, page, previousPage, findings))
}

/** Stores a page with its findings; returns its contribution to the run. Its bytes are already stored. */
async function insertPage(
  deps: RecordDeps,
  trx: MonitorDb,
  visitedUrl: VisitedUrl,
  outcome: PageOutcome,
): Promise<PageContribution> {
  const { scanId, runId, runNumber } = deps
  const storedPage: StoredPage = { id: createId(), runId, scanId, runNumber, keyHash: visitedUrl.keyHash }
  if (visitedUrl.formerKey) await adoptFormerKey(trx, storedPage, computeHash(visitedUrl.formerKey))
  if (outcome.kind === 'completed' && outcome.unchanged) return insertUnchanged(deps, trx, storedPage, visitedUrl, outcome)
  const { findings: storedFindings, notStored, notices: ownNotices } = limitFindings(deps, outcome)
  const { walls, evidence } = await compareWithLastVisit(trx, storedPage, outcome, visitedUrl)
  const notices = [...ownNotices, ...walls]
  const differs = await hasDifferentFindings(deps, trx, storedPage, outcome, storedFindings)
  // A page without findings has none of the last run's either; one that failed is judged at the end.
  const storeResult = outcome.kind === 'completed' ? await storeFindings(trx, storedPage, storedFindings) : countOpen([])
  const pageContent = getContent(outcome)
  await insertPageRow(trx, storedPage, visitedUrl, outcome, storeResult.open, {
    row: { notices, not_stored: notStored },
    version: {
      content_hash: pageContent === null ? null : blobHash(scanId, pageContent),
      ...getContentColumns(outcome),
      views: getViews(outcome).map((view) => blobHash(scanId, view)),
      fingerprint: outcome.kind === 'completed' ? (outcome.fingerprint ?? null) : null,
      evidence,
    },
  })
  return { ...createContribution(visitedUrl, outcome, { ...storeResult, notices }), differs }
}

/**
 * Records the outcome of a URL with findings, links, counts and the states that a script reached: all or nothing.
 * @returns false when nothing was recorded, because the lease was lost or the previous version of an unchanged page is gone
 */
async function storePage(
  deps: RecordDeps,
  claim: Claim,
  outcome: PageOutcome,
  newEntries: readonly NewEntry[],
  states: readonly StateOutcome[],
): Promise<boolean> {
  const allOutcomes = [outcome, ...states.map((state) => state.outcome)]
  const preparedBlobs = await prepareBlobs(
    deps,
    allOutcomes.map((pageOutcome) => ({ outcome: pageOutcome, findings: limitFindings(deps, pageOutcome).findings })),
  )
  const recordedPromise = inTransaction(deps.db, async (trx) => {
    await lockEvidenceShared(deps.scanId).execute(trx)
    const recordedEntry = await recordEntry({ ...deps, db: trx }, { claim, outcome, links: newEntries })
    if (!recordedEntry) return false
    await storeBlobs(trx, deps.scanId, preparedBlobs)
    const visitedUrl = { ...claim, ...recordedEntry, formerKey: findFormerKey(claim.url, claim.key) }
    const contributions = [await insertPage(deps, trx, visitedUrl, outcome)]
    for (const state of states) {
      const stateKeyHash = computeHash(state.key)
      const isNew = await insertStateEntry(trx, deps, claim, state, stateKeyHash)
      // Several processes may meet the same banner.
      if (!isNew && state.foundOn !== undefined) continue
      const stateUrl = {
        url: state.url,
        foundOn: state.foundOn ?? claim.url,
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

/** Records and counts the outcome of a URL. @returns false when nothing was recorded */
export async function recordPage(
  deps: RecordDeps,
  claim: Claim,
  outcome: PageOutcome,
  newEntries: readonly NewEntry[],
  states: readonly StateOutcome[] = [],
): Promise<boolean> {
  const isRecorded = await storePage(deps, claim, outcome, newEntries, states)
  if (isRecorded) for (const pageOutcome of [outcome, ...states.map((state) => state.outcome)]) countPage(pageOutcome)
  return isRecorded
}
