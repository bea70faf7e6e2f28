import { sleep, subscribeToAbort } from '../browser/deadline.ts'
import { mostOpen } from '@clearway/contract/monitor/scan/model.ts'
import { isBusyStatus, isLastAttempt, retryPolicies } from '../failure.ts'
import type { Claim, NewEntry, StateOutcome } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'
import { visitScript } from '../script/task.ts'
import { visitClaim } from './visit/claim.ts'
import type { Visit } from './visit/context.ts'
import type { ScanContext } from './context.ts'
import { entriesFromLinks, entryFromRedirect, isSitemap, scriptOf } from './scope/discover.ts'
import { openRunProgress, type RunProgress } from './run-progress.ts'
import { longestRestMs } from './pace.ts'
import { visitSitemap } from './sitemap/visit.ts'

/** Claims under way, each with the switch that ends it. */
type Running = Map<Claim, { stop: AbortController; done: Promise<void> }>

/** What became of a claim, ready to be recorded. */
type Handled =
  | {
      kind: 'record'
      outcome: PageOutcome
      found: NewEntry[]
      states: readonly StateOutcome[]
      retryAfterMs: number | null
    }
  | { kind: 'release' }

const pollMs = 500
/** Tries for a host that says it is busy: each waits for what it asks. */
const busyAttempts = 4

/** The entries that a visit adds, and its outcome as the scope sees it: a redirect out of the scan is another domain. */
async function recordOf(
  context: ScanContext,
  claim: Claim,
  { outcome, links }: Visit,
): Promise<{ outcome: PageOutcome; found: NewEntry[] }> {
  if (outcome.kind === 'failed') return { outcome, found: [] }
  const found = await entriesFromLinks(context.discover, claim, links)
  if (outcome.kind === 'completed' || outcome.leadsTo === undefined) return { outcome, found }
  const target = await entryFromRedirect(context.discover, claim, outcome.leadsTo)
  const outside = target[0]?.exclusion
  if (outside === 'other-domain' || outside === 'outside-folder')
    return { outcome: { ...outcome, reason: outside }, found: [] }
  return { outcome, found: [...target, ...found] }
}

async function lookAt(
  context: ScanContext,
  progress: RunProgress,
  claim: Claim,
  signal: AbortSignal,
): Promise<Handled> {
  const record = (outcome: PageOutcome, found: NewEntry[], more: Partial<Handled> = {}): Handled => ({
    kind: 'record',
    outcome,
    found,
    states: [],
    retryAfterMs: null,
    ...more,
  })
  if (isSitemap(claim)) {
    const { outcome, found } = await visitSitemap(context, claim)
    return record(outcome, found)
  }
  const script = scriptOf(claim)
  const result =
    script === null
      ? await visitClaim(context, claim, signal)
      : await visitScript(context, claim, script, signal)
  if (result.kind !== 'visited') {
    if (result.kind !== 'no-browser') return { kind: 'release' }
    // A browser that was there before comes back, or the page has failed; one that never was is the run's problem.
    if (!progress.hadBrowser()) {
      progress.noBrowser(result.why)
      return { kind: 'release' }
    }
    return record({ kind: 'failed', reason: 'browser-cluster', detail: result.why, durationMs: 0 }, [])
  }
  const { outcome, found } = await recordOf(context, claim, result.visit)
  return record(outcome, found, {
    states: result.states ?? [],
    retryAfterMs: result.visit.retryAfterMs ?? null,
  })
}

/** Milliseconds until another try; null when the outcome is final. */
function nextTry(claim: Claim, outcome: PageOutcome, retryAfterMs: number | null): number | null {
  if (outcome.kind !== 'failed') return null
  const policy = retryPolicies[outcome.reason]
  const busy = isBusyStatus(outcome.httpStatus)
  if (isLastAttempt(claim, busy ? busyAttempts : policy.attempts)) return null
  return busy ? Math.min(longestRestMs, Math.max(policy.delayMs, retryAfterMs ?? 0)) : policy.delayMs
}

/** Pauses before another try to record a result: a broken connection or a deadlock passes. */
const recordPausesMs = [200, 2000, 5000]

/** Records an outcome; one that cannot be stored is recorded as such, so that it does not stop the run. */
async function record(
  context: ScanContext,
  claim: Claim,
  { outcome, found, states }: Extract<Handled, { kind: 'record' }>,
): Promise<{ recorded: boolean; outcome: PageOutcome }> {
  let last: unknown
  for (const ms of [0, ...recordPausesMs])
    try {
      if (ms > 0) await sleep(ms)
      return { recorded: await context.frontier.record(claim, outcome, found, states), outcome }
    } catch (error) {
      // The fence keeps a result from being recorded twice: of one that was recorded after all, nothing is lost.
      last = error
    }
  const detail = `The result could not be stored: ${last instanceof Error ? last.message.slice(0, 300) : String(last)}`
  context.log({ level: 'warn', message: detail, url: claim.url })
  const instead: PageOutcome = {
    kind: 'failed',
    reason: 'results-not-saved',
    detail,
    durationMs: outcome.durationMs,
  }
  // Whatever hinders even this is not the page's: the run's own error.
  return { recorded: await context.frontier.record(claim, instead, found), outcome: instead }
}

async function handle(
  context: ScanContext,
  progress: RunProgress,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  const handled = await lookAt(context, progress, claim, signal)
  if (handled.kind === 'release') return context.frontier.release(claim, { blame: false })
  const notBeforeMs = nextTry(claim, handled.outcome, handled.retryAfterMs)
  if (notBeforeMs !== null) {
    progress.tried(handled.outcome)
    return context.frontier.release(claim, { blame: true, notBeforeMs })
  }
  const { recorded, outcome } = await record(context, claim, handled)
  if (recorded) progress.recorded(claim, outcome, handled.states)
  else context.log({ level: 'warn', message: 'The lease was lost, the result is dropped', url: claim.url })
}

/** Keeps the leases of what is in work, and ends what another process has taken over. Two renewals in a row may come late. */
function keepLeases(context: ScanContext, running: Running): () => void {
  const timer = setInterval(() => {
    const claims = [...running.keys()]
    if (claims.length === 0) return
    context.frontier.renew(claims).then(
      (lost) => {
        for (const [claim, { stop }] of running) if (lost.includes(claim.token)) stop.abort()
      },
      (error: unknown) =>
        context.log({ level: 'warn', message: `Leases could not be renewed: ${String(error)}` }),
    )
  }, context.frontier.leaseMs / 3)
  return () => clearInterval(timer)
}

/** Why a process gives a run up while there is work left; null to go on. */
function reasonToEnd(context: ScanContext, progress: RunProgress, until: number): ScanEnd | null {
  const noBrowser = progress.browserProblem()
  if (noBrowser) return { kind: 'problem', problem: 'no-browser', detail: noBrowser }
  const { runTimeoutMs, stopAfterFailures } = context.plan.advanced
  if (performance.now() > until)
    return { kind: 'problem', problem: 'run-timeout', detail: `Not finished within ${runTimeoutMs} ms` }
  const failures = progress.failuresInRow()
  if (stopAfterFailures !== null && failures.count >= stopAfterFailures)
    return {
      kind: 'problem',
      problem: 'too-many-failures',
      detail: `${failures.count} visits in a row failed, the last one: ${failures.last}`,
    }
  return null
}

/** Claims and visits until nothing is left to do, the run is stopped, or `signal` aborts. */
export async function work(
  context: ScanContext,
  starts: readonly NewEntry[],
  signal: AbortSignal,
): Promise<ScanEnd> {
  const running: Running = new Map()
  const progress = openRunProgress(starts)
  const stopKeeping = keepLeases(context, running)
  const { runTimeoutMs } = context.plan.advanced
  const until = runTimeoutMs === null ? Infinity : performance.now() + runTimeoutMs
  let failure: unknown
  let ended = Promise.withResolvers<void>()
  const takeBack = subscribeToAbort(signal, () => ended.resolve())
  const start = (claim: Claim) => {
    const stop = new AbortController()
    const done = handle(context, progress, claim, AbortSignal.any([signal, stop.signal]))
      .catch((error: unknown) => (failure ??= error))
      .then(() => {
        running.delete(claim)
        ended.resolve()
        ended = Promise.withResolvers<void>()
      })
    running.set(claim, { stop, done })
  }
  const stopAll = async () => {
    for (const { stop } of running.values()) stop.abort()
    await Promise.all([...running.values()].map(({ done }) => done))
  }

  try {
    for (;;) {
      if (failure !== undefined) throw failure
      if (signal.aborted) return { kind: 'stopped' }
      const enough = reasonToEnd(context, progress, until)
      if (enough) return enough
      // Taken before the counting: an end between the two must not be slept through.
      const nextEnd = ended.promise
      const { concurrency } = context.plan
      // Only pages that are likely to be the same let others in while they wait.
      const most = context.visit.reuse?.holds ? mostOpen(concurrency) : concurrency
      const free = most - running.size
      const claims = free > 0 ? await context.frontier.claim(free) : []
      for (const claim of claims) start(claim)
      if (claims.length > 0) continue
      const state = await context.frontier.state()
      if (state === 'stopped') return { kind: 'stopped' }
      if (state === 'drained' && running.size === 0) return progress.end()
      await Promise.race([context.frontier.changed(pollMs), nextEnd])
    }
  } finally {
    takeBack()
    await stopAll()
    stopKeeping()
  }
}
