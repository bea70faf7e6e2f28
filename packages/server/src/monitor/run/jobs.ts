import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type BrowserFacts, type BrowserPool, findBrowser, openPool } from '@clearway/engine/browser/pool.ts'
import type { Frontier } from '@clearway/engine/frontier.ts'
import { scan, type ScanEnd } from '@clearway/engine/scan.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { databaseProblem } from '../../kit/database.ts'
import type { Heard, Live } from '../../kit/live.ts'
import { isAlive } from '../../kit/postgres/cluster.ts'
import { limitsOf } from '../config/service.ts'
import type { MonitorDb } from '../database.ts'
import { planOf } from './plan.ts'
import { beat, markRunning, purgeSome, type Runnable, runById, runnableRuns, signOff } from './store.ts'
import {
  claimEntries,
  frontierState,
  leaseSeconds,
  releaseEntry,
  renewLeases,
  seedEntries,
  signOn,
  sweepLeases,
} from './store-frontier.ts'
import { finishRun, refreshTally, type RunEnd } from './store-finish.ts'
import { type SettleDeps, settlePage } from './store-settle.ts'

export type WorkerDeps = {
  db: MonitorDb
  config: Config
  live: Live
  log: (level: 'info' | 'warn' | 'error', message: string) => void
}

const beatMs = 10_000
const pollMs = 2000
const tallyMs = 1000
/** A run on which our own code fails so often is given up; what the database cannot for a while does not count. */
const failuresAllowed = 3

/** The shared frontier of one run, as the engine wants it. `touched` is called whenever something was recorded. */
export function openFrontier(
  deps: SettleDeps,
  live: Live,
  touched: () => void,
): { frontier: Frontier; close: () => void } {
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
  }
  const close = live.hear((heard) => {
    if (heard.kind === 'missed' || heard.runId === deps.runId) wake()
  })
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    touched()
    wake()
    return result
  }
  const frontier: Frontier = {
    seed: (entries) => after(seedEntries(deps, entries)),
    claim: (n) => claimEntries(deps, n),
    renew: (claims) => renewLeases(deps, claims),
    settle: (claim, outcome, found) => after(settlePage(deps, claim, outcome, found)),
    release: (claim, options) => after(releaseEntry(deps, claim, options)),
    state: () => frontierState(deps),
    async changed(ms) {
      let end = () => {}
      const woken = new Promise<void>((resolve) => (end = resolve))
      waiting.add(end)
      const timer = setTimeout(end, ms)
      await woken
      clearTimeout(timer)
      waiting.delete(end)
    },
  }
  return { frontier, close }
}

type Browser = { kind: 'ready'; facts: BrowserFacts; pool: BrowserPool } | { kind: 'missing'; detail: string }

/** Looks for a browser until there is one; asked again at most once a minute. */
function browserSource(deps: WorkerDeps) {
  const { config } = deps
  const sandbox =
    config.CLEARWAY_SANDBOX === 'auto' ? process.getuid?.() !== 0 : config.CLEARWAY_SANDBOX === 'on'
  let asked = 0
  let answer: Promise<Browser> | null = null
  const look = async (): Promise<Browser> => {
    const cacheFolder = join(config.CLEARWAY_DATA, 'browser')
    await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
    const found = await findBrowser({ setting: config.CLEARWAY_BROWSER, cacheFolder, sandbox })
    if (!found.found) {
      const tried = found.tried.map(({ what, why }) => `${what}: ${why}`).join('; ')
      return { kind: 'missing', detail: `${tried}. ${found.remedy}` }
    }
    const pool = await openPool(found.facts, { pages: config.CLEARWAY_WORKER_PAGES })
    return { kind: 'ready', facts: found.facts, pool }
  }
  return {
    async get(): Promise<Browser> {
      const known = await answer
      if (!answer || (known?.kind === 'missing' && Date.now() - asked > 60_000)) {
        asked = Date.now()
        answer = look()
      }
      return answer
    },
    async close() {
      const known = await answer?.catch(() => null)
      if (known?.kind === 'ready') await known.pool.close()
    },
  }
}

const endOf = (end: ScanEnd): RunEnd | null => (end.kind === 'stopped' ? null : end)

type Working = Map<string, { stop: AbortController; dirty: boolean; done: Promise<void> }>

/**
 * Works on runs of the run table: it is the queue. Several processes may do so at once, also on one run. Stopping
 * gives back what is in work, without blame.
 */
export async function startWorker(deps: WorkerDeps): Promise<{ stop: () => Promise<void> }> {
  const { db, config, live, log } = deps
  const { id, dead } = await signOn({ db }, { host: hostname(), pid: process.pid, isAlive })
  const browsers = browserSource(deps)
  const working: Working = new Map()
  const failures = new Map<string, number>()
  const stopping = new AbortController()
  let wake = () => {}

  const settleDeps = (run: Runnable, pageLimit: number): SettleDeps => ({
    db,
    runId: run.id,
    worker: id,
    pageLimit,
    scanId: run.scan_id,
    runNumber: run.number,
    issuesPerPage: limitsOf(config).issuesPerPage,
  })

  async function finish(runId: string, end: RunEnd): Promise<void> {
    if (await finishRun({ db }, runId, end)) await live.tell({ kind: 'ended', runId })
  }

  async function workOn(run: Runnable, signal: AbortSignal): Promise<void> {
    if (run.cancelled) return finish(run.id, { kind: 'cancelled' })
    const browser = await browsers.get()
    if (browser.kind === 'missing')
      return finish(run.id, { kind: 'problem', problem: 'no-browser', detail: browser.detail })
    const plan = planOf(run.settings, {
      allowPrivate: config.CLEARWAY_ALLOW_PRIVATE,
      concurrency: config.CLEARWAY_WORKER_PAGES,
    })
    await markRunning({ db }, run.id, `Chromium ${browser.facts.version} (${browser.facts.source})`)
    await live.tell({ kind: 'progress', runId: run.id })
    const touched = () => {
      const mine = working.get(run.id)
      if (mine) mine.dirty = true
    }
    const { frontier, close } = openFrontier(settleDeps(run, plan.pageLimit), live, touched)
    const report = (entry: { level: 'info' | 'warn'; message: string }) => log(entry.level, entry.message)
    const end = endOf(await scan({ pool: browser.pool, frontier, log: report }, plan, signal).finally(close))
    if (end) return finish(run.id, end)
    if ((await runById({ db }, run.id))?.cancelled) await finish(run.id, { kind: 'cancelled' })
  }

  /** A failure of ours: the run stays and is tried again, unless it keeps failing. */
  async function failed(run: Runnable, error: unknown): Promise<void> {
    log('error', `run ${run.id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    const known = databaseProblem(error)
    if (known === 'disk-full')
      return finish(run.id, {
        kind: 'problem',
        problem: 'disk-full',
        detail: 'The disk of the database is full.',
      })
    if (known) return void (await sleep(pollMs))
    const count = (failures.get(run.id) ?? 0) + 1
    failures.set(run.id, count)
    if (count < failuresAllowed) return
    failures.delete(run.id)
    await finish(run.id, {
      kind: 'problem',
      problem: 'internal-error',
      detail: 'The scan failed; see the log of the server.',
    })
  }

  function take(run: Runnable): void {
    const stop = new AbortController()
    const done = workOn(run, AbortSignal.any([stop.signal, stopping.signal]))
      .catch((error: unknown) => failed(run, error))
      .catch((error: unknown) => log('error', `run ${run.id}: ${String(error)}`))
      .then(() => {
        working.delete(run.id)
        wake()
      })
    working.set(run.id, { stop, dirty: false, done })
  }

  async function sweep(gone: readonly string[]): Promise<void> {
    for (const { runId, claim } of await sweepLeases({ db }, gone)) {
      const run = await runById({ db }, runId)
      if (!run) continue
      const target = { id: run.id, scan_id: run.scan_id, number: run.number } as Runnable
      const detail = 'The worker ended each time while it analysed this page'
      await settlePage(
        settleDeps(target, Infinity),
        claim,
        { kind: 'failed', reason: 'task-not-processed', detail, durationMs: 0 },
        [],
      )
    }
  }

  async function tallies(): Promise<void> {
    for (const [runId, run] of working) {
      if (!run.dirty) continue
      run.dirty = false
      await refreshTally(db, runId)
      await live.tell({ kind: 'progress', runId })
    }
  }

  async function heartbeat(): Promise<void> {
    const browser = await browsers.get()
    const facts =
      browser.kind === 'ready'
        ? { browser: browser.facts.version, browser_source: browser.facts.source, problem: null }
        : { browser: null, browser_source: null, problem: browser.detail }
    await beat({ db }, { id, ...facts })
    await sweep([])
    await purgeSome({ db })
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const free = config.CLEARWAY_WORKER_RUNS - working.size
      const runs = free > 0 ? await runnableRuns({ db }, free, [...working.keys()]) : []
      for (const run of runs) take(run)
      if (runs.length > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, pollMs)
      })
    }
  }
  // The database may go away for a while; the loops outlive that.
  async function keep(what: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted)
      await what().catch(async (error: unknown) => {
        log('warn', String(error))
        await sleep(pollMs)
      })
  }

  const deaf = live.hear((heard: Heard) => {
    if (heard.kind === 'cancelled') working.get(heard.runId)?.stop.abort()
    if (heard.kind === 'queued' || heard.kind === 'missed') wake()
  })
  await sweep(dead)
  const quietly = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log('warn', String(error)))
  const timers = [setInterval(quietly(tallies), tallyMs), setInterval(quietly(heartbeat), beatMs)]
  quietly(heartbeat)()
  const looping = keep(loop)
  log('info', `worker ${id} is ready, leases last ${leaseSeconds} s`)
  return {
    stop: async () => {
      stopping.abort()
      deaf()
      wake()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([looping, ...[...working.values()].map(({ done }) => done)])
      await browsers.close()
      await signOff({ db }, id)
    },
  }
}
