import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { maxResponseBytes } from '../../guard/context.ts'
import { sleep, subscribeToAbort } from '../../browser/deadline.ts'
import type { Browsing, LostCause } from '../../browser/instance.ts'
import type { TabLease, LeaseSize } from '../../browser/pool.ts'
import type { Slot } from '../../browser/slots.ts'
import type { Interrupt } from '../../browser/tab.ts'
import { isBusyStatus } from '../../failure.ts'
import type { Claim, StateOutcome } from '../../frontier.ts'
import { isLikelySame, type Visit } from './context.ts'
import type { ScanContext } from '../context.ts'
import { visit } from './visit.ts'

export type Result =
  | { kind: 'visited'; visit: Visit; states?: readonly StateOutcome[] }
  | { kind: 'stopped' }
  | { kind: 'collateral' }
  | { kind: 'no-browser'; why: string }

/** Beyond the page's own limit: for what the visit does after it has seen that the time is up. */
const graceMs = 5000

const firstLine = (error: unknown): string =>
  error instanceof Error ? error.message.split('\n')[0]! : String(error)

/** A visit that came to nothing. */
export const brokenVisit = (reason: FailureReason, detail: string, began: number): Result => ({
  kind: 'visited',
  visit: {
    outcome: { kind: 'failed', reason, detail, durationMs: Math.round(performance.now() - began) },
    links: [],
    keepTab: false,
  },
})

/** Errors of the language are ours; everything else comes from the browser's driver when a page closes under it. */
const isOurs = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError

const crashes: Readonly<Record<Interrupt, [FailureReason, string]>> = {
  'page-crashed': ['page-crashed', 'The page crashed the browser tab'],
  'too-many-dialogs': ['too-many-dialogs', 'The page opens dialogs without end'],
  'too-large': ['too-large', `The document has more than ${maxResponseBytes} bytes`],
}

/** What the end of a browser means to a visit in it. */
const lostAs = (cause: LostCause, began: number): Result =>
  cause === 'collateral'
    ? { kind: 'collateral' }
    : cause === 'memory'
      ? brokenVisit('out-of-memory', 'The browser needed more memory than it may', began)
      : brokenVisit('browser-driver', 'The browser ended during the visit', began)

/** Runs work in a leased tab, ended by whatever comes first: its result, a crash, the browser's end, the limit, a stop. */
export async function inTab(
  context: ScanContext,
  lease: TabLease,
  work: Promise<Result>,
  options: { url: string; limitMs: number; signal: AbortSignal },
): Promise<Result> {
  const began = performance.now()
  const limit = new AbortController()
  const broken = (...args: [FailureReason, string]) => brokenVisit(...args, began)
  const working = work.catch(async (error: unknown): Promise<Result> => {
    // The race below mostly knows why.
    await sleep(200)
    // The driver's errors carry the browser's output behind their first line; of ours, the stack is what is needed.
    const what = isOurs(error) && error instanceof Error ? error.stack : firstLine(error)
    const message = `A visit broke: ${what}`
    context.log({ level: 'warn', message, url: options.url })
    return broken(isOurs(error) ? 'backend' : 'browser-driver', firstLine(error))
  })
  const { promise: ended, resolve: end } = Promise.withResolvers<Result>()
  const takeBack = [
    subscribeToAbort(lease.tab.interrupted, (why) => end(broken(...crashes[why as Interrupt]))),
    subscribeToAbort(lease.lost, (cause) => end(lostAs(cause as LostCause, began))),
    subscribeToAbort(options.signal, () => end({ kind: 'stopped' })),
  ]
  const late = sleep(options.limitMs, limit.signal).then(() =>
    broken('timeout-generic', `No result within ${options.limitMs} ms`),
  )
  try {
    return await Promise.race([working, ended, late])
  } finally {
    limit.abort()
    for (const take of takeBack) take()
  }
}

/** Leases a tab for work; a browser that gives none is a value. */
export async function withTab(
  context: ScanContext,
  browsing: Browsing,
  work: (lease: TabLease) => Promise<Result>,
  size: LeaseSize = 'one',
): Promise<Result> {
  let lease: TabLease
  try {
    lease = await context.pool.lease(browsing, size)
  } catch (error) {
    return { kind: 'no-browser', why: firstLine(error) }
  }
  const result = await work(lease)
  await lease.releaseTab(result.kind === 'visited' && result.visit.keepTab)
  return result
}

const lostSession = (result: Result): boolean =>
  result.kind === 'visited' &&
  result.visit.outcome.kind === 'failed' &&
  (result.visit.outcome.reason === 'session-failed' || result.visit.outcome.reason === 'http-401')

/** Visits a page; once more after a new sign-in when it shows that the scan is signed out. */
async function visitPage(
  context: ScanContext,
  claim: Claim,
  turn: Slot,
  signal: AbortSignal,
): Promise<Result> {
  const began = performance.now()
  const { pageTimeoutMs, preScanWaitMs } = context.plan.advanced
  const options = { url: claim.url, limitMs: pageTimeoutMs + preScanWaitMs + graceMs, signal }
  // What brought the browser down twice may have been its neighbour: the third try shows it.
  const size: LeaseSize = claim.attempt > 2 ? 'all' : 'one'
  const once = (browsing: Browsing) =>
    withTab(
      context,
      browsing,
      (lease) => {
        const idle = (is: boolean) => [turn, lease].forEach((held) => held.setIdle(is))
        // Axe needs memory, and time that neighbors take: of pages that are likely to be analysed, no more are open.
        const more = isLikelySame(context.visit, claim) ? { signal, idle } : { signal }
        const visiting = visit(context.visit, lease.tab, claim, more)
        const work = visiting.then((done): Result => ({ kind: 'visited', visit: done }))
        return inTab(context, lease, work, options)
      },
      size,
    )
  const signed = await context.sessions.getBrowsing(URL.parse(claim.url))
  if (signed.kind === 'failed') return brokenVisit(signed.reason, signed.detail, began)
  const first = await once(signed.browsing)
  const renewing = lostSession(first) ? context.sessions.renew(signed.browsing) : null
  if (!renewing) return first
  const renewed = await renewing
  if (renewed.kind === 'failed') return brokenVisit(renewed.reason, renewed.detail, began)
  const again = await context.sessions.getBrowsing(URL.parse(claim.url))
  return again.kind === 'failed' ? first : once(again.browsing)
}

/** Waits for a turn on the host, and visits a page. */
export async function visitClaim(context: ScanContext, claim: Claim, signal: AbortSignal): Promise<Result> {
  const url = URL.parse(claim.url)
  const host = url ? authorityOf(url) : ''
  const delay = url ? await context.robots.delayMs(url) : 0
  const turn = await context.pace.enter(host, delay, signal)
  if (!turn) return { kind: 'stopped' }
  try {
    const result = await visitPage(context, claim, turn, signal)
    if (result.kind === 'visited') {
      const changed = context.pace.learn(host, answeredBy(result.visit), delay)
      if (changed) await context.frontier.slow(host, changed)
    }
    return result
  } finally {
    turn.leave()
  }
}

const trouble = new Set<FailureReason>([
  'timeout-download',
  'connection-failed',
  'connection-refused',
  'http-error',
])

/** What a visit says of the host's load. */
function answeredBy({ outcome, retryAfterMs }: Visit): 'fine' | 'troubled' | { retryAfterMs: number | null } {
  if (outcome.kind !== 'failed') return 'fine'
  if (isBusyStatus(outcome.httpStatus)) return { retryAfterMs: retryAfterMs ?? null }
  return trouble.has(outcome.reason) ? 'troubled' : 'fine'
}
