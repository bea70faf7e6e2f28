import type { FailureReason } from '@clearway/contract/monitor/page/schema.ts'
import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { maxResponseBytes } from '../../guard/context.ts'
import { sleep, subscribeToAbort } from '../../browser/deadline.ts'
import type { Browsing, LostCause } from '../../browser/instance.ts'
import type { TabLease, LeaseSize } from '../../browser/pool.ts'
import type { Slot } from '../../browser/slots.ts'
import type { Interrupt } from '../../browser/tab.ts'
import { driveVisit } from '../../drive/drive-page.ts'
import { isBusyStatus } from '../../failure.ts'
import { type Claim, getVisitUrl, type StateOutcome } from '../../frontier.ts'
import type { VisitResult } from './context.ts'
import type { ScanContext } from '../context.ts'
import type { ActingReason } from '../action/judge.ts'
import { describeActing } from '../action/rule.ts'
import { visitPageInTab } from './visit.ts'

export type ClaimResult =
  | { kind: 'visited'; visit: VisitResult; states?: readonly StateOutcome[] }
  | { kind: 'stopped' }
  | { kind: 'collateral' }
  | { kind: 'no-browser'; why: string }

/** Grace period beyond the page's limit, for the visit's own handling of the timeout. */
const limitGraceMs = 5000

const getErrorSummary = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error))

/** Returns the result of a visit that failed without a page. */
export const buildFailedClaim = (reason: FailureReason, detail: string, startedAt: number): ClaimResult => ({
  kind: 'visited',
  visit: {
    outcome: { kind: 'failed', reason, detail, durationMs: Math.round(performance.now() - startedAt) },
    links: [],
    keepTab: false,
  },
})

/** JavaScript language errors are internal; other errors come from the browser's driver when a page closes. */
const isInternalError = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError

const interruptFailures: Readonly<Record<Interrupt, [FailureReason, string]>> = {
  'page-crashed': ['page-crashed', 'The page crashed the browser tab'],
  'too-many-dialogs': ['too-many-dialogs', 'The page opens dialogs without end'],
  'too-large': ['too-large', `The document has more than ${maxResponseBytes} bytes`],
}

/** Returns the result of a visit whose browser was lost. */
const toLostResult = (cause: LostCause, startedAt: number): ClaimResult =>
  cause === 'collateral'
    ? { kind: 'collateral' }
    : cause === 'memory'
      ? buildFailedClaim('out-of-memory', 'The browser needed more memory than it may', startedAt)
      : buildFailedClaim('browser-driver', 'The browser ended during the visit', startedAt)

/** Runs work in a leased tab until the first of: its result, a crash, the browser's loss, the time limit, an abort. */
export async function runInTab(
  scanContext: ScanContext,
  lease: TabLease,
  tabWork: Promise<ClaimResult>,
  options: { url: string; limitMs: number; signal: AbortSignal },
): Promise<ClaimResult> {
  const startedAt = performance.now()
  const limitController = new AbortController()
  const failWith = (...args: [FailureReason, string]) => buildFailedClaim(...args, startedAt)
  const guardedWork = tabWork.catch(async (error: unknown): Promise<ClaimResult> => {
    // The race below usually knows the cause.
    await sleep(200)
    // Driver errors append browser output to their first line; internal errors need the stack.
    const errorText = isInternalError(error) && error instanceof Error ? error.stack : getErrorSummary(error)
    const logMessage = `A visit broke: ${errorText}`
    scanContext.log({ level: 'warn', message: logMessage, url: options.url })
    return failWith(isInternalError(error) ? 'backend' : 'browser-driver', getErrorSummary(error))
  })
  const { promise: earlyEnd, resolve: endEarly } = Promise.withResolvers<ClaimResult>()
  const removeListeners = [
    subscribeToAbort(lease.tab.interrupted, (interrupt) => endEarly(failWith(...interruptFailures[interrupt as Interrupt]))),
    subscribeToAbort(lease.lost, (cause) => endEarly(toLostResult(cause as LostCause, startedAt))),
    subscribeToAbort(options.signal, () => endEarly({ kind: 'stopped' })),
  ]
  const timedOut = sleep(options.limitMs, limitController.signal).then(() =>
    failWith('timeout-generic', `No result within ${options.limitMs} ms`),
  )
  try {
    return await Promise.race([guardedWork, earlyEnd, timedOut])
  } finally {
    limitController.abort()
    for (const removeListener of removeListeners) removeListener()
  }
}

/** Leases a tab for work. A failed lease is returned as a value. */
export async function runWithTab(
  scanContext: ScanContext,
  browsing: Browsing,
  useTab: (lease: TabLease) => Promise<ClaimResult>,
  leaseSize: LeaseSize = 'one',
): Promise<ClaimResult> {
  let tabLease: TabLease
  try {
    tabLease = await scanContext.pool.lease(browsing, leaseSize)
  } catch (error) {
    return { kind: 'no-browser', why: getErrorSummary(error) }
  }
  const tabResult = await useTab(tabLease)
  await tabLease.releaseTab(tabResult.kind === 'visited' && tabResult.visit.keepTab)
  return tabResult
}

const hasLostSession = (result: ClaimResult): boolean =>
  result.kind === 'visited' &&
  result.visit.outcome.kind === 'failed' &&
  (result.visit.outcome.reason === 'session-failed' || result.visit.outcome.reason === 'http-401')

const isProvedSignedIn = (result: ClaimResult): boolean =>
  result.kind === 'visited' &&
  result.visit.outcome.kind === 'completed' &&
  result.visit.outcome.isProved === true &&
  !result.visit.doubtfulPage

/**
 * Returns true if a visit ended with a page of which the start page says that the session is lost. A page whose doubt cannot be
 * settled is not proved.
 */
async function isDoubtConfirmed({ sessions, visit }: ScanContext, result: ClaimResult, browsing: Browsing): Promise<boolean> {
  const doubtfulPage = result.kind === 'visited' ? result.visit.doubtfulPage : undefined
  const proof = sessions.getProof()
  if (!doubtfulPage || !proof) return false
  const sessionState = await visit.doubts.checkSession(proof, browsing)
  if (sessionState === 'lost') return true
  if (result.kind === 'visited' && result.visit.outcome.kind === 'completed') {
    if (sessionState === 'alive') visit.doubts.noteCleared(doubtfulPage)
    else if (result.visit.outcome.isProved) result.visit.outcome.isProved = false
  }
  return false
}
const lostSessionText = 'The session has ended: the start page shows what visitors see'

/** Returns why a page is not opened again: the run has learned that it ends the session. */
function findActingReason({ visit }: ScanContext, claim: Claim): ActingReason | null {
  const url = URL.parse(getVisitUrl(claim))
  return url && visit.acting.findReason(url)
}

const buildExcludedClaim = (reason: ActingReason, startedAt: number): ClaimResult => ({
  kind: 'visited',
  visit: {
    outcome: {
      kind: 'excluded',
      reason: 'acting-link',
      detail: describeActing(reason),
      durationMs: Math.round(performance.now() - startedAt),
    },
    links: [],
    keepTab: false,
  },
})

/** Maximum number of visits of a page that shows that the scan is signed out: other visits may end the session again. */
const maxVisits = 3

/** Visits a page. Signs in again and visits it again if the page shows that the scan is signed out. */
async function visitPage(scanContext: ScanContext, claim: Claim, hostSlot: Slot, signal: AbortSignal): Promise<ClaimResult> {
  const startedAt = performance.now()
  const { pageTimeoutMs, preScanWaitMs } = scanContext.plan.advanced
  const tabOptions = { url: claim.url, limitMs: pageTimeoutMs + preScanWaitMs + limitGraceMs, signal }
  // After two crashes, another page may be to blame: the third attempt has the browser to itself.
  const leaseSize: LeaseSize = claim.attempt > 2 ? 'all' : 'one'
  const visitOnce = (browsing: Browsing) =>
    runWithTab(
      scanContext,
      browsing,
      async (lease) => {
        const idle = scanContext.extraPages.shareWhileIdle(claim, [hostSlot, lease])
        const pendingVisit = visitPageInTab(scanContext.visit, lease.tab, claim, { signal, idle })
        const tabWork = pendingVisit.then((visitResult): ClaimResult => ({
          kind: 'visited',
          visit: visitResult,
          states: visitResult.states ?? [],
        }))
        const endVisit = scanContext.signOutLog.beginVisit(getVisitUrl(claim))
        const claimResult = await runInTab(scanContext, lease, tabWork, tabOptions)
        endVisit(isProvedSignedIn(claimResult))
        if (claimResult.kind === 'visited')
          await driveVisit(scanContext, { tab: lease.tab, browsing, claim, visit: claimResult.visit }, signal)
        return claimResult
      },
      leaseSize,
    )
  const signInResult = await scanContext.sessions.getBrowsing(URL.parse(claim.url))
  if (signInResult.kind === 'failed') return buildFailedClaim(signInResult.reason, signInResult.detail, startedAt)
  let browsing = signInResult.browsing
  for (let visitCount = 1; ; visitCount++) {
    let visitResult = await visitOnce(browsing)
    if (!hasLostSession(visitResult)) {
      if (!(await isDoubtConfirmed(scanContext, visitResult, browsing))) {
        scanContext.sessions.noteProved()
        return visitResult
      }
      visitResult = buildFailedClaim('session-failed', lostSessionText, startedAt)
    }
    const canRepeat = visitCount < maxVisits && !scanContext.visit.acting.mayAct(getVisitUrl(claim))
    const pendingRenewal = canRepeat ? scanContext.sessions.renew(browsing) : null
    if (!pendingRenewal) return visitResult
    const renewedSignIn = await pendingRenewal
    if (renewedSignIn.kind === 'failed') return buildFailedClaim(renewedSignIn.reason, renewedSignIn.detail, startedAt)
    const nextSignIn = await scanContext.sessions.getBrowsing(URL.parse(claim.url))
    if (nextSignIn.kind === 'failed') return visitResult
    const signOutReason = findActingReason(scanContext, claim)
    if (signOutReason) return buildExcludedClaim(signOutReason, startedAt)
    browsing = nextSignIn.browsing
  }
}

/** Waits for a slot on the host, then visits a page. */
export async function visitClaim(scanContext: ScanContext, claim: Claim, signal: AbortSignal): Promise<ClaimResult> {
  const claimUrl = URL.parse(claim.url)
  const hostAuthority = claimUrl ? authorityOf(claimUrl) : ''
  const crawlDelayMs = claimUrl ? await scanContext.robots.delayMs(claimUrl) : 0
  const hostSlot = await scanContext.pace.enter(hostAuthority, crawlDelayMs, signal)
  if (!hostSlot) return { kind: 'stopped' }
  try {
    const visitResult = await visitPage(scanContext, claim, hostSlot, signal)
    if (visitResult.kind === 'visited') {
      const newPace = scanContext.pace.learn(hostAuthority, toLoadVerdict(visitResult.visit), crawlDelayMs)
      if (newPace) await scanContext.frontier.slow(hostAuthority, newPace)
    }
    return visitResult
  } finally {
    hostSlot.leave()
  }
}

const overloadReasons = new Set<FailureReason>(['timeout-download', 'connection-failed', 'connection-refused', 'http-error'])

/** Returns the load verdict of a visit for its host. */
function toLoadVerdict({ outcome, retryAfterMs }: VisitResult): 'fine' | 'troubled' | { retryAfterMs: number | null } {
  if (outcome.kind !== 'failed') return 'fine'
  if (isBusyStatus(outcome.httpStatus)) return { retryAfterMs: retryAfterMs ?? null }
  // An answer that is wrong in itself tells nothing about the load.
  const isWrongAnswer = outcome.reason === 'http-error' && (outcome.httpStatus ?? 0) < 400
  return overloadReasons.has(outcome.reason) && !isWrongAnswer ? 'troubled' : 'fine'
}
