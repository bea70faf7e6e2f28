import { pause } from '../browser/deadline.ts'
import type { Browsing } from '../browser/instance.ts'
import type { BrowserPool, Lease } from '../browser/pool.ts'
import { retryPolicy } from '../failure.ts'
import type { Claim, Frontier, NewEntry } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'
import type { ScanPlan } from '../settings.ts'
import { authorityOf } from './address.ts'
import { entriesFromLinks, entryFromRedirect, type DiscoverDeps } from './discover.ts'
import { openLedger, type Ledger } from './ledger.ts'
import type { Pace } from './pace.ts'
import type { Robots } from './robots.ts'
import type { Visit, VisitDeps } from './course.ts'
import { visit } from './visit.ts'

/** Everything that the work on one run needs. */
export type Desk = {
  pool: BrowserPool
  frontier: Frontier
  log: (entry: { level: 'info' | 'warn'; message: string; url?: string }) => void
  plan: ScanPlan
  browsing: Browsing
  robots: Robots
  pace: Pace
  discover: DiscoverDeps
  visit: VisitDeps
}

/** Claims under way, each with the switch that ends it. */
type Running = Map<Claim, { stop: AbortController; done: Promise<void> }>

type Result =
  | { kind: 'visited'; visit: Visit }
  | { kind: 'stopped' }
  | { kind: 'collateral' }
  | { kind: 'no-browser'; why: string }

const renewMs = 10_000
const pollMs = 500
/** Beyond the page's own limit: for what the visit does after it has seen that the time is up. */
const graceMs = 5000

const aborted = (signal: AbortSignal): Promise<'stopped'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('stopped')
    else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
  })

const brokenVisit = (
  reason: 'out-of-memory' | 'browser-driver' | 'page-crashed' | 'too-many-dialogs' | 'timeout-generic',
  detail: string,
  began: number,
): Result => ({
  kind: 'visited',
  visit: {
    outcome: { kind: 'failed', reason, detail, durationMs: Math.round(performance.now() - began) },
    links: [],
    keepTab: false,
  },
})

/** Visits in a leased tab, ended by whatever comes first: the result, a crash, the browser's end, the limit, a stop. */
async function visitInTab(desk: Desk, lease: Lease, claim: Claim, signal: AbortSignal): Promise<Result> {
  const began = performance.now()
  const limit = new AbortController()
  const { pageTimeoutMs, preScanWaitMs } = desk.plan.advanced
  const limitMs = pageTimeoutMs + preScanWaitMs + graceMs
  const broken = (...args: [Parameters<typeof brokenVisit>[0], string]) => brokenVisit(...args, began)
  const visiting = visit(desk.visit, lease.tab, claim).then(
    (done): Result => ({ kind: 'visited', visit: done }),
    // The driver throws when the page or browser goes away under it; the race below mostly knows why.
    async (error: unknown): Promise<Result> => {
      await pause(200)
      desk.log({
        level: 'warn',
        message: `A visit broke: ${error instanceof Error ? error.stack : String(error)}`,
        url: claim.url,
      })
      return broken('browser-driver', error instanceof Error ? error.message.split('\n')[0]! : String(error))
    },
  )
  try {
    return await Promise.race([
      visiting,
      lease.tab.interrupted.then((why) =>
        broken(
          why,
          why === 'page-crashed' ? 'The page crashed the browser tab' : 'The page opens dialogs without end',
        ),
      ),
      lease.lost.then((cause): Result => {
        if (cause === 'collateral') return { kind: 'collateral' }
        return cause === 'memory'
          ? broken('out-of-memory', 'The browser needed more memory than it may')
          : broken('browser-driver', 'The browser ended during the visit')
      }),
      pause(limitMs, limit.signal).then(() => broken('timeout-generic', `No result within ${limitMs} ms`)),
      aborted(signal).then((): Result => ({ kind: 'stopped' })),
    ])
  } finally {
    limit.abort()
  }
}

async function visitClaim(desk: Desk, claim: Claim, signal: AbortSignal): Promise<Result> {
  const url = URL.parse(claim.url)
  const delay = url ? await desk.robots.delayMs(url) : 0
  const leave = await desk.pace.enter(url ? authorityOf(url) : '', delay, signal)
  if (!leave) return { kind: 'stopped' }
  try {
    let lease: Lease
    try {
      lease = await desk.pool.lease(desk.browsing)
    } catch (error) {
      return {
        kind: 'no-browser',
        why: error instanceof Error ? error.message.split('\n')[0]! : String(error),
      }
    }
    const result = await visitInTab(desk, lease, claim, signal)
    await lease.giveBack(result.kind === 'visited' && result.visit.keepTab)
    return result
  } finally {
    leave()
  }
}

/** The entries that a visit adds, and its outcome as the scope sees it: a redirect out of the scan is another domain. */
async function record(
  desk: Desk,
  claim: Claim,
  done: Visit,
): Promise<{ outcome: PageOutcome; found: NewEntry[] }> {
  const { outcome, links } = done
  if (outcome.kind === 'completed')
    return { outcome, found: await entriesFromLinks(desk.discover, claim, links) }
  if (outcome.kind !== 'excluded' || outcome.leadsTo === undefined) return { outcome, found: [] }
  const found = await entryFromRedirect(desk.discover, claim, outcome.leadsTo)
  const outside = found[0]?.exclusion
  if (outside === 'other-domain' || outside === 'outside-folder')
    return { outcome: { ...outcome, reason: outside }, found: [] }
  return { outcome, found }
}

async function handle(desk: Desk, ledger: Ledger, claim: Claim, signal: AbortSignal): Promise<void> {
  const result = await visitClaim(desk, claim, signal)
  if (result.kind !== 'visited') {
    if (result.kind === 'no-browser') ledger.noBrowser(result.why)
    return desk.frontier.release(claim, { blame: false })
  }
  const { outcome, found } = await record(desk, claim, result.visit)
  const policy = outcome.kind === 'failed' ? retryPolicy[outcome.reason] : null
  if (policy && claim.attempt < policy.attempts)
    return desk.frontier.release(claim, { blame: true, notBeforeMs: policy.delayMs })
  if (await desk.frontier.settle(claim, outcome, found)) ledger.settled(claim, outcome)
  else desk.log({ level: 'warn', message: 'The lease was lost, the result is dropped', url: claim.url })
}

/** Keeps the leases of what is in work, and ends what another process has taken over. */
function keepLeases(desk: Desk, running: Running): () => void {
  const timer = setInterval(() => {
    const claims = [...running.keys()]
    if (claims.length === 0) return
    desk.frontier.renew(claims).then(
      (lost) => {
        for (const [claim, { stop }] of running) if (lost.includes(claim.token)) stop.abort()
      },
      (error: unknown) =>
        desk.log({ level: 'warn', message: `Leases could not be renewed: ${String(error)}` }),
    )
  }, renewMs)
  return () => clearInterval(timer)
}

/** Claims and visits until nothing is left to do, the run is stopped, or `signal` aborts. */
export async function work(desk: Desk, starts: readonly NewEntry[], signal: AbortSignal): Promise<ScanEnd> {
  const running: Running = new Map()
  const ledger = openLedger(starts)
  const stopKeeping = keepLeases(desk, running)
  const { runTimeoutMs } = desk.plan.advanced
  const until = runTimeoutMs === null ? Infinity : performance.now() + runTimeoutMs
  const ending = aborted(signal)
  let failure: unknown
  let ended = Promise.withResolvers<void>()
  const start = (claim: Claim) => {
    const stop = new AbortController()
    const done = handle(desk, ledger, claim, AbortSignal.any([signal, stop.signal]))
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
      const noBrowser = ledger.browserProblem()
      if (noBrowser) return { kind: 'problem', problem: 'no-browser', detail: noBrowser }
      if (performance.now() > until)
        return { kind: 'problem', problem: 'run-timeout', detail: `Not finished within ${runTimeoutMs} ms` }
      // Taken before the counting: an end between the two must not be slept through.
      const nextEnd = ended.promise
      const free = desk.plan.concurrency - running.size
      const claims = free > 0 ? await desk.frontier.claim(free) : []
      for (const claim of claims) start(claim)
      if (claims.length > 0) continue
      const state = await desk.frontier.state()
      if (state === 'stopped') return { kind: 'stopped' }
      if (state === 'drained' && running.size === 0) return ledger.end()
      await Promise.race([desk.frontier.changed(pollMs), nextEnd, ending])
    }
  } finally {
    await stopAll()
    stopKeeping()
  }
}
