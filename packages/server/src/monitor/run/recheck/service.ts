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
import { recordRecheck, moveToRechecked } from '../../issue/lifecycle/store.ts'
import { createPlan, readRunSecrets } from '../plan/service.ts'
import type { WorkerDeps } from '../worker/service.ts'
import {
  claimRecheck,
  countDue,
  endRecheck,
  findRecheck,
  insertRecheck,
  type RecheckClaim,
  type RecheckRow,
  recheckLeaseSeconds,
  releaseRecheck,
  renewRecheck,
  storeRechecked,
} from './store.ts'
import { planSettings } from '../store.ts'

export type RecheckDeps = { db: MonitorDb; pubSub: PubSub }
type Answer = Omit<z.output<typeof Recheck>, 'pageId'> & { pageId: string }

function answerOf(row: RecheckRow): Answer {
  const [fresh = 0, back = 0, fixed = 0, still = 0] = row.issues ?? []
  return {
    pageId: row.page_id,
    state: row.state,
    requestedAt: row.requested_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    status: row.state === 'done' ? (row.status as Answer['status']) : null,
    failure: row.failure,
    detail: row.detail,
    issues: row.issues && { new: fresh, back, fixed, still },
  }
}

/** Puts a page of the newest run on the list of what workers analyse again. */
export async function requestRecheck(
  deps: RecheckDeps,
  caller: Caller,
  pageId: string,
): Promise<Answer | Refusal> {
  const asked = await insertRecheck(deps, pageId, caller.id)
  if (asked === 'run-active')
    return refuse('run-active', {
      detail: 'A run of this scan is going on. It comes to this page by itself.',
    })
  if (asked === 'not-recheckable')
    return refuse('not-recheckable', {
      detail: 'Only pages that the newest run visited can be checked again.',
    })
  await deps.pubSub.publish({ kind: 'queued', runId: asked.runId })
  return recheckFor(deps, pageId)
}

/** The state of the last re-check of a page. */
export async function recheckFor(deps: { db: MonitorDb }, pageId: string): Promise<Answer | Refusal> {
  const row = await findRecheck(deps, pageId)
  return row ? answerOf(row) : refuse('not-found')
}

/** A worker that is lost with a page takes it up again so often. */
const attemptsAllowed = 3

/** The next page to analyse again; null when none waits. One that took several workers down is given up. */
export async function nextRecheck(deps: WorkerDeps): Promise<RecheckClaim | null> {
  const claim = await claimRecheck(deps)
  if (!claim || claim.attempts <= attemptsAllowed) return claim
  const detail = 'The worker ended each time while it analysed this page'
  await endUnchanged(deps, claim, { state: 'failed', failure: 'task-not-processed', detail })
  return null
}

const publishCounted = async (deps: RecheckDeps, runIds: readonly string[]): Promise<void> => {
  for (const runId of runIds) await deps.pubSub.publish({ kind: 'progress', runId })
}

const endUnchanged = async (
  deps: WorkerDeps,
  claim: RecheckClaim,
  end: Parameters<typeof endRecheck>[2],
): Promise<void> => publishCounted(deps, await endRecheck({ db: deps.db, recountRuns }, claim, end))

/** Counts the runs whose re-checks were given up for a newer run, or deleted with their pages. */
export async function countRechecked(deps: WorkerDeps): Promise<void> {
  await publishCounted(deps, await inTransaction(deps.db, (db) => countDue({ db, recountRuns })))
}

/** The run's settings with this page as all there is to visit; or what cannot be opened, in a sentence. */
export async function recheckPlan(
  deps: WorkerDeps,
  claim: RecheckClaim,
): Promise<ScanPlan | { missing: string }> {
  const settings = planSettings(claim.run_id, claim.settings)
  const secrets = await readRunSecrets(deps, claim.scan_id, settings)
  if ('missing' in secrets) return secrets
  const plan = createPlan(settings, {
    allowPrivate: deps.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: 1,
    allowEval: deps.config.CLEARWAY_SCRIPT_EVAL,
    ...secrets,
  })
  const { commonComponents } = plan
  return {
    ...plan,
    urls: [claim.url],
    depth: 0,
    pageLimit: 1,
    scripts: [],
    sources: { followLinks: false, sitemaps: [], sitemapsOfRobots: false, urls: [] },
    commonComponents: commonComponents ? { ...commonComponents, templateUrls: [] } : null,
    // The way on which the page was found is not walked again.
    advanced: { ...plan.advanced, restrictToFolder: false },
  }
}

/** Keeps a re-check while `work` goes on. */
export async function holding<T>(deps: WorkerDeps, claim: RecheckClaim, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    void renewRecheck(deps, claim).catch((error: unknown) => deps.log('warn', String(error)))
  const timer = setInterval(renew, (recheckLeaseSeconds * 1000) / 3)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** What came of opening the page: an outcome, that it was stopped before one, or why it could not be opened. */
export type Rechecked = PageOutcome | { kind: 'stopped' } | { kind: 'problem'; detail: string }

/** Records what came of a re-check. A page that did not complete changes nothing. */
export async function endOfRecheck(deps: WorkerDeps, claim: RecheckClaim, result: Rechecked): Promise<void> {
  if (result.kind === 'stopped') return releaseRecheck(deps, claim)
  if (result.kind !== 'completed') {
    const failure = result.kind === 'failed' ? result.reason : null
    return endUnchanged(deps, claim, { state: 'failed', failure, detail: result.detail.slice(0, 2000) })
  }
  const { issuesPerPage } = getLimits(deps.config)
  const own = {
    db: deps.db,
    objects: deps.objects,
    issuesPerPage,
    storeFindings,
    setAside: moveToRechecked,
    recordRechecked: recordRecheck,
    recountPages,
    recountRuns,
  }
  if (!(await storeRechecked(own, claim, result)))
    return endUnchanged(deps, claim, { state: 'stale', failure: null, detail: null })
  return deps.pubSub.publish({ kind: 'progress', runId: claim.run_id })
}
