import { scan } from '@clearway/engine/scan.ts'
import { onEngineEvent } from '@clearway/engine/engine-event.ts'
import type { LogFunction } from '../kit/log.ts'
import { createBrowserFinder, createBrowserSource } from '../monitor/run/browser/jobs.ts'
import type { WorkerDeps } from '../monitor/run/execution/service.ts'
import { measureEngine } from '../monitor/run/measure/jobs.ts'
import { openPreviewWork } from '../monitor/run/preview/jobs.ts'
import { openRechecks } from '../monitor/run/recheck/jobs.ts'
import { startWorker, type WorkerEngine } from '../monitor/run/worker/service.ts'
import { openKeystore } from '../monitor/session/jobs.ts'

/** Logs browsers that start, are closed or are lost. Returns a function that stops this. */
const logBrowserEvents = (log: LogFunction): (() => void) =>
  onEngineEvent((event) => {
    if (event.kind === 'browser-started') log('info', 'browser started')
    if (event.kind === 'browser-closed') log('info', 'browser closed', { cause: event.cause })
    if (event.kind === 'browser-lost') log('warn', 'browser lost', { cause: event.cause })
  })

/**
 * The worker role: runs, re-checks and previews. Only processes with this role load the engine.
 * @param onIdle called after each long time without work that follows some work
 */
export async function startWorkerRole(
  deps: WorkerDeps,
  onIdle: () => void = () => {},
): Promise<{ stop: () => Promise<void>; hasBrowser: () => Promise<boolean> }> {
  const stopMeasuring = measureEngine()
  const stopLogging = logBrowserEvents(deps.log)
  // A single finder, because finding a browser starts it.
  const browserFinder = createBrowserFinder(deps.config)
  const { find: findBrowser } = browserFinder
  const engine: WorkerEngine = {
    scan,
    browsers: createBrowserSource(deps.config, browserFinder),
    openRechecks,
    openPreviewWork: (workerDeps, signal) => openPreviewWork({ ...workerDeps, openKeystore, find: findBrowser }, signal),
  }
  const runningWorker = await startWorker(deps, engine, onIdle)
  const stopWorker = () =>
    runningWorker.stop().finally(() => {
      stopMeasuring()
      stopLogging()
    })
  return { stop: stopWorker, hasBrowser: async () => (await findBrowser()).kind === 'ready' }
}
