import { setTimeout as sleep } from 'node:timers/promises'
import type { Frontier, Claim } from '@clearway/engine/frontier.ts'
import { classifyDatabaseError } from '../../../kit/database.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import { traceWork } from '../../../kit/trace/span.ts'
import { admitPdf, claimEntries, listStartTargets, releaseEntry, renewLeases, seedEntries } from './store.ts'
import { readLimitedState } from '../limit/store.ts'
import { recordPage } from '../outcome/service.ts'
import { openVisitLog } from '../batch/store.ts'
import { slowHost } from '../pace/store.ts'
import type { RecordDeps } from '../outcome/store.ts'
import { addKnownPrints } from '../reuse/store.ts'
import { addUnmetPages, listPreviousPages, listUnmetPages } from '../unmet/store.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { MonitorDb } from '../../database.ts'
import { recordChanges } from '../../issue/change/store.ts'
import { countForLists, recountPages, recountRunPages } from '../../issue/recount/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { removeFromRun, updateLastRun } from '../../issue/span/store.ts'
import { recordLifecycle } from '../../issue/lifecycle/store.ts'
import { maxSilenceSeconds } from '../table.ts'
import { acceptRunPages, endRun, type RunEnd } from '../finish/store.ts'

export type FrontierOptions = {
  /** Called after each recorded change. */
  onRecorded?: () => void
  /** Stops waiting for an unavailable database. */
  signal?: AbortSignal
  /** Called once with the reason when waiting begins, and once when it ends. */
  report?: (message: string) => void
  /** Maximum time to wait for a database that is unavailable or full; ten minutes by default. */
  timeoutMs?: number
}

const pollMs = 1000

/** Retries database work during outages, so that no results are lost. After `timeoutMs` without success, the run ends. */
function createRetry({ signal, report, timeoutMs = 600_000 }: FrontierOptions) {
  let failingSince: number | null = null
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        const workResult = await work()
        if (failingSince !== null) report?.('The database works again.')
        failingSince = null
        return workResult
      } catch (error) {
        const problem = classifyDatabaseError(error)
        if (problem === null) throw error
        if (failingSince === null) report?.(`The run waits for the database (${problem}): ${String(error)}`)
        failingSince ??= performance.now()
        if (signal?.aborted || performance.now() - failingSince > timeoutMs) throw error
        await sleep(pollMs)
      }
  }
}

/** Opens the shared frontier of one run for the engine; `close` stops listening to other processes. */
export function openFrontier(
  runDeps: RecordDeps,
  pubSub: PubSub,
  options: FrontierOptions = {},
): { frontier: Frontier; close: () => void } {
  const deps = { ...runDeps, visitLog: openVisitLog() }
  const retryWhileDown = createRetry(options)
  const waitingResolvers = new Set<() => void>()
  const wakeWaiting = () => {
    for (const resolve of waitingResolvers) resolve()
  }
  const unsubscribe = pubSub.subscribe((event) => {
    if (event.kind === 'missed' || ('runId' in event && event.runId === deps.runId)) wakeWaiting()
  })
  const runAndWake = async <T>(work: () => Promise<T>): Promise<T> => {
    const workResult = await retryWhileDown(work)
    options.onRecorded?.()
    wakeWaiting()
    return workResult
  }
  const frontier: Frontier = {
    seed: (entries) => runAndWake(() => seedEntries(deps, entries)),
    listPreviousPages: () => retryWhileDown(() => listPreviousPages({ ...deps, seed: deps.runId })),
    unmetPages: {
      list: () => retryWhileDown(() => listUnmetPages(deps)),
      add: (entries) => runAndWake(() => addUnmetPages(deps, entries)),
    },
    claim: (maxClaims, hasExtraPages) => retryWhileDown(() => claimPages(deps, maxClaims, hasExtraPages)),
    leaseMs: maxSilenceSeconds.pages * 1000,
    renew: (claims) => renewLeases(deps, claims),
    record: (claim, outcome, newEntries, states) => {
      const tracedRecord = () => traceWork('record page', {}, () => recordPage(deps, claim, outcome, newEntries, states))
      return traceWork('page', buildSpan(deps, claim, outcome), () => runAndWake(tracedRecord))
    },
    slow: (host, pace) => retryWhileDown(() => slowHost(deps, host, pace)),
    admitPdf: (limit) => retryWhileDown(() => admitPdf(deps, limit)),
    release: (claim, options) => runAndWake(() => releaseEntry(deps, claim, options)),
    state: () => retryWhileDown(() => readLimitedState(deps)),
    listStartTargets: () => retryWhileDown(() => listStartTargets(deps)),
    async changed(timeoutMs) {
      let resolveWait = () => {}
      const wokenPromise = new Promise<void>((resolve) => (resolveWait = resolve))
      waitingResolvers.add(resolveWait)
      const timer = setTimeout(resolveWait, timeoutMs)
      await wokenPromise
      clearTimeout(timer)
      waitingResolvers.delete(resolveWait)
    },
  }
  return { frontier, close: unsubscribe }
}

/** Trace attributes of a page, from its request. Without its URL, which may contain private data. */
const buildSpan = ({ runId }: RecordDeps, claim: Claim, outcome: PageOutcome) => ({
  startedAt: Date.now() - outcome.durationMs,
  attributes: {
    'clearway.run.id': runId,
    'clearway.page.entry': claim.id,
    'clearway.page.outcome': outcome.kind,
    ...(outcome.kind !== 'completed' && { 'clearway.page.reason': outcome.reason }),
  },
})

/** Claims URLs; adds fingerprints of known pages if the scan reuses unchanged ones. */
async function claimPages(deps: RecordDeps, maxClaims: number, hasExtraPages = false): Promise<Claim[]> {
  const claims = await claimEntries(deps, maxClaims, hasExtraPages)
  return deps.reuseDays === undefined || claims.length === 0 ? claims : addKnownPrints(deps, deps.reuseDays, claims)
}

export const acceptRun = (deps: { db: MonitorDb }, run: { scanId: string; number: number }) =>
  acceptRunPages({ db: deps.db, recordLifecycle, recountPages, recountRunPages, countForLists, recordChanges }, run)

/** Ends a run exactly once, however often it is called. @returns false when it had already ended or still has work */
export const finishRun = (deps: { db: MonitorDb }, runId: string, end: RunEnd): Promise<boolean> =>
  endRun(
    {
      db: deps.db,
      recordLifecycle,
      storeFindings,
      removeFromRun,
      updateLastRun,
      recountPages,
      recountRunPages,
      countForLists,
      recordChanges,
    },
    runId,
    end,
  )
