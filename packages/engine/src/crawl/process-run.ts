import { sleep, subscribeToAbort } from '../browser/deadline.ts'
import { isBusyStatus, isLastAttempt, retryPolicies } from '../failure.ts'
import { hideSessionsInText, toShownUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { type Claim, getVisitUrl, isStartEntry, type NewEntry, type StateOutcome } from '../frontier.ts'
import type { PageOutcome, ScanEnd } from '../outcome.ts'
import { visitScript } from '../script/task.ts'
import { visitClaim } from './visit/run-claim.ts'
import type { VisitResult } from './visit/context.ts'
import type { ScanContext } from './context.ts'
import { buildLinkEntries, buildRedirectEntry, buildUnmetEntries, isSitemap, getScriptIndex } from './scope/discover.ts'
import { computePattern } from './scope/trap.ts'
import { openRunProgress, type RunProgress } from './run-progress.ts'
import { maxBackoffMs } from './pace.ts'
import { visitSitemap } from './sitemap/visit.ts'

/** Claims in progress, each with the controller that aborts it. */
type RunningClaims = Map<Claim, { stop: AbortController; handling: Promise<void> }>

/** Result of a claim, ready to be recorded. */
type HandledClaim =
  | {
      kind: 'record'
      outcome: PageOutcome
      discoveredEntries: NewEntry[]
      stateOutcomes: readonly StateOutcome[]
      retryAfterMs: number | null
    }
  | { kind: 'release' }

const pollIntervalMs = 500
/** Maximum number of attempts for a busy host, each after the requested wait. */
const busyAttempts = 4

/** Length of a chain from which the contents of its pages are compared; most chains are short. */
const minComparedChain = 25

/** Returns true for a page whose content no other page of its pattern has, or that existed in the previous run. */
function hasNewContent({ discover }: ScanContext, { url, chain = 0 }: Claim, outcome: PageOutcome): boolean {
  const parsedUrl = URL.parse(url)
  if (!parsedUrl || outcome.kind !== 'completed' || chain < minComparedChain) return false
  if (outcome.unchanged) return true
  return discover.contents.isNew(computePattern(parsedUrl), outcome.signature?.masked ?? outcome.title)
}

/** Learns the folders of start URLs that redirected in another process: it admitted a page that is in no known folder. */
async function learnStartFolders({ discover, frontier, addStartUrl }: ScanContext, claim: Claim): Promise<void> {
  const parsedUrl = URL.parse(claim.url)
  if (isStartEntry(claim) || !parsedUrl || discover.scope(parsedUrl)?.reason !== 'outside-folder') return
  for (const url of await frontier.listStartTargets()) addStartUrl(url)
}

/** Leaves sessions and tokens out of the URLs of an outcome: more people see it than may sign in to the site. */
function hideSessions({ plan }: ScanContext, outcome: PageOutcome): PageOutcome {
  const settings = plan.advanced
  const { finalUrl, detail } = outcome
  const leadsTo = outcome.kind === 'excluded' ? outcome.leadsTo : undefined
  return {
    ...outcome,
    ...(finalUrl === undefined ? {} : { finalUrl: toShownUrl(finalUrl, settings) }),
    ...(leadsTo === undefined ? {} : { leadsTo: toShownUrl(leadsTo, settings) }),
    ...(detail ? { detail: hideSessionsInText(detail, settings) } : {}),
  } as PageOutcome
}

/** Returns the entries that a visit adds, and its outcome in terms of the scope: a redirect out of the scan is another domain. */
async function buildRecord(
  context: ScanContext,
  claim: Claim,
  { outcome, links, source }: VisitResult,
): Promise<{ outcome: PageOutcome; discoveredEntries: NewEntry[] }> {
  if (outcome.kind === 'failed') return { outcome, discoveredEntries: [] }
  await learnStartFolders(context, claim)
  // The target of a start URL is a start URL, with its folder.
  if (outcome.kind === 'excluded' && outcome.reason === 'redirect' && outcome.leadsTo !== undefined && isStartEntry(claim))
    context.addStartUrl(outcome.leadsTo)
  const discoveredEntries = await buildLinkEntries(context.discover, claim, links, {
    hasNewContent: hasNewContent(context, claim, outcome),
    source,
  })
  if (outcome.kind === 'completed' || outcome.leadsTo === undefined) return { outcome, discoveredEntries }
  const redirectEntries = await buildRedirectEntry(context.discover, claim, outcome.leadsTo)
  const targetExclusion = redirectEntries[0]?.exclusion
  if (targetExclusion === 'other-domain' || targetExclusion === 'outside-folder')
    return { outcome: { ...outcome, reason: targetExclusion }, discoveredEntries: [] }
  return { outcome, discoveredEntries: [...redirectEntries, ...discoveredEntries] }
}

/** Outcome of a page whose process ended during its only visit. */
const buildUnrepeatable = (): PageOutcome => ({
  kind: 'failed',
  reason: 'backend',
  detail: 'The first visit broke off and may have changed something, so there was no second one',
  durationMs: 0,
})

async function visitEntry(context: ScanContext, progress: RunProgress, claim: Claim, signal: AbortSignal): Promise<HandledClaim> {
  const toRecord = (
    outcome: PageOutcome,
    discoveredEntries: NewEntry[],
    extraFields: Partial<HandledClaim> = {},
  ): HandledClaim => ({
    kind: 'record',
    outcome: hideSessions(context, outcome),
    discoveredEntries,
    stateOutcomes: [],
    retryAfterMs: null,
    ...extraFields,
  })
  if (isSitemap(claim)) {
    const { outcome, foundEntries: sitemapEntries } = await visitSitemap(context, claim)
    return toRecord(outcome, sitemapEntries)
  }
  const scriptIndex = getScriptIndex(claim)
  if (claim.attempt > 1 && context.visit.acting.mayAct(getVisitUrl(claim))) return toRecord(buildUnrepeatable(), [])
  const visitResult =
    scriptIndex === null ? await visitClaim(context, claim, signal) : await visitScript(context, claim, scriptIndex, signal)
  if (visitResult.kind !== 'visited') {
    if (visitResult.kind !== 'no-browser') return { kind: 'release' }
    // A browser that was lost is restarted. One that does not start is the run's problem, and no page's.
    progress.setBrowserFailure(visitResult.why)
    return { kind: 'release' }
  }
  const { outcome, discoveredEntries } = await buildRecord(context, claim, visitResult.visit)
  return toRecord(outcome, discoveredEntries, {
    stateOutcomes: (visitResult.states ?? []).map((state) => ({
      ...state,
      url: toShownUrl(state.url, context.plan.advanced),
      outcome: hideSessions(context, state.outcome),
    })),
    retryAfterMs: visitResult.visit.retryAfterMs ?? null,
  })
}

/** Milliseconds until the next attempt; null if the outcome is final. */
function computeRetryDelay(claim: Claim, outcome: PageOutcome, retryAfterMs: number | null): number | null {
  if (outcome.kind !== 'failed') return null
  const retryPolicy = retryPolicies[outcome.reason]
  // A challenge was already waited for.
  const isBusy = isBusyStatus(outcome.httpStatus) && outcome.reason !== 'bot-protection'
  if (isLastAttempt(claim, isBusy ? busyAttempts : retryPolicy.attempts)) return null
  return isBusy ? Math.min(maxBackoffMs, Math.max(retryPolicy.delayMs, retryAfterMs ?? 0)) : retryPolicy.delayMs
}

/** Waits before recording is retried: broken connections and deadlocks are transient. */
const recordBackoffMs = [200, 2000, 5000]

/** Records an outcome. If it cannot be stored, records that failure instead, so that it does not stop the run. */
async function recordHandled(
  context: ScanContext,
  claim: Claim,
  { outcome, discoveredEntries, stateOutcomes }: Extract<HandledClaim, { kind: 'record' }>,
): Promise<{ recorded: boolean; outcome: PageOutcome }> {
  let lastError: unknown
  for (const backoffMs of [0, ...recordBackoffMs])
    try {
      if (backoffMs > 0) await sleep(backoffMs)
      return { recorded: await context.frontier.record(claim, outcome, discoveredEntries, stateOutcomes), outcome }
    } catch (error) {
      // The fencing token prevents recording twice if an earlier attempt succeeded after all.
      lastError = error
    }
  const failureDetail = `The result could not be stored: ${lastError instanceof Error ? lastError.message.slice(0, 300) : String(lastError)}`
  context.log({ level: 'warn', message: failureDetail, url: claim.url })
  const fallbackOutcome: PageOutcome = {
    kind: 'failed',
    reason: 'results-not-saved',
    detail: failureDetail,
    durationMs: outcome.durationMs,
  }
  // An error here is not the page's fault and becomes the run's error.
  return { recorded: await context.frontier.record(claim, fallbackOutcome, discoveredEntries), outcome: fallbackOutcome }
}

async function handleClaim(context: ScanContext, progress: RunProgress, claim: Claim, signal: AbortSignal): Promise<void> {
  const handledClaim = await visitEntry(context, progress, claim, signal)
  if (handledClaim.kind === 'release') return context.frontier.release(claim, { blame: false })
  context.extraPages.noteOutcome(handledClaim.outcome)
  const canRepeat = !context.visit.acting.mayAct(getVisitUrl(claim))
  const notBeforeMs = canRepeat ? computeRetryDelay(claim, handledClaim.outcome, handledClaim.retryAfterMs) : null
  if (notBeforeMs !== null) {
    progress.noteRetried(handledClaim.outcome)
    return context.frontier.release(claim, { blame: true, notBeforeMs })
  }
  const { recorded: wasRecorded, outcome } = await recordHandled(context, claim, handledClaim)
  if (wasRecorded) progress.noteRecorded(claim, outcome, handledClaim.stateOutcomes)
  else context.log({ level: 'warn', message: 'The lease was lost, the result is dropped', url: claim.url })
}

/**
 * Renews the leases of claims in progress, and aborts claims that another process has taken over. Tolerates two late
 * renewals in a row.
 */
function startLeaseRenewal(context: ScanContext, runningClaims: RunningClaims): () => void {
  const renewalTimer = setInterval(() => {
    const claimedEntries = [...runningClaims.keys()]
    if (claimedEntries.length === 0) return
    context.frontier.renew(claimedEntries).then(
      (lostTokens) => {
        for (const [claim, { stop: stopController }] of runningClaims)
          if (lostTokens.includes(claim.token)) stopController.abort()
      },
      (error: unknown) => context.log({ level: 'warn', message: `Leases could not be renewed: ${String(error)}` }),
    )
  }, context.frontier.leaseMs / 3)
  return () => clearInterval(renewalTimer)
}

/** Returns the reason to stop a run that has work left; null to continue. */
function findEndReason(context: ScanContext, progress: RunProgress, deadlineAt: number): ScanEnd | null {
  const browserFailure = progress.getBrowserFailure()
  if (browserFailure) return { kind: 'problem', problem: 'no-browser', detail: browserFailure }
  const { runTimeoutMs, stopAfterFailures } = context.plan.advanced
  if (performance.now() > deadlineAt)
    return { kind: 'problem', problem: 'run-timeout', detail: `Not finished within ${runTimeoutMs} ms` }
  const failureStreak = progress.getFailureStreak()
  if (stopAfterFailures !== null && failureStreak.count >= stopAfterFailures)
    return {
      kind: 'problem',
      problem: 'too-many-failures',
      detail: `${failureStreak.count} visits in a row failed, the last one: ${failureStreak.last}`,
    }
  return null
}

/**
 * Adds the pages of the last whole run that no link led to: their absence needs proof.
 * @returns false when the run has no work left, in any process
 */
async function continueWithUnmetPages({ discover, frontier }: ScanContext): Promise<boolean> {
  const { unmetPages } = frontier
  if (!unmetPages) return false
  const unmetEntries = await buildUnmetEntries(discover, await unmetPages.list())
  if (unmetEntries.length > 0) await unmetPages.add(unmetEntries)
  return (await frontier.state()) !== 'drained'
}

/** Claims and visits pages until the run is drained or stopped, or `signal` aborts. */
export async function processRun(context: ScanContext, startEntries: readonly NewEntry[], signal: AbortSignal): Promise<ScanEnd> {
  const runningClaims: RunningClaims = new Map()
  const runProgress = openRunProgress(startEntries)
  const stopLeaseRenewal = startLeaseRenewal(context, runningClaims)
  const { runTimeoutMs } = context.plan.advanced
  const deadlineAt = runTimeoutMs === null ? Infinity : performance.now() + runTimeoutMs
  let firstError: unknown
  let claimEnded = Promise.withResolvers<void>()
  const removeAbortListener = subscribeToAbort(signal, () => claimEnded.resolve())
  const startClaim = (claim: Claim) => {
    const stopController = new AbortController()
    const handling = handleClaim(context, runProgress, claim, AbortSignal.any([signal, stopController.signal]))
      .catch((error: unknown) => (firstError ??= error))
      .then(() => {
        runningClaims.delete(claim)
        claimEnded.resolve()
        claimEnded = Promise.withResolvers<void>()
      })
    runningClaims.set(claim, { stop: stopController, handling })
  }
  const stopAllClaims = async () => {
    for (const { stop: stopController } of runningClaims.values()) stopController.abort()
    await Promise.all([...runningClaims.values()].map(({ handling }) => handling))
  }

  try {
    for (;;) {
      if (firstError !== undefined) throw firstError
      if (signal.aborted) return { kind: 'stopped' }
      const endReason = findEndReason(context, runProgress, deadlineAt)
      if (endReason) return endReason
      // Read before counting, so that an end in between is not missed.
      const nextClaimEnd = claimEnded.promise
      const { concurrency } = context.plan
      const maxVisits = context.extraPages.getMaxVisits(concurrency)
      const freeSlots = maxVisits - runningClaims.size
      const newClaims = freeSlots > 0 ? await context.frontier.claim(freeSlots, maxVisits > concurrency) : []
      for (const claim of newClaims) startClaim(claim)
      if (newClaims.length > 0) continue
      const runState = await context.frontier.state()
      if (runState === 'stopped') return { kind: 'stopped' }
      if (runState === 'drained' && runningClaims.size === 0) {
        if (await continueWithUnmetPages(context)) continue
        return runProgress.getRunEnd()
      }
      await Promise.race([context.frontier.changed(pollIntervalMs), nextClaimEnd])
    }
  } finally {
    removeAbortListener()
    await stopAllClaims()
    stopLeaseRenewal()
  }
}
