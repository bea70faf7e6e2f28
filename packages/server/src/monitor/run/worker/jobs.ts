import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import { scan } from '@clearway/engine/scan.ts'
import { createBrowserFinder, type FindBrowser } from '../browser/jobs.ts'
import { openPreviewWork } from '../preview/jobs.ts'
import type { OpenKeystore } from '../task/service.ts'
import { traceWork } from '../../../kit/trace/span.ts'
import { openRechecks } from '../recheck/jobs.ts'
import {
  startWork,
  enter,
  handleFailure,
  finishAndPublish,
  finishIfCancelled,
  finishWithoutBrowser,
  noteProgress,
  leave,
  listNextRuns,
  retryDelayMs,
  performRound,
  type RunnableRun,
  publishProgress,
  countIntervalMs,
  type Worker,
  type WorkerDeps,
} from './service.ts'

const roundIntervalMs = 10_000
const pollIntervalMs = 2000

type WorkerBrowser =
  { kind: 'ready'; facts: BrowserFacts; pool: BrowserPool } | { kind: 'missing'; detail: string }
type BrowserSource = { get: () => Promise<WorkerBrowser>; close: () => Promise<void> }

/** The worker's own browser pool, opened when a browser is available. */
function createBrowserSource({ config }: WorkerDeps, findBrowser: FindBrowser): BrowserSource {
  let poolPromise: Promise<BrowserPool> | null = null
  return {
    get: async () => {
      const browserSearch = await findBrowser()
      if (browserSearch.kind === 'missing') return browserSearch
      poolPromise ??= openPool(browserSearch.facts, { pages: config.CLEARWAY_WORKER_PAGES })
      return { ...browserSearch, pool: await poolPromise }
    },
    async close() {
      const openedPool = await poolPromise?.catch(() => null)
      await openedPool?.close()
    },
  }
}

/** Works on one run until it ends, is cancelled, or `signal` aborts. */
const workOnRun = (
  worker: Worker,
  browsers: BrowserSource,
  run: RunnableRun,
  signal: AbortSignal,
): Promise<void> =>
  traceWork('run', { parent: run.trace, attributes: { 'clearway.run.id': run.id } }, () =>
    executeRun(worker, browsers, run, signal),
  )

async function executeRun(
  worker: Worker,
  browsers: BrowserSource,
  run: RunnableRun,
  signal: AbortSignal,
): Promise<void> {
  if (run.cancelled) return finishAndPublish(worker, run.id, { kind: 'cancelled' })
  const workerBrowser = await browsers.get()
  if (workerBrowser.kind === 'missing') return finishWithoutBrowser(worker, run.id, workerBrowser.detail)
  const browserLabel = `Chromium ${workerBrowser.facts.version} (${workerBrowser.facts.source})`
  const startedRun = await startWork(worker, run, browserLabel, signal)
  if ('missing' in startedRun)
    return finishAndPublish(worker, run.id, {
      kind: 'problem',
      problem: 'session-failed',
      detail: startedRun.missing,
    })
  const { plan: scanPlan, frontier, close: closeFrontier } = startedRun
  const logEntry = (entry: { level: 'info' | 'warn'; message: string }) =>
    worker.log(entry.level, entry.message)
  const scanEnd = await scan({ pool: workerBrowser.pool, frontier, log: logEntry }, scanPlan, signal).finally(
    closeFrontier,
  )
  if (scanEnd.kind === 'problem' && scanEnd.problem === 'no-browser')
    return finishWithoutBrowser(worker, run.id, scanEnd.detail)
  return scanEnd.kind === 'stopped'
    ? finishIfCancelled(worker, run.id)
    : finishAndPublish(worker, run.id, scanEnd)
}

/** The state of the browser for `/actuator/health`. */
const toBrowserState = (browser: WorkerBrowser) =>
  browser.kind === 'ready'
    ? { browser: browser.facts.version, browser_source: browser.facts.source, problem: null }
    : { browser: null, browser_source: null, problem: browser.detail }

/** A wait that `wake` ends early. */
function createWakeableWait() {
  let wakeWaiting = () => {}
  return {
    wake: () => wakeWaiting(),
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const waitTimer = setTimeout(resolve, ms)
        wakeWaiting = () => {
          clearTimeout(waitTimer)
          resolve()
        }
      }),
  }
}

/** Starts the periodic tasks; returns a stop function. */
function startPeriodicTasks(worker: Worker, browsers: BrowserSource): () => void {
  const ignoringErrors = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => worker.log('warn', String(error)))
  const publishCounts = ignoringErrors(() => publishProgress(worker))
  const goRound = ignoringErrors(async () => performRound(worker, toBrowserState(await browsers.get())))
  const intervalTimers = [setInterval(publishCounts, countIntervalMs), setInterval(goRound, roundIntervalMs)]
  goRound()
  return () => intervalTimers.forEach((timer) => clearInterval(timer))
}

/**
 * Works on runs of the run table, which is the queue. Several processes may do so concurrently, even on one run. Stopping
 * releases claims without counting an attempt.
 */
export async function startWorker(
  deps: WorkerDeps & { openKeystore: OpenKeystore },
): Promise<{ stop: () => Promise<void> }> {
  const registeredWorker = await enter(deps)
  const { working: activeRuns, log } = registeredWorker
  // A single finder, because finding a browser starts it.
  const findBrowser = createBrowserFinder(deps.config)
  const browserSource = createBrowserSource(deps, findBrowser)
  const stopping = new AbortController()
  const { wake: wakeLoop, wait: waitOrWake } = createWakeableWait()
  const recheckWork = openRechecks(deps, browserSource.get, { signal: stopping.signal, onRoom: wakeLoop })
  const previewWork = openPreviewWork({ ...deps, find: findBrowser }, stopping.signal)

  function startRun(run: RunnableRun): void {
    const stopController = new AbortController()
    const runPromise = workOnRun(
      registeredWorker,
      browserSource,
      run,
      AbortSignal.any([stopController.signal, stopping.signal]),
    )
      .catch((error: unknown) => handleFailure(registeredWorker, run, error))
      .catch((error: unknown) => log('error', `run ${run.id}: ${String(error)}`))
      .then(() => {
        activeRuns.delete(run.id)
        wakeLoop()
      })
    activeRuns.set(run.id, {
      stopController,
      hasUncountedChanges: false,
      nextCountAt: -Infinity,
      pageLimit: null,
      done: runPromise,
    })
  }
  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await recheckWork.take()
        void previewWork.take()
        const claimableRuns = await listNextRuns(registeredWorker)
        for (const run of claimableRuns) startRun(run)
        if (claimableRuns.length === 0) await waitOrWake(pollIntervalMs)
      } catch (error) {
        // The database may be unavailable for a while; the loop continues.
        log('warn', String(error))
        await sleep(retryDelayMs)
      }
    }
  }
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'progress') noteProgress(registeredWorker, event.runId, event.countMs)
    if (event.kind === 'cancelled') activeRuns.get(event.runId)?.stopController.abort()
    if (event.kind === 'queued' || event.kind === 'missed') wakeLoop()
  })
  const stopPeriodicTasks = startPeriodicTasks(registeredWorker, browserSource)
  const loopPromise = runLoop()
  return {
    stop: async () => {
      stopping.abort()
      unsubscribe()
      wakeLoop()
      stopPeriodicTasks()
      await Promise.all([
        loopPromise,
        recheckWork.idle(),
        previewWork.close(),
        ...[...activeRuns.values()].map(({ done }) => done),
      ])
      await browserSource.close()
      await leave(registeredWorker)
    },
  }
}
