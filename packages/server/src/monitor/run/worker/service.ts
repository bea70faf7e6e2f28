import { setTimeout as sleep } from 'node:timers/promises'
import { getProcessIdentity } from '../../../kit/running-process.ts'
import {
  type BrowserSource,
  createRecordDeps,
  handleFailure,
  retryDelayMs,
  type RunEngine,
  type Worker,
  type WorkerBrowser,
  type WorkerDeps,
  workOnRun,
} from '../execution/service.ts'
import { recordPage } from '../outcome/service.ts'
import { releaseDeadLeases } from '../frontier/store.ts'
import { countIntervalMs, noteProgress, publishProgress } from '../progress/service.ts'
import { listRunnableRuns, type RunnableRun } from '../queue/store.ts'
import { purgeDeletedScan } from '../retention/store.ts'
import { findRunById } from '../store.ts'
import { createIdleWatch } from './model.ts'
import { recordHeartbeat, registerWorker, unregisterWorker } from './store.ts'

const roundIntervalMs = 10_000
/** Interval of polls while this worker has runs. */
const pollIntervalMs = 2000
/** Without runs: new work arrives with a signal, and a poll costs as much as all else that an idle worker does. */
const idlePollIntervalMs = 10_000

/** The engine, which only process/worker.ts loads and passes on. */
export type WorkerEngine = RunEngine & {
  openRechecks: (
    deps: WorkerDeps,
    getBrowser: BrowserSource['get'],
    options: { signal: AbortSignal; onRoom: () => void },
  ) => { take: () => Promise<void>; isBusy: () => boolean; idle: () => Promise<void> }
  openPreviewWork: (
    deps: WorkerDeps,
    signal: AbortSignal,
  ) => { take: () => Promise<void>; isBusy: () => boolean; close: () => Promise<void> }
}

/** Registers this process as a worker, and releases leases of dead workers of this machine. */
export async function enter(deps: WorkerDeps): Promise<Worker> {
  const processIdentity = getProcessIdentity()
  const { id: workerId, dead: deadWorkerIds } = await registerWorker(deps, processIdentity)
  deps.log('info', 'worker joined', { worker: workerId })
  if (deadWorkerIds.length > 0) deps.log('warn', 'workers of this machine were lost', { workers: deadWorkerIds })
  const registeredWorker: Worker = {
    ...deps,
    id: workerId,
    self: processIdentity,
    working: new Map(),
    failures: new Map(),
    waits: new Map(),
  }
  await releaseLeases(registeredWorker, deadWorkerIds)
  return registeredWorker
}

export async function leave(worker: Worker): Promise<void> {
  await unregisterWorker(worker, worker.id)
  worker.log('info', 'worker left', { worker: worker.id })
}

/** Runs that this process can work on, most urgent first. */
async function listNextRuns(worker: Worker): Promise<RunnableRun[]> {
  const freeCapacity = worker.config.CLEARWAY_WORKER_RUNS - worker.working.size
  return freeCapacity > 0 ? listRunnableRuns(worker, freeCapacity, [...worker.working.keys()]) : []
}

/** Releases leases of dead workers; records pages that lost too many workers as failed. */
async function releaseLeases(worker: Worker, deadWorkerIds: readonly string[]): Promise<void> {
  const { workers: lostWorkerIds, pages, abandoned } = await releaseDeadLeases(worker, deadWorkerIds)
  if (pages > 0) worker.log('warn', 'pages of lost workers were released', { workers: lostWorkerIds, pages })
  for (const { runId, claim } of abandoned) {
    const affectedRun = await findRunById(worker, runId)
    if (!affectedRun) continue
    const failureDetail = 'The worker ended each time while it analyzed this page'
    const failedOutcome = { kind: 'failed', reason: 'task-not-processed', detail: failureDetail, durationMs: 0 } as const
    await recordPage(createRecordDeps(worker, affectedRun, Infinity), claim, failedOutcome, [])
  }
}

type BrowserState = { browser: string | null; browser_source: string | null; problem: string | null }

/** The periodic round: sends a heartbeat, releases dead leases, and purges some deleted data. */
async function performRound(worker: Worker, browser: BrowserState): Promise<void> {
  await recordHeartbeat(worker, { id: worker.id, ...worker.self, ...browser })
  await releaseLeases(worker, [])
  await purgeDeletedScan(worker)
}

const toBrowserState = (browser: WorkerBrowser) =>
  browser.kind === 'ready'
    ? { browser: browser.facts.version, browser_source: browser.facts.source, problem: null }
    : { browser: null, browser_source: null, problem: browser.detail }

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

/** Logs whether this worker has a browser, at the start and whenever that changes. */
function createBrowserLog(worker: Worker): (browser: WorkerBrowser) => void {
  let lastText: string | null = null
  return (browser) => {
    const text = browser.kind === 'ready' ? browser.facts.version : browser.detail
    if (text === lastText) return
    lastText = text
    if (browser.kind === 'missing') worker.log('warn', 'no browser starts', { worker: worker.id, detail: browser.detail })
    else {
      const { version, source } = browser.facts
      worker.log('info', 'browser found', { worker: worker.id, version, source })
    }
  }
}

/** Starts the periodic tasks; returns a stop function. */
function startPeriodicTasks(worker: Worker, browsers: BrowserSource): () => void {
  const logBrowser = createBrowserLog(worker)
  const ignoringErrors = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => worker.log('warn', String(error)))
  const publishCounts = ignoringErrors(() => publishProgress(worker))
  const goRound = ignoringErrors(async () => {
    const browser = await browsers.get()
    logBrowser(browser)
    await performRound(worker, toBrowserState(browser))
  })
  const intervalTimers = [setInterval(publishCounts, countIntervalMs), setInterval(goRound, roundIntervalMs)]
  goRound()
  return () => intervalTimers.forEach((timer) => clearInterval(timer))
}

/** Starts the work on a run; when it ends, the run is no longer active, and `onEnd` is called. */
function startRun(
  worker: Worker,
  engine: RunEngine,
  run: RunnableRun,
  { signal, onEnd }: { signal: AbortSignal; onEnd: () => void },
): void {
  const stopController = new AbortController()
  const runSignal = AbortSignal.any([stopController.signal, signal])
  const runPromise = workOnRun(worker, engine, run, runSignal)
    .catch((error: unknown) => handleFailure(worker, run, error, runSignal))
    .catch((error: unknown) => worker.log('error', `run ${run.id}: ${String(error)}`))
    .then(() => {
      worker.working.delete(run.id)
      onEnd()
    })
  worker.working.set(run.id, {
    stopController,
    hasUncountedChanges: false,
    nextCountAt: -Infinity,
    pageLimit: null,
    done: runPromise,
  })
}

/**
 * Works on runs of the run table, the queue, possibly with other processes. Stopping releases claims and counts no attempt.
 * @param onIdle called after each long time without work that follows some work
 */
export async function startWorker(
  deps: WorkerDeps,
  engine: WorkerEngine,
  onIdle: () => void,
): Promise<{ stop: () => Promise<void> }> {
  const registeredWorker = await enter(deps)
  const { working: activeRuns, log } = registeredWorker
  const stopping = new AbortController()
  const { wake: wakeLoop, wait: waitOrWake } = createWakeableWait()
  const recheckWork = engine.openRechecks(deps, engine.browsers.get, { signal: stopping.signal, onRoom: wakeLoop })
  const previewWork = engine.openPreviewWork(deps, stopping.signal)
  const idleWatch = createIdleWatch({ afterMs: deps.config.CLEARWAY_WORKER_IDLE_SECONDS * 1000, onIdle })

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await recheckWork.take()
        void previewWork.take()
        const claimableRuns = await listNextRuns(registeredWorker)
        for (const run of claimableRuns) startRun(registeredWorker, engine, run, { signal: stopping.signal, onEnd: wakeLoop })
        idleWatch.note(activeRuns.size > 0 || recheckWork.isBusy() || previewWork.isBusy())
        if (claimableRuns.length === 0) await waitOrWake(activeRuns.size > 0 ? pollIntervalMs : idlePollIntervalMs)
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
  const stopPeriodicTasks = startPeriodicTasks(registeredWorker, engine.browsers)
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
      await engine.browsers.close()
      await leave(registeredWorker)
    },
  }
}
