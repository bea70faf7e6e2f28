import { setTimeout as sleep } from 'node:timers/promises'
import { mostOpen } from '@clearway/contract/monitor/scan/model.ts'
import type { Frontier } from '@clearway/engine/frontier.ts'
import type { ScanPlan } from '@clearway/engine/settings.ts'
import type { Config } from '../../../config.ts'
import { databaseProblem } from '../../../kit/database.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import type { Seal } from '../../../kit/seal.ts'
import { type ProcessIdentity, thisProcess } from '../../../kit/running-process.ts'
import { getLimits, getReportTarget } from '../../config/service.ts'
import type { MonitorDb } from '../../database.ts'
import { openFrontier, finishRun, recordPage } from '../frontier/service.ts'
import { createPlan, readRunSecrets } from '../plan/service.ts'
import { reportEnded } from '../report/service.ts'
import { planSettings, runById } from '../store.ts'
import { markRunning, type RunnableRun, listRunnableRuns } from '../queue/store.ts'
import { purgeSome } from '../retention/store.ts'
import { releaseDeadLeases } from '../frontier/store.ts'
import { beat, othersHaveBrowser, signOff, signOn } from './store.ts'
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
/** A run that this process is on. */
export type Working = {
  stop: AbortController
  /** Something happened of which this process does not know that it was counted. */
  dirty: boolean
  /** When it may be counted again, by the clock of `performance`. */
  countFrom: number
  /** The most pages that it visits; null until its plan is read. */
  pageLimit: number | null
  done: Promise<void>
}
/** One process's part in the work: who it is, and which runs it is on. */
export type Worker = WorkerDeps & {
  id: string
  self: ProcessIdentity
  working: Map<string, Working>
  failures: Map<string, number>
}
export type { RunnableRun } from '../queue/store.ts'
export type { RunEnd } from '../finish/store.ts'

/** How long to wait for a database that is away. */
export const retryMs = 2000
/** How long a worker without a browser leaves a run to the others. */
const browserRetryMs = 10_000
/** A run on which our own code fails so often, with nothing done in between, is given up; what the database cannot for a while does not count. */
const failuresAllowed = 3

const recordDeps = (
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

/** Enters this process among the workers, and takes back what dead ones of this machine held. */
export async function enter(deps: WorkerDeps): Promise<Worker> {
  const self = thisProcess()
  const { id, dead } = await signOn(deps, self)
  const worker: Worker = { ...deps, id, self, working: new Map(), failures: new Map() }
  await sweep(worker, dead)
  return worker
}

export const leave = (worker: Worker): Promise<void> => signOff(worker, worker.id)

/** Runs that this process could take on, the most urgent first. */
export async function nextRuns(worker: Worker): Promise<RunnableRun[]> {
  const free = worker.config.CLEARWAY_WORKER_RUNS - worker.working.size
  return free > 0 ? listRunnableRuns(worker, free, [...worker.working.keys()]) : []
}

/** The shared frontier keeps the pace of each host for all processes together. */
const frontierDeps = (worker: Worker, run: RunnableRun, { pageLimit, advanced }: ScanPlan) => ({
  ...recordDeps(worker, run, pageLimit),
  pagesAtOnce: advanced.pagesAtOnce,
  gapMs: advanced.pagesPerMinute === null ? 0 : 60_000 / advanced.pagesPerMinute,
  ...(advanced.reuseUnchanged
    ? { reuseDays: advanced.reuseDays, pagesAlone: mostOpen(advanced.pagesAtOnce) }
    : {}),
})

/** Begins work on a run: its plan, and its frontier. `close` when done. Or what it lacks, in a sentence. */
export async function begin(
  worker: Worker,
  run: RunnableRun,
  browser: string,
  signal: AbortSignal,
): Promise<{ plan: ScanPlan; frontier: Frontier; close: () => void } | { missing: string }> {
  const settings = planSettings(run.id, run.settings)
  const secrets = await readRunSecrets(worker, run.scan_id, settings)
  if ('missing' in secrets) return secrets
  const plan = createPlan(settings, {
    allowPrivate: worker.config.CLEARWAY_ALLOW_PRIVATE,
    concurrency: worker.config.CLEARWAY_WORKER_PAGES,
    allowEval: worker.config.CLEARWAY_SCRIPT_EVAL,
    ...secrets,
  })
  const working = worker.working.get(run.id)
  if (working) working.pageLimit = plan.pageLimit
  await markRunning(worker, run.id, browser)
  await worker.pubSub.publish({ kind: 'progress', runId: run.id })
  const touched = () => {
    if (working) working.dirty = true
  }
  const report = (message: string) => worker.log('warn', `run ${run.id}: ${message}`)
  return {
    plan,
    ...openFrontier(frontierDeps(worker, run, plan), worker.pubSub, { onRecorded: touched, signal, report }),
  }
}

/** Ends a run for want of a browser; where other workers have one, it is theirs, and this one looks again later. */
export async function finishWithoutBrowser(worker: Worker, runId: string, detail: string): Promise<void> {
  if (await othersHaveBrowser(worker, worker.id)) return sleep(browserRetryMs)
  await finish(worker, runId, { kind: 'problem', problem: 'no-browser', detail })
}

/** Ends a run, unless somebody has, and publishes that. */
export async function finish(worker: Worker, runId: string, end: RunEnd): Promise<void> {
  if (!(await finishRun(worker, runId, end))) return
  countRunEnd(end)
  await worker.pubSub.publish({ kind: 'ended', runId })
  // Nobody waits for another product.
  reportEnded({ ...worker, report: getReportTarget(worker.config) }, runId).catch((error: unknown) =>
    worker.log('warn', `report of run ${runId}: ${String(error)}`),
  )
}

/** Ends a run on which work stopped because somebody cancelled it. */
export async function finishIfCancelled(worker: Worker, runId: string): Promise<void> {
  if ((await runById(worker, runId))?.cancelled) await finish(worker, runId, { kind: 'cancelled' })
}

/** A failure of ours: the run stays and is tried again, unless it keeps failing. */
export async function failed(worker: Worker, run: RunnableRun, error: unknown): Promise<void> {
  worker.log(
    'error',
    `run ${run.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  const known = databaseProblem(error)
  if (known === 'disk-full')
    return finish(worker, run.id, {
      kind: 'problem',
      problem: 'disk-full',
      detail: 'The disk of the database is full.',
    })
  if (known) return sleep(retryMs)
  // It would be no better next time.
  if (error instanceof StoredDataError)
    return finish(worker, run.id, { kind: 'problem', problem: 'internal-error', detail: error.message })
  const count = (worker.failures.get(run.id) ?? 0) + 1
  worker.failures.set(run.id, count)
  if (count < failuresAllowed) return sleep(retryMs)
  worker.failures.delete(run.id)
  const detail = 'The scan failed; see the log of the server.'
  return finish(worker, run.id, { kind: 'problem', problem: 'internal-error', detail })
}

/** Takes back what lost workers held; a page that takes every worker down is recorded as failed. */
async function sweep(worker: Worker, dead: readonly string[]): Promise<void> {
  for (const { runId, claim } of await releaseDeadLeases(worker, dead)) {
    const run = await runById(worker, runId)
    if (!run) continue
    const detail = 'The worker ended each time while it analysed this page'
    const outcome = { kind: 'failed', reason: 'task-not-processed', detail, durationMs: 0 } as const
    await recordPage(recordDeps(worker, run, Infinity), claim, outcome, [])
  }
}

/** How often the counts of a run are brought up to date, by however many workers. */
export const tallyMs = 1000
/** Somewhat less than that, so that the next round of the one that counted is not taken for too early. */
const restMs = 0.8 * tallyMs
/** After a count, none follows for this many times as long as it took: counting millions of URLs each second would leave no time for pages. */
const restFactor = 20
/** The longest rest: a count that waited for somebody else is slow once. */
const longestRestMs = 60_000

/**
 * Brings the counts of runs on which something happened up to date, and publishes them. A count goes through all URLs of the run,
 * and is the same whoever makes it: of the workers on a run only one makes it, and the others subscribe to it.
 */
export async function publishProgress(
  worker: Pick<Worker, 'db' | 'pubSub' | 'working' | 'failures'>,
): Promise<void> {
  for (const [runId, run] of worker.working) {
    if (!run.dirty) continue
    worker.failures.delete(runId)
    const began = performance.now()
    if (began < run.countFrom) continue
    run.dirty = false
    const isCounted = await tryRefreshRunCounts(worker.db, runId, run.pageLimit).catch((error: unknown) => {
      run.dirty = true
      noteProgress(worker, runId, performance.now() - began)
      throw error
    })
    if (isCounted) {
      const countMs = Math.round(performance.now() - began)
      // What is published may be lost.
      noteProgress(worker, runId, countMs)
      await worker.pubSub.publish({ kind: 'progress', runId, countMs })
    }
    // Whoever is about it may have begun before what happened here.
    else run.dirty = true
  }
}

/** Somebody has counted a run, in so many ms, or begun to work on it: either way a count can wait. */
export function noteProgress(worker: Pick<Worker, 'working'>, runId: string, countMs = 0): void {
  const run = worker.working.get(runId)
  if (!run) return
  const rest = Math.min(longestRestMs, Math.max(restMs, restFactor * countMs))
  // Who begins to work on a run does not end the rest after a long count.
  run.countFrom = Math.max(run.countFrom, performance.now() + rest)
}

type BrowserState = { browser: string | null; browser_source: string | null; problem: string | null }

/** The regular round: says that this worker lives, takes back lost leases, clears away a piece of what was deleted. */
export async function round(worker: Worker, browser: BrowserState): Promise<void> {
  await beat(worker, { id: worker.id, ...worker.self, ...browser })
  await sweep(worker, [])
  await purgeSome(worker)
}
