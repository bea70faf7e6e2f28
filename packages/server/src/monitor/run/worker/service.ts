import { setTimeout as sleep } from 'node:timers/promises'
import { getMaxOpenPages } from '@clearway/contract/monitor/scan/model.ts'
import type { Frontier } from '@clearway/engine/frontier.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import type { Config } from '../../../config.ts'
import { classifyDatabaseError } from '../../../kit/database.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { Seal } from '../../../kit/seal.ts'
import { type ProcessIdentity, getProcessIdentity } from '../../../kit/running-process.ts'
import { getLimits, getReportTarget } from '../../config/service.ts'
import type { MonitorDb } from '../../database.ts'
import { openFrontier, finishRun, recordPage } from '../frontier/service.ts'
import { createPlan, readRunSecrets } from '../plan/service.ts'
import { sendReportOfEndedRun } from '../report/service.ts'
import { parsePlanSettings, findRunById } from '../store.ts'
import { markRunning, type RunnableRun, listRunnableRuns } from '../queue/store.ts'
import { purgeDeletedScan } from '../retention/store.ts'
import { releaseDeadLeases } from '../frontier/store.ts'
import { recordHeartbeat, hasOtherBrowser, unregisterWorker, registerWorker } from './store.ts'
import { countRunEnd } from '../measure/service.ts'
import { tryRefreshRunCounts, type RunEnd } from '../finish/store.ts'
import type { RecordDeps } from '../outcome/store.ts'
import type { Objects } from '../../page/object/model.ts'
import { StoredDataError } from '../../../kit/stored.ts'

export type WorkerDeps = {
  db: MonitorDb
  config: Config
  pubSub: PubSub
  seal: Seal
  objects: Objects
  log: (level: 'info' | 'warn' | 'error', message: string) => void
}
/** An active run of this process. */
export type ActiveRun = {
  stopController: AbortController
  /** True for changes that, as far as this process knows, are not yet counted. */
  hasUncountedChanges: boolean
  /** Earliest time of the next count, by the clock of `performance`. */
  nextCountAt: number
  /** Maximum number of pages; null until the plan is read. */
  pageLimit: number | null
  done: Promise<void>
}
/** This process as a worker: its identity and its active runs. */
export type Worker = WorkerDeps & {
  id: string
  self: ProcessIdentity
  working: Map<string, ActiveRun>
  failures: Map<string, number>
}
export type { RunnableRun } from '../queue/store.ts'
export type { RunEnd } from '../finish/store.ts'

/** Delay before the next attempt when the database is unavailable. */
export const retryDelayMs = 2000
/** Time for which a worker without a browser leaves a run to others. */
const browserRetryDelayMs = 10_000
/** Consecutive failures of our own code after which a run is given up; temporary database problems do not count. */
const maxFailures = 3

const createRecordDeps = (
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

/** Registers this process as a worker, and releases leases of dead workers of this machine. */
export async function enter(deps: WorkerDeps): Promise<Worker> {
  const processIdentity = getProcessIdentity()
  const { id: workerId, dead: deadWorkerIds } = await registerWorker(deps, processIdentity)
  const registeredWorker: Worker = {
    ...deps,
    id: workerId,
    self: processIdentity,
    working: new Map(),
    failures: new Map(),
  }
  await releaseLeases(registeredWorker, deadWorkerIds)
  return registeredWorker
}

export const leave = (worker: Worker): Promise<void> => unregisterWorker(worker, worker.id)

/** Runs that this process can work on, most urgent first. */
export async function listNextRuns(worker: Worker): Promise<RunnableRun[]> {
  const freeCapacity = worker.config.CLEARWAY_WORKER_RUNS - worker.working.size
  return freeCapacity > 0 ? listRunnableRuns(worker, freeCapacity, [...worker.working.keys()]) : []
}

/** The shared frontier limits the rate of each host across all processes. */
const createFrontierDeps = (worker: Worker, run: RunnableRun, { pageLimit, advanced }: ScanPlan) => ({
  ...createRecordDeps(worker, run, pageLimit),
  pagesAtOnce: advanced.pagesAtOnce,
  gapMs: advanced.pagesPerMinute === null ? 0 : 60_000 / advanced.pagesPerMinute,
  ...(advanced.reuseUnchanged
    ? { reuseDays: advanced.reuseDays, pagesAlone: getMaxOpenPages(advanced.pagesAtOnce) }
    : {}),
})

/** Starts work on a run: its plan and its frontier, to `close` when done. Or a sentence about missing secrets. */
export async function startWork(
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
    ...runSecrets,
  })
  const activeRun = worker.working.get(run.id)
  if (activeRun) activeRun.pageLimit = runPlan.pageLimit
  await markRunning(worker, run.id, browser)
  await worker.pubSub.publish({ kind: 'progress', runId: run.id })
  const onRecorded = () => {
    if (activeRun) activeRun.hasUncountedChanges = true
  }
  const reportWaiting = (message: string) => worker.log('warn', `run ${run.id}: ${message}`)
  return {
    plan: runPlan,
    ...openFrontier(createFrontierDeps(worker, run, runPlan), worker.pubSub, {
      onRecorded,
      signal,
      report: reportWaiting,
    }),
  }
}

/** Ends a run for lack of a browser, unless other workers have one; then this worker checks again later. */
export async function finishWithoutBrowser(worker: Worker, runId: string, detail: string): Promise<void> {
  if (await hasOtherBrowser(worker, worker.id)) return sleep(browserRetryDelayMs)
  await finishAndPublish(worker, runId, { kind: 'problem', problem: 'no-browser', detail })
}

/** Ends a run, unless it has already ended, and publishes the event. */
export async function finishAndPublish(worker: Worker, runId: string, end: RunEnd): Promise<void> {
  if (!(await finishRun(worker, runId, end))) return
  countRunEnd(end)
  await worker.pubSub.publish({ kind: 'ended', runId })
  // Not awaited: the reporting product must not delay the worker.
  sendReportOfEndedRun({ ...worker, report: getReportTarget(worker.config) }, runId).catch((error: unknown) =>
    worker.log('warn', `report of run ${runId}: ${String(error)}`),
  )
}

/** Ends a run whose work stopped because a user cancelled it. */
export async function finishIfCancelled(worker: Worker, runId: string): Promise<void> {
  if ((await findRunById(worker, runId))?.cancelled)
    await finishAndPublish(worker, runId, { kind: 'cancelled' })
}

/** Handles an error of our own: the run is retried, unless it keeps failing. */
export async function handleFailure(worker: Worker, run: RunnableRun, error: unknown): Promise<void> {
  worker.log(
    'error',
    `run ${run.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  const knownProblem = classifyDatabaseError(error)
  if (knownProblem === 'disk-full')
    return finishAndPublish(worker, run.id, {
      kind: 'problem',
      problem: 'disk-full',
      detail: 'The disk of the database is full.',
    })
  if (knownProblem) return sleep(retryDelayMs)
  // A retry would fail as well.
  if (error instanceof StoredDataError)
    return finishAndPublish(worker, run.id, {
      kind: 'problem',
      problem: 'internal-error',
      detail: error.message,
    })
  const failureCount = (worker.failures.get(run.id) ?? 0) + 1
  worker.failures.set(run.id, failureCount)
  if (failureCount < maxFailures) return sleep(retryDelayMs)
  worker.failures.delete(run.id)
  const failureDetail = 'The scan failed; see the log of the server.'
  return finishAndPublish(worker, run.id, {
    kind: 'problem',
    problem: 'internal-error',
    detail: failureDetail,
  })
}

/** Releases leases of dead workers; records pages that lost too many workers as failed. */
async function releaseLeases(worker: Worker, deadWorkerIds: readonly string[]): Promise<void> {
  for (const { runId, claim } of await releaseDeadLeases(worker, deadWorkerIds)) {
    const affectedRun = await findRunById(worker, runId)
    if (!affectedRun) continue
    const failureDetail = 'The worker ended each time while it analyzed this page'
    const failedOutcome = {
      kind: 'failed',
      reason: 'task-not-processed',
      detail: failureDetail,
      durationMs: 0,
    } as const
    await recordPage(createRecordDeps(worker, affectedRun, Infinity), claim, failedOutcome, [])
  }
}

/** Interval between counts of a run, for any number of workers. */
export const countIntervalMs = 1000
/** Slightly less than the interval, so that the next round of the counting worker is not too early. */
const minCountPauseMs = 0.8 * countIntervalMs
/** Minimum pause as a multiple of the duration of the last count: counting millions of URLs each second would leave no time for pages. */
const pauseFactor = 20
/** Maximum pause: a count that waited for a lock is slow only once. */
const maxCountPauseMs = 60_000

/**
 * Updates and publishes the counts of runs with changes. A count reads all URLs of the run, and its result does not depend on the
 * worker. So only one worker counts a run, and the others subscribe to its event.
 */
export async function publishProgress(
  worker: Pick<Worker, 'db' | 'pubSub' | 'working' | 'failures'>,
): Promise<void> {
  for (const [runId, activeRun] of worker.working) {
    if (!activeRun.hasUncountedChanges) continue
    worker.failures.delete(runId)
    const startedAt = performance.now()
    if (startedAt < activeRun.nextCountAt) continue
    activeRun.hasUncountedChanges = false
    const isCounted = await tryRefreshRunCounts(worker.db, runId, activeRun.pageLimit).catch(
      (error: unknown) => {
        activeRun.hasUncountedChanges = true
        noteProgress(worker, runId, performance.now() - startedAt)
        throw error
      },
    )
    if (isCounted) {
      const countMs = Math.round(performance.now() - startedAt)
      // Published events may be lost, so this process updates itself directly.
      noteProgress(worker, runId, countMs)
      await worker.pubSub.publish({ kind: 'progress', runId, countMs })
    }
    // The other worker may have started its count before the changes of this process.
    else activeRun.hasUncountedChanges = true
  }
}

/** Postpones the next count of a run after a count of `countMs`, or when another worker joins. */
export function noteProgress(worker: Pick<Worker, 'working'>, runId: string, countMs = 0): void {
  const activeRun = worker.working.get(runId)
  if (!activeRun) return
  const pauseMs = Math.min(maxCountPauseMs, Math.max(minCountPauseMs, pauseFactor * countMs))
  // A worker that joins does not shorten the pause after a long count.
  activeRun.nextCountAt = Math.max(activeRun.nextCountAt, performance.now() + pauseMs)
}

type BrowserState = { browser: string | null; browser_source: string | null; problem: string | null }

/** The periodic round: sends a heartbeat, releases dead leases, and purges some deleted data. */
export async function performRound(worker: Worker, browser: BrowserState): Promise<void> {
  await recordHeartbeat(worker, { id: worker.id, ...worker.self, ...browser })
  await releaseLeases(worker, [])
  await purgeDeletedScan(worker)
}
