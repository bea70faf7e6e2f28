import { sleep, withTimeout } from '../../browser/deadline.ts'
import { removeFragment } from '../../browser/remove-fragment.ts'
import { readCurrentDocument } from '../../browser/tab.ts'
import { inPageLimits, maxSettleMs } from '../settle/limits.ts'
import { readDocumentState, waitUntilIdle } from '../settle/settle.ts'
import type { Arrival } from './arrive.ts'
import { getRemainingMs, type VisitContext, type VisitResult } from './context.ts'
import { openWallByBanner } from './prepare.ts'

// Pages that stand in front of the requested one for a moment: a challenge that solves itself, a choice that a redirect
// asks for. Once passed, the requested URL is visited again.

/** After this many in a row, a site is not waited for again. */
const maxVain = 3
const maxChallengeMs = 15_000
const navigationPollMs = 200

/** A page with less than this may be a challenge, if a timer or a worker is still going to do something. */
const tinyPage = { elements: 60, links: 3 }
/** Time after a timer for the navigation that it starts. */
const timerGraceMs = 1500

/** Returns true if the main thread of a page is busy for longer than a second. */
const isComputing = async ({ tab }: VisitContext): Promise<boolean> => {
  const evaluation = tab.cdp.send('Runtime.evaluate', { expression: '0' }).catch(() => null)
  return !(await withTimeout(1000, evaluation)).done
}

/**
 * Returns the maximum wait for a challenge to leave the page, in milliseconds; null if the page is no challenge. 0 for an error
 * page that waits for nothing: it may have left while a slow machine was still judging it.
 */
async function computeChallengeMs(context: VisitContext, arrival: Arrival, visit: VisitResult): Promise<number | null> {
  if (arrival.kind !== 'document') return null
  if (arrival.isChallenge) return maxChallengeMs
  const isTiny = context.tab.received.elements <= tinyPage.elements && visit.links.length <= tinyPage.links
  const isContent = visit.outcome.kind === 'completed' && !visit.outcome.unchanged
  const isError = arrival.status >= 400
  if (!isTiny || !(isContent || isError)) return null
  if (context.tab.traffic.hasWorker() || arrival.status === 202) return maxChallengeMs
  const documentState = await readDocumentState(context.tab)
  if (isContent && !isError)
    return documentState && documentState.longTimerMs > 0
      ? Math.min(maxChallengeMs, documentState.longTimerMs + timerGraceMs)
      : null
  if (!documentState) return 0
  const shortTimerMs = documentState.timers > 0 ? inPageLimits.timerDelay : inPageLimits.noLongTimerMs
  const lastTimerMs = Math.max(documentState.longTimerMs, shortTimerMs)
  return Math.min(maxChallengeMs, Math.max(0, lastTimerMs + timerGraceMs))
}

/** Waits until the tab shows another document, and checks at least once. Returns its URL, or null if it never does. */
async function awaitNavigation(context: VisitContext, loaderId: string, maxMs: number): Promise<string | null> {
  const deadlineAt = performance.now() + maxMs
  for (;;) {
    const currentDocument = await readCurrentDocument(context.tab)
    if (currentDocument && currentDocument.loaderId !== loaderId) return currentDocument.url
    if (performance.now() >= deadlineAt) return null
    await sleep(navigationPollMs)
  }
}

async function passChallenge(context: VisitContext, arrival: Arrival, visit: VisitResult): Promise<boolean> {
  const { walls } = context.deps
  if (arrival.kind !== 'document' || walls.unsolvedChallenges >= maxVain) return false
  if (!arrival.isChallenge && walls.vainWaits >= maxVain) return false
  const challengeMs = await computeChallengeMs(context, arrival, visit)
  const remainingMs = getRemainingMs(context, Infinity)
  if (challengeMs === null || remainingMs <= 0) return false
  let nextUrl = await awaitNavigation(context, arrival.loaderId, Math.min(challengeMs, remainingMs / 2))
  // Proof of work without a worker.
  const isLonger = nextUrl === null && challengeMs < maxChallengeMs && (await isComputing(context))
  if (isLonger) {
    const furtherMs = Math.min(maxChallengeMs - challengeMs, getRemainingMs(context, Infinity) / 2)
    nextUrl = await awaitNavigation(context, arrival.loaderId, furtherMs)
  }
  // An error page that leaves for another page by itself is no challenge: that one is a page of its own.
  if (challengeMs === 0 && !isLonger) return nextUrl !== null && removeFragment(nextUrl) === removeFragment(arrival.url)
  const hasNavigated = nextUrl !== null
  // A solution may be stored without a navigation.
  const isPassed = hasNavigated || arrival.isChallenge === true
  if (hasNavigated) walls.unsolvedChallenges = walls.vainWaits = 0
  else if (arrival.isChallenge) walls.unsolvedChallenges += 1
  else walls.vainWaits += 1
  return isPassed
}

/** Parts of URLs of pages that ask something before the content: consent, age, country. */
const wallUrlWords =
  /consent|cookie|privacy|datenschutz|zustimm|einwillig|gdpr|dsgvo|rgpd|\bcmp\b|\bgate\b|\bage\b|age-?(?:check|gate|verif)|welcome|interstitial|country|region|locale|splash|choice/i
const returnParameters =
  /[?&](?:return|redirect|next|url|dest|destination|continue|goto|back|from|target|origin|referer)[a-z_-]*=/i

/** Returns true if a redirect may lead to a page that asks for a choice, rather than to the page's new address. */
function leadsToWall(context: VisitContext, target: string): boolean {
  if (context.deps.plan.advanced.bannerSelectors.length > 0) return true
  const targetUrl = URL.parse(target)
  return (
    targetUrl !== null &&
    (wallUrlWords.test(`${targetUrl.pathname}${targetUrl.search}`) || returnParameters.test(targetUrl.search))
  )
}

async function passRedirect(context: VisitContext, visit: VisitResult): Promise<boolean> {
  const { outcome } = visit
  const { walls, plan } = context.deps
  const { closeBanners, bannerSelectors } = plan.advanced
  if (outcome.kind !== 'excluded' || outcome.reason !== 'redirect' || outcome.leadsTo === undefined) return false
  if ((!closeBanners && bannerSelectors.length === 0) || walls.unopenedRedirects >= maxVain) return false
  if (!leadsToWall(context, outcome.leadsTo)) return false
  await waitUntilIdle(context.tab, { capMs: getRemainingMs(context, maxSettleMs.links) })
  const wasOpened = await openWallByBanner(context)
  walls.unopenedRedirects = wasOpened ? 0 : walls.unopenedRedirects + 1
  // The choice may be stored by a request.
  if (wasOpened) await waitUntilIdle(context.tab, { capMs: getRemainingMs(context, maxSettleMs.links) })
  return wasOpened
}

/** Passes the wall that a visit ended at. Returns true if the requested URL needs another visit. */
export const passWall = async (context: VisitContext, arrival: Arrival, visit: VisitResult): Promise<boolean> =>
  (await passChallenge(context, arrival, visit)) || (await passRedirect(context, visit))
