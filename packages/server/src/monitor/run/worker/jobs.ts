import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserFacts } from '@clearway/engine/browser/facts.ts'
import { type BrowserPool, openPool } from '@clearway/engine/browser/pool.ts'
import { scan } from '@clearway/engine/scan.ts'
import { createBrowserFinder, type FindBrowser } from '../browser/jobs.ts'
import { openPreviewWork } from '../preview/jobs.ts'
import type { OpenKeystore } from '../task/service.ts'
import { traced } from '../../../kit/trace/span.ts'
import { openRechecks } from '../recheck/jobs.ts'
import {
  begin,
  enter,
  failed,
  finish,
  finishIfCancelled,
  finishWithoutBrowser,
  noteProgress,
  leave,
  nextRuns,
  retryMs,
  round,
  type RunnableRun,
  publishProgress,
  tallyMs,
  type Worker,
  type WorkerDeps,
} from './service.ts'

const roundMs = 10_000
const pollMs = 2000

type Browser = { kind: 'ready'; facts: BrowserFacts; pool: BrowserPool } | { kind: 'missing'; detail: string }
type Browsers = { get: () => Promise<Browser>; close: () => Promise<void> }

/** The worker's own pool, opened once there is a browser. */
function browserSource({ config }: WorkerDeps, find: FindBrowser): Browsers {
  let pool: Promise<BrowserPool> | null = null
  return {
    get: async () => {
      const found = await find()
      if (found.kind === 'missing') return found
      pool ??= openPool(found.facts, { pages: config.CLEARWAY_WORKER_PAGES })
      return { ...found, pool: await pool }
    },
    async close() {
      const open = await pool?.catch(() => null)
      await open?.close()
    },
  }
}

/** Works on one run until it ends, is cancelled, or `signal` aborts. */
const workOn = (worker: Worker, browsers: Browsers, run: RunnableRun, signal: AbortSignal): Promise<void> =>
  traced('run', { parent: run.trace, attributes: { 'clearway.run.id': run.id } }, () =>
    workThrough(worker, browsers, run, signal),
  )

async function workThrough(
  worker: Worker,
  browsers: Browsers,
  run: RunnableRun,
  signal: AbortSignal,
): Promise<void> {
  if (run.cancelled) return finish(worker, run.id, { kind: 'cancelled' })
  const browser = await browsers.get()
  if (browser.kind === 'missing') return finishWithoutBrowser(worker, run.id, browser.detail)
  const facts = `Chromium ${browser.facts.version} (${browser.facts.source})`
  const begun = await begin(worker, run, facts, signal)
  if ('missing' in begun)
    return finish(worker, run.id, { kind: 'problem', problem: 'session-failed', detail: begun.missing })
  const { plan, frontier, close } = begun
  const log = (entry: { level: 'info' | 'warn'; message: string }) => worker.log(entry.level, entry.message)
  const end = await scan({ pool: browser.pool, frontier, log }, plan, signal).finally(close)
  if (end.kind === 'problem' && end.problem === 'no-browser')
    return finishWithoutBrowser(worker, run.id, end.detail)
  return end.kind === 'stopped' ? finishIfCancelled(worker, run.id) : finish(worker, run.id, end)
}

/** How `/actuator/health` sees the browser. */
const stateOf = (browser: Browser) =>
  browser.kind === 'ready'
    ? { browser: browser.facts.version, browser_source: browser.facts.source, problem: null }
    : { browser: null, browser_source: null, problem: browser.detail }

/** A wait that can be ended early. */
function alarm() {
  let wake = () => {}
  return {
    ring: () => wake(),
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** What is done again and again, from now on. Answers how to end that. */
function startRounds(worker: Worker, browsers: Browsers): () => void {
  const quietly = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => worker.log('warn', String(error)))
  const tally = quietly(() => publishProgress(worker))
  const goRound = quietly(async () => round(worker, stateOf(await browsers.get())))
  const timers = [setInterval(tally, tallyMs), setInterval(goRound, roundMs)]
  goRound()
  return () => timers.forEach((timer) => clearInterval(timer))
}

/**
 * Works on runs of the run table: it is the queue. Several processes may do so at once, also on one run. Stopping
 * gives back what is in work, without blame.
 */
export async function startWorker(
  deps: WorkerDeps & { openKeystore: OpenKeystore },
): Promise<{ stop: () => Promise<void> }> {
  const worker = await enter(deps)
  const { working, log } = worker
  // One finder: to look for a browser is to start it.
  const find = createBrowserFinder(deps.config)
  const browsers = browserSource(deps, find)
  const stopping = new AbortController()
  const { ring, wait } = alarm()
  const rechecks = openRechecks(deps, browsers.get, { signal: stopping.signal, onRoom: ring })
  const previews = openPreviewWork({ ...deps, find }, stopping.signal)

  function take(run: RunnableRun): void {
    const stop = new AbortController()
    const done = workOn(worker, browsers, run, AbortSignal.any([stop.signal, stopping.signal]))
      .catch((error: unknown) => failed(worker, run, error))
      .catch((error: unknown) => log('error', `run ${run.id}: ${String(error)}`))
      .then(() => {
        working.delete(run.id)
        ring()
      })
    working.set(run.id, { stop, dirty: false, countFrom: -Infinity, pageLimit: null, done })
  }
  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await rechecks.take()
        void previews.take()
        const runs = await nextRuns(worker)
        for (const run of runs) take(run)
        if (runs.length === 0) await wait(pollMs)
      } catch (error) {
        // The database may go away for a while; the loop outlives that.
        log('warn', String(error))
        await sleep(retryMs)
      }
    }
  }
  const unsubscribe = deps.pubSub.subscribe((event) => {
    if (event.kind === 'progress') noteProgress(worker, event.runId, event.countMs)
    if (event.kind === 'cancelled') working.get(event.runId)?.stop.abort()
    if (event.kind === 'queued' || event.kind === 'missed') ring()
  })
  const stopRounds = startRounds(worker, browsers)
  const looping = loop()
  return {
    stop: async () => {
      stopping.abort()
      unsubscribe()
      ring()
      stopRounds()
      await Promise.all([
        looping,
        rechecks.idle(),
        previews.close(),
        ...[...working.values()].map(({ done }) => done),
      ])
      await browsers.close()
      await leave(worker)
    },
  }
}
