import { hidesSecret, toShownUrl } from '@clearway/contract/monitor/page/url/model.ts'
import type * as z from 'zod/mini'
import type { Recheck } from '@clearway/contract/monitor/run/recheck/schema.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { inTransaction } from '../../../kit/database.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import { getLimits } from '../../config/service.ts'
import type { MonitorDb } from '../../database.ts'
import { recountPages, recountRuns } from '../../issue/recount/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { recordRecheck, copyToRechecked } from '../../issue/lifecycle/store.ts'
import { readSignOutUrls } from '../../scan/store.ts'
import { createPlan, readRunSecrets } from '../plan/service.ts'
import type { WorkerDeps } from '../execution/service.ts'
import {
  claimRecheck,
  recountDueRuns,
  endRecheck,
  findRecheck,
  insertDoubtfulRechecks,
  insertRecheck,
  type RecheckClaim,
  type RecheckRow,
  recheckLeaseSeconds,
  releaseRecheck,
  renewRecheck,
  storeRecheckResult,
} from './store.ts'
import { parsePlanSettings } from '../store.ts'

export type RecheckDeps = { db: MonitorDb; pubSub: PubSub }
type RecheckReply = Omit<z.output<typeof Recheck>, 'pageId'> & { pageId: string }

function toRecheckReply(row: RecheckRow): RecheckReply {
  const [newCount = 0, backCount = 0, fixedCount = 0, stillCount = 0, notRecheckedCount = 0, ignoredCount = 0] = row.issues ?? []
  return {
    pageId: row.page_id,
    state: row.state,
    requestedAt: row.requested_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    status: row.state === 'done' ? (row.status as RecheckReply['status']) : null,
    failure: row.failure,
    detail: row.detail,
    issues: row.issues && {
      new: newCount,
      back: backCount,
      fixed: fixedCount,
      notRechecked: notRecheckedCount,
      ignored: ignoredCount,
      still: stillCount,
    },
  }
}

export async function requestRecheck(deps: RecheckDeps, caller: Caller, pageId: string): Promise<RecheckReply | Refusal> {
  const insertResult = await insertRecheck(deps, pageId, caller.id)
  if (insertResult === 'run-active')
    return refuse('run-active', { detail: 'A run of this scan is in progress and will check this page as well.' })
  if (insertResult === 'not-recheckable')
    return refuse('not-recheckable', { detail: 'Only pages that the newest run visited can be checked again.' })
  await deps.pubSub.publish({ kind: 'queued', runId: insertResult.runId })
  return getRecheck(deps, pageId)
}

/** Requests re-checks of the pages that make a run doubtful. */
export async function requestDoubtfulRechecks(deps: RecheckDeps, caller: Caller, run: { id: string; run: number }) {
  const insertResult = await insertDoubtfulRechecks(deps, { scanId: run.id, number: run.run }, caller.id)
  if (insertResult === 'run-active')
    return refuse('run-active', { detail: 'A run of this scan is in progress and will check these pages as well.' })
  if (insertResult === 'not-recheckable')
    return refuse('not-recheckable', { detail: 'Only the newest run has pages that can be checked again.' })
  if (insertResult.pages > 0) await deps.pubSub.publish({ kind: 'queued', runId: insertResult.runId })
  return { pages: insertResult.pages }
}

export async function getRecheck(deps: { db: MonitorDb }, pageId: string): Promise<RecheckReply | Refusal> {
  const recheckRow = await findRecheck(deps, pageId)
  return recheckRow ? toRecheckReply(recheckRow) : refuse('not-found')
}

/** Maximum number of attempts when workers are lost during a re-check. */
const maxAttempts = 3

/** Claims the next re-check; null for none. Gives up one that lost several workers. */
export async function claimNextRecheck(deps: WorkerDeps): Promise<RecheckClaim | null> {
  const recheckClaim = await claimRecheck(deps)
  if (!recheckClaim || recheckClaim.attempts <= maxAttempts) return recheckClaim
  const failureDetail = 'The worker ended each time while it analyzed this page'
  await endWithoutChange(deps, recheckClaim, { state: 'failed', failure: 'task-not-processed', detail: failureDetail })
  return null
}

const publishRecounts = async (deps: RecheckDeps, runIds: readonly string[]): Promise<void> => {
  for (const runId of runIds) await deps.pubSub.publish({ kind: 'progress', runId })
}

const endWithoutChange = async (deps: WorkerDeps, claim: RecheckClaim, end: Parameters<typeof endRecheck>[2]): Promise<void> =>
  publishRecounts(deps, await endRecheck({ db: deps.db, recountRuns }, claim, end))

/** Counts runs whose re-checks were given up for a newer run, or deleted with their pages. */
export async function countPendingRechecks(deps: WorkerDeps): Promise<void> {
  await publishRecounts(deps, await inTransaction(deps.db, (db) => recountDueRuns({ db, recountRuns })))
}

/** URL at which a page can be visited again; null if its secret is not stored. Start URLs are in the settings as they were typed. */
const findVisitUrl = (pageUrl: string, { urls, advanced }: ScanPlan): string | null =>
  hidesSecret(pageUrl) ? (urls.find((url) => toShownUrl(url, advanced) === pageUrl) ?? null) : pageUrl

/** The run's settings, limited to this page; or a sentence about secrets that are missing. */
export async function createRecheckPlan(deps: WorkerDeps, claim: RecheckClaim): Promise<ScanPlan | { missing: string }> {
  const runSettings = parsePlanSettings(claim.run_id, claim.settings)
  const runSecrets = await readRunSecrets(deps, claim.scan_id, runSettings)
  if ('missing' in runSecrets) return runSecrets
  const runPlan = createPlan(runSettings, {
    allowPrivate: deps.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: 1,
    allowEval: deps.config.CLEARWAY_SCRIPT_EVAL,
    signOutUrls: await readSignOutUrls(deps, claim.scan_id),
    ...runSecrets,
  })
  const visitUrl = findVisitUrl(claim.url, runPlan)
  if (visitUrl === null)
    return { missing: 'A secret in the URL of this page is not stored. Only a run of the scan can check the page again.' }
  const { commonComponents } = runPlan
  return {
    ...runPlan,
    urls: [visitUrl],
    depth: 0,
    pageLimit: 1,
    scripts: [],
    sources: { followLinks: false, sitemaps: [], sitemapsOfRobots: false, urls: [] },
    commonComponents: commonComponents ? { ...commonComponents, templateUrls: [] } : null,
    // The path on which the page was found is irrelevant.
    advanced: { ...runPlan.advanced, restrictToFolder: false },
  }
}

export async function whileRenewing<T>(deps: WorkerDeps, claim: RecheckClaim, work: () => Promise<T>): Promise<T> {
  const renewLease = () => void renewRecheck(deps, claim).catch((error: unknown) => deps.log('warn', String(error)))
  const renewalTimer = setInterval(renewLease, (recheckLeaseSeconds * 1000) / 3)
  try {
    return await work()
  } finally {
    clearInterval(renewalTimer)
  }
}

/** The result of a re-check: an outcome, stopped before one, or a problem with opening the page. */
export type RecheckResult = PageOutcome | { kind: 'stopped' } | { kind: 'problem'; detail: string }

/** Records the result of a re-check. An incomplete page changes nothing. */
export async function recordRecheckResult(deps: WorkerDeps, claim: RecheckClaim, result: RecheckResult): Promise<void> {
  if (result.kind === 'stopped') return releaseRecheck(deps, claim)
  if (result.kind !== 'completed') {
    const failureReason = result.kind === 'failed' ? result.reason : null
    return endWithoutChange(deps, claim, { state: 'failed', failure: failureReason, detail: result.detail.slice(0, 2000) })
  }
  const { issuesPerPage } = getLimits(deps.config)
  const storeDeps = {
    db: deps.db,
    objects: deps.objects,
    issuesPerPage,
    storeFindings,
    setAside: copyToRechecked,
    recordRechecked: recordRecheck,
    recountPages,
    recountRuns,
  }
  if (!(await storeRecheckResult(storeDeps, claim, result)))
    return endWithoutChange(deps, claim, { state: 'stale', failure: null, detail: null })
  return deps.pubSub.publish({ kind: 'progress', runId: claim.run_id })
}
