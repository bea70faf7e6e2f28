import { setTimeout as sleep } from 'node:timers/promises'
import type { Frontier, Claim, NewEntry, StateOutcome } from '@clearway/engine/frontier.ts'
import { databaseProblem } from '../../../kit/database.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import { traced } from '../../../kit/trace/span.ts'
import {
  admitPdf,
  slowHost,
  claimEntries,
  frontierState,
  releaseEntry,
  renewLeases,
  seedEntries,
} from './store.ts'
import { type RecordDeps, storePage } from '../outcome/store.ts'
import { withKnownPrints } from '../reuse/store.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import type { MonitorDb } from '../../database.ts'
import { carryFindings, hasSameFindings } from '../../issue/carry/store.ts'
import { recordChanges } from '../../issue/change/store.ts'
import { countGroups } from '../../issue/recount/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { recordLifecycle } from '../../issue/lifecycle/store.ts'
import { silenceSeconds } from '../table.ts'
import { countPage } from '../measure/service.ts'
import { endRun, type RunEnd } from '../finish/store.ts'

export type FrontierOptions = {
  /** Called whenever something was recorded. */
  touched?: () => void
  /** Ends waiting for a database that cannot work. */
  signal?: AbortSignal
  /** Called once when the waiting begins, with the reason, and once when it is over. */
  report?: (message: string) => void
  /** How long a database that is away or has no room is waited for; left out, ten minutes. */
  patienceMs?: number
}

const pollMs = 1000

/**
 * Does a piece of work on the database again until it can: a disk that is full gets room, a server that went down comes
 * back. No page is to blame for either, and what was found on it must not be lost. After `patienceMs` without a success
 * the error is the run's.
 */
function patience({ signal, report, patienceMs = 600_000 }: FrontierOptions) {
  let since: number | null = null
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        const result = await work()
        if (since !== null) report?.('The database works again.')
        since = null
        return result
      } catch (error) {
        const problem = databaseProblem(error)
        if (problem === null) throw error
        if (since === null) report?.(`The run waits for the database (${problem}): ${String(error)}`)
        since ??= performance.now()
        if (signal?.aborted || performance.now() - since > patienceMs) throw error
        await sleep(pollMs)
      }
  }
}

/** The shared frontier of one run, as the engine wants it; `close` ends listening to other processes. */
export function openFrontier(
  deps: RecordDeps,
  pubSub: PubSub,
  options: FrontierOptions = {},
): { frontier: Frontier; close: () => void } {
  const patient = patience(options)
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const resolve of waiting) resolve()
  }
  const close = pubSub.subscribe((event) => {
    if (event.kind === 'missed' || ('runId' in event && event.runId === deps.runId)) wake()
  })
  const after = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await patient(work)
    options.touched?.()
    wake()
    return result
  }
  const frontier: Frontier = {
    seed: (entries) => after(() => seedEntries(deps, entries)),
    claim: (n) => patient(() => claimPages(deps, n)),
    leaseMs: silenceSeconds.pages * 1000,
    renew: (claims) => renewLeases(deps, claims),
    record: (claim, outcome, found, states) => {
      const record = () => traced('record page', {}, () => recordPage(deps, claim, outcome, found, states))
      return traced('page', spanOf(deps, claim, outcome), () => after(record))
    },
    slow: (host, pace) => patient(() => slowHost(deps, host, pace)),
    admitPdf: (limit) => patient(() => admitPdf(deps, limit)),
    release: (claim, options) => after(() => releaseEntry(deps, claim, options)),
    state: () => patient(() => frontierState(deps)),
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

/** A page in a trace: from its call, and without its URL, which may hold what nobody else is to know. */
const spanOf = ({ runId }: RecordDeps, claim: Claim, outcome: PageOutcome) => ({
  startedAt: Date.now() - outcome.durationMs,
  attributes: {
    'clearway.run.id': runId,
    'clearway.page.entry': claim.id,
    'clearway.page.outcome': outcome.kind,
    ...(outcome.kind !== 'completed' && { 'clearway.page.reason': outcome.reason }),
  },
})

/** Takes URLs, with what is known of their pages where the scan relies on that. */
async function claimPages(deps: RecordDeps, n: number): Promise<Claim[]> {
  const claims = await claimEntries(deps, n)
  return deps.reuseDays === undefined || claims.length === 0
    ? claims
    : withKnownPrints(deps, deps.reuseDays, claims)
}

/**
 * Records what became of a URL. Run and issues are written in one transaction: this is where they meet.
 * @returns false when the lease was lost: nothing was recorded
 */
export async function recordPage(
  deps: RecordDeps,
  claim: Claim,
  outcome: PageOutcome,
  found: readonly NewEntry[],
  states: readonly StateOutcome[] = [],
): Promise<boolean> {
  const issues = { storeFindings, carryFindings, sameFindings: hasSameFindings }
  const isRecorded = await storePage({ ...deps, ...issues }, claim, outcome, found, states)
  if (isRecorded) for (const one of [outcome, ...states.map((state) => state.outcome)]) countPage(one)
  return isRecorded
}

/** Ends a run, exactly once however many call it. @returns false when it had ended, or has work left after all */
export const finishRun = (deps: { db: MonitorDb }, runId: string, end: RunEnd): Promise<boolean> =>
  endRun({ db: deps.db, recordLifecycle, countGroups, recordChanges }, runId, end)
