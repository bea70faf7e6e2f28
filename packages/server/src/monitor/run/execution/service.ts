import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { getMaxOpenPages } from '@clearway/contract/monitor/scan/model.ts'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import type { BrowserPool } from '@clearway/engine/browser/pool.ts'
import type { Frontier } from '@clearway/engine/frontier.ts'
import type { scan } from '@clearway/engine/scan.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import type { Config } from '../../../config.ts'
import { classifyDatabaseError } from '../../../kit/database.ts'
import { findFullDisk } from '../../../kit/disk.ts'
import type { LogFunction } from '../../../kit/log.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { ProcessIdentity } from '../../../kit/running-process.ts'
import type { Seal } from '../../../kit/seal.ts'
import { StoredDataError } from '../../../kit/stored.ts'
import { traceWork } from '../../../kit/trace/span.ts'
import { getLimits, getReportTarget } from '../../config/service.ts'
import type { MonitorDb } from '../../database.ts'
import { addSignOutUrl, readSignOutUrls } from '../../scan/store.ts'
import type { Objects } from '../../page/object/model.ts'
import type { RunEnd } from '../finish/store.ts'
import { finishRun, openFrontier } from '../frontier/service.ts'
import { countRunEnd } from '../measure/service.ts'
import type { RecordDeps } from '../outcome/store.ts'
import { createPlan, readRunSecrets } from '../plan/service.ts'
import type { ActiveRun } from '../progress/service.ts'
import { markRunning, recordWait, type RunnableRun } from '../queue/store.ts'
import { sendReportOfEndedRun } from '../report/service.ts'
import { openSessionExchange } from '../session/service.ts'
import { findRunById, parsePlanSettings } from '../store.ts'
import { hasOtherBrowser } from '../worker/store.ts'

export type WorkerDeps = {
  db: MonitorDb
  config: Config
  pubSub: PubSub
  seal: Seal
  objects: Objects
  log: LogFunction
}
export type Worker = WorkerDeps & {
  id: string
  self: ProcessIdentity
  working: Map<string, ActiveRun>
  failures: Map<string, number>
  /** Runs that wait for something to end by itself or by an operator. Progress ends the wait. */
  waits: Map<string, RunWait>
}
/** The browser of a worker; it opens when one is available. */
export type WorkerBrowser = { kind: 'ready'; facts: BrowserFacts; pool: BrowserPool } | { kind: 'missing'; detail: string }
export type BrowserSource = {
  get: () => Promise<WorkerBrowser>
  /** Searches again for a browser, in the background: the one that was found does not start. */
  recheck: () => void
  close: () => Promise<void>
}
/** The engine as far as runs need it. */
export type RunEngine = { scan: typeof scan; browsers: BrowserSource }

/** Delay before the next attempt when the database is unavailable. */
export const retryDelayMs = 2000
/** Time for which a worker without a browser leaves a run to others. */
const browserRetryDelayMs = 10_000
const maxWaitDelayMs = 60_000
/** Time for which a run waits for an operator: to install a browser, or to make room. */
const maxOperatorWaitMs = 24 * 3600_000
/** Consecutive failures of our own code after which a run is given up; temporary database problems do not count. */
const maxFailures = 3

export const createRecordDeps = (
  worker: Worker,
  run: Pick<RunnableRun, 'id' | 'scan_id' | 'number'>,
  pageLimit: number,
): RecordDeps => ({
  db: worker.db,
  runId: run.id,
  worker: worker.id,
  pageLimit,
  scanId: run.scan_id,
  runNumber: run.number,
  issuesPerPage: getLimits(worker.config).issuesPerPage,
  objects: worker.objects,
})

/** The shared frontier limits the rate of each host across all processes. */
const createFrontierDeps = (worker: Worker, run: RunnableRun, { pageLimit, advanced }: ScanPlan) => ({
  ...createRecordDeps(worker, run, pageLimit),
  order: advanced.representativeOrder ? ('representative' as const) : ('breadth' as const),
  pagesAtOnce: advanced.pagesAtOnce,
  gapMs: advanced.pagesPerMinute === null ? 0 : 60_000 / advanced.pagesPerMinute,
  pagesAlone: getMaxOpenPages(advanced.pagesAtOnce),
  ...(advanced.reuseUnchanged ? { reuseDays: advanced.reuseDays } : {}),
})

/** Starts work on a run: its plan and its frontier, to `close` when done. Or a sentence about missing secrets. */
async function startWork(
  worker: Worker,
  run: RunnableRun,
  browser: string,
  signal: AbortSignal,
): Promise<{ plan: ScanPlan; frontier: Frontier; close: () => void } | { missing: string }> {
  const runSettings = parsePlanSettings(run.id, run.settings)
  const runSecrets = await readRunSecrets(worker, run.scan_id, runSettings)
  if ('missing' in runSecrets) return runSecrets
  const runPlan = createPlan(runSettings, {
    allowPrivate: worker.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: worker.config.CLEARWAY_WORKER_PAGES,
    allowEval: worker.config.CLEARWAY_SCRIPT_EVAL,
    signOutUrls: await readSignOutUrls(worker, run.scan_id),
    ...runSecrets,
  })
  const activeRun = worker.working.get(run.id)
  if (activeRun) activeRun.pageLimit = runPlan.pageLimit
  await markRunning(worker, run.id, browser)
  worker.log('info', 'run started', { run: run.id, scan: run.scan_id, number: run.number, worker: worker.id })
  await worker.pubSub.publish({ kind: 'progress', runId: run.id })
  const onRecorded = () => {
    if (activeRun) activeRun.hasUncountedChanges = true
  }
  const reportWaiting = (message: string) => worker.log('warn', `run ${run.id}: ${message}`)
  const opened = openFrontier(createFrontierDeps(worker, run, runPlan), worker.pubSub, {
    onRecorded,
    signal,
    report: reportWaiting,
  })
  const recordAndEndWait: Frontier['record'] = (...page) =>
    opened.frontier.record(...page).finally(() => worker.waits.delete(run.id))
  return { plan: runPlan, frontier: { ...opened.frontier, record: recordAndEndWait }, close: opened.close }
}

type RunWait = { since: number; attempts: number }

type WaitEnd = Extract<RunEnd, { kind: 'problem' }>

/**
 * Lets a run wait for an operator, with a growing delay, and tells its users why; ends it when it has waited for too long.
 * @param signal ends the wait early, as for a cancelled run
 */
async function waitOrFinish(worker: Worker, runId: string, end: WaitEnd, signal: AbortSignal): Promise<void> {
  const { since, attempts } = worker.waits.get(runId) ?? { since: performance.now(), attempts: 0 }
  if (performance.now() - since >= maxOperatorWaitMs) {
    worker.waits.delete(runId)
    return finishAndPublish(worker, runId, end)
  }
  if (attempts === 0) worker.log('warn', `The run ${runId} waits (${end.problem}): ${end.detail}`)
  worker.waits.set(runId, { since, attempts: attempts + 1 })
  await showWait(worker, runId, end)
  const delayMs = Math.min(maxWaitDelayMs, retryDelayMs * 2 ** attempts)
  await sleep(delayMs, undefined, { signal }).catch(() => undefined)
}

/** Shows users why a run waits. A database whose disk is full cannot store it. */
async function showWait(worker: Worker, runId: string, { problem, detail }: WaitEnd): Promise<void> {
  const isChanged = await recordWait(worker, runId, { problem, detail }).catch(() => false)
  if (isChanged) await worker.pubSub.publish({ kind: 'progress', runId })
}

/** Lets a run wait for a browser, unless other workers have one; then this worker checks again later. */
async function waitWithoutBrowser(worker: Worker, runId: string, detail: string, signal: AbortSignal): Promise<void> {
  if (await hasOtherBrowser(worker, worker.id)) return sleep(browserRetryDelayMs, undefined, { signal }).catch(() => undefined)
  return waitOrFinish(worker, runId, { kind: 'problem', problem: 'no-browser', detail }, signal)
}

/** A browser that is there does not start or opens no pages: a full disk or a busy machine, which may end, so the run waits. */
async function waitForBrowser(worker: Worker, runId: string, detail: string, signal: AbortSignal): Promise<void> {
  const fullDisk = await findFullDisk([tmpdir(), worker.config.CLEARWAY_DATA])
  if (fullDisk === null) return waitOrFinish(worker, runId, { kind: 'problem', problem: 'no-browser', detail }, signal)
  return waitForDisk(worker, runId, `The disk of ${fullDisk} is full: ${detail}`, signal)
}

const waitForDisk = (worker: Worker, runId: string, detail: string, signal: AbortSignal): Promise<void> =>
  waitOrFinish(worker, runId, { kind: 'problem', problem: 'disk-full', detail }, signal)

async function logRunEnd(worker: Worker, runId: string, end: RunEnd): Promise<void> {
  const endedRun = await findRunById(worker, runId)
  const seconds = endedRun?.started_at ? Math.round((Date.now() - endedRun.started_at.getTime()) / 1000) : null
  const problem = end.kind === 'problem' ? { problem: end.problem } : {}
  const figures = endedRun && {
    status: endedRun.status,
    completed: endedRun.completed,
    failed: endedRun.failed,
    excluded: endedRun.excluded,
    issues: endedRun.total_issues,
  }
  worker.log(end.kind === 'problem' ? 'warn' : 'info', 'run ended', {
    run: runId,
    end: end.kind,
    ...problem,
    ...figures,
    seconds,
  })
}

/** Ends a run, unless it has already ended, and publishes the event. */
async function finishAndPublish(worker: Worker, runId: string, end: RunEnd): Promise<void> {
  if (!(await finishRun(worker, runId, end))) return
  countRunEnd(end)
  await logRunEnd(worker, runId, end)
  await worker.pubSub.publish({ kind: 'ended', runId })
  // Not awaited: the reporting product must not delay the worker.
  sendReportOfEndedRun({ ...worker, report: getReportTarget(worker.config) }, runId).catch((error: unknown) =>
    worker.log('warn', `report of run ${runId}: ${String(error)}`),
  )
}

async function finishIfCancelled(worker: Worker, runId: string): Promise<void> {
  if ((await findRunById(worker, runId))?.cancelled) await finishAndPublish(worker, runId, { kind: 'cancelled' })
}

/** Handles an error of our own: the run is retried, unless it keeps failing. */
export async function handleFailure(worker: Worker, run: RunnableRun, error: unknown, signal: AbortSignal): Promise<void> {
  worker.log('error', `run ${run.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  const knownProblem = classifyDatabaseError(error)
  if (knownProblem === 'disk-full') return waitForDisk(worker, run.id, 'The disk of the database is full.', signal)
  if (knownProblem) return sleep(retryDelayMs)
  // A retry would fail as well.
  if (error instanceof StoredDataError)
    return finishAndPublish(worker, run.id, { kind: 'problem', problem: 'internal-error', detail: error.message })
  const failureCount = (worker.failures.get(run.id) ?? 0) + 1
  worker.failures.set(run.id, failureCount)
  if (failureCount < maxFailures) return sleep(retryDelayMs)
  worker.failures.delete(run.id)
  const failureDetail = 'The scan failed; see the log of the server.'
  return finishAndPublish(worker, run.id, { kind: 'problem', problem: 'internal-error', detail: failureDetail })
}

/** Works on one run until it ends, is cancelled, or `signal` aborts. */
export const workOnRun = (worker: Worker, engine: RunEngine, run: RunnableRun, signal: AbortSignal): Promise<void> =>
  traceWork('run', { parent: run.trace, attributes: { 'clearway.run.id': run.id } }, () =>
    executeRun(worker, engine, run, signal),
  )

async function executeRun(worker: Worker, engine: RunEngine, run: RunnableRun, signal: AbortSignal): Promise<void> {
  if (run.cancelled) return finishAndPublish(worker, run.id, { kind: 'cancelled' })
  const workerBrowser = await engine.browsers.get()
  if (workerBrowser.kind === 'missing') return waitWithoutBrowser(worker, run.id, workerBrowser.detail, signal)
  const browserLabel = `Chromium ${workerBrowser.facts.version} (${workerBrowser.facts.source})`
  const startedRun = await startWork(worker, run, browserLabel, signal)
  if ('missing' in startedRun)
    return finishAndPublish(worker, run.id, { kind: 'problem', problem: 'session-failed', detail: startedRun.missing })
  const { plan: scanPlan, frontier, close: closeFrontier } = startedRun
  const logEntry = (entry: { level: 'info' | 'warn'; message: string }) => worker.log(entry.level, entry.message)
  const keepSignOut = (pattern: string) => addSignOutUrl(worker, run.scan_id, pattern)
  const scanEnd = await engine
    .scan(
      {
        pool: workerBrowser.pool,
        frontier,
        log: logEntry,
        onSignOutLearned: keepSignOut,
        sessionExchange: openSessionExchange(worker, run.id, signal),
      },
      scanPlan,
      signal,
    )
    .finally(closeFrontier)
  if (scanEnd.kind === 'problem' && scanEnd.problem === 'no-browser') {
    engine.browsers.recheck()
    return waitForBrowser(worker, run.id, scanEnd.detail, signal)
  }
  worker.waits.delete(run.id)
  const isStopped = scanEnd.kind === 'stopped' || (scanEnd.kind === 'problem' && signal.aborted)
  return isStopped ? finishIfCancelled(worker, run.id) : finishAndPublish(worker, run.id, scanEnd)
}
