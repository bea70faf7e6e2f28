import { authorityOf } from '@clearway/contract/monitor/scan/model.ts'
import { testedMimeTypes } from '../../axe/document-type.ts'
import { readFrameFacts } from '../../axe/fingerprint.ts'
import { holdAxe } from '../../axe/inject.ts'
import { withTimeout } from '../../browser/deadline.ts'
import { holdRefreshes, type RefreshHold } from '../../browser/refresh.ts'
import { openSandbox } from '../../browser/sandbox.ts'
import { isUnreceived, readCurrentDocument, type Tab } from '../../browser/tab.ts'
import { type Claim, getVisitUrl } from '../../frontier.ts'
import type { PageOutcome } from '../../outcome.ts'
import { removeUnusedFragment } from '@clearway/contract/monitor/scan/model.ts'
import { readPageUrl } from '@clearway/contract/monitor/page/url/model.ts'
import { arriveAtUrl, type Arrival } from './arrive.ts'
import { keepChosenPage } from './chosen-page.ts'
import { completeVisit, excludeDuplicate, failForAnalysis } from './complete.ts'
import {
  createPreparation,
  excludeVisit,
  failVisit,
  getRemainingMs,
  getElapsedMs,
  explainTimeout,
  type VisitContext,
  type ArrivedDocument,
  type VisitResult,
  type VisitDeps,
} from './context.ts'
import { checkArrival, hasMovedByScript, readShownType } from './check-arrival.ts'
import { readPageLinks } from './links.ts'
import { explainBrokenDocument } from './net-error.ts'
import { computeSignature, toLinkSource } from './signature.ts'
import { analyzeUntilStable, type VisitSnapshot, type SkippedPage } from './snapshot.ts'
import { parseRetryAfterMs } from '../pace.ts'
import { hideTokensInText } from '../action/token.ts'
import { judgeKeywords } from './prepare.ts'
import { awaitStableDocument, maxReloadMs, maxReloads } from './reload.ts'
import { markStandIn } from './stand-in.ts'
import { checkSignedIn, failSignedOut, judgeRedirect } from './signed-in.ts'
import { passWall } from './wall.ts'
import { maxSettleMs } from '../settle/limits.ts'
import { waitUntilIdle } from '../settle/settle.ts'
import { removeFragment } from '../../browser/remove-fragment.ts'

const maxNavigationMs = 30_000

/** Key under which the guard records a response that was too large: only the host for a tunnel. */
function toGuardKey(urlText: string): string {
  const documentUrl = new URL(urlText)
  documentUrl.hash = ''
  return documentUrl.protocol === 'https:' ? authorityOf(documentUrl) : documentUrl.href
}

/** Fails a page that stopped responding: it navigated away, or is busy. */
async function failUnresponsive(context: VisitContext, document: ArrivedDocument): Promise<VisitResult> {
  const currentDocument = await readCurrentDocument(context.tab)
  const hasNavigated = currentDocument !== null && currentDocument.loaderId !== document.loaderId
  const [failureReason, failureDetail] = hasNavigated
    ? (['client-redirect', `The page goes on to ${currentDocument.url} by itself`] as const)
    : explainTimeout(context, 'The page did not answer')
  return failVisit(context, failureReason, failureDetail, { document, keepTab: false })
}

/** Fails a document of which nothing was received, and nothing will be; null for all others. */
function failUnreceived(context: VisitContext, document: ArrivedDocument): VisitResult | null {
  const { received } = context.tab
  if (!isUnreceived(received)) return null
  return failVisit(context, ...explainBrokenDocument(URL.parse(document.url)?.host, received.errorCode), { document })
}

/** Above this length, cookies fill the request headers, and servers refuse the request or hang up. */
const minManyCookies = 8000

/** Opens a URL. Retries once without cookies if another page's cookies made the server refuse. */
async function arriveWithCookies(context: VisitContext, url: string, refreshHold: RefreshHold): Promise<Arrival> {
  const { tab, deps } = context
  const { referrer: referrerHeader } = deps.plan.advanced
  const { isOnce = false } = context
  const firstArrival = await arriveAtUrl(tab, deps.guard, url, getRemainingMs(context, maxNavigationMs), referrerHeader, isOnce)
  const isRefused =
    firstArrival.kind === 'no-document'
      ? false
      : firstArrival.kind === 'failed'
        ? firstArrival.reason === 'connection-failed' || firstArrival.status === 431
        : firstArrival.status === 400 || firstArrival.status === 431
  if (!isRefused || isOnce) return firstArrival
  const browserContext = tab.page.context()
  const cookieResult = await withTimeout(
    1000,
    browserContext.cookies(url).catch(() => []),
  )
  if (!cookieResult.done || JSON.stringify(cookieResult.value).length < minManyCookies) return firstArrival
  await withTimeout(
    1000,
    browserContext.clearCookies().catch(() => {}),
  )
  refreshHold.clear()
  return arriveAtUrl(tab, deps.guard, url, getRemainingMs(context, maxNavigationMs), referrerHeader)
}

const isTestedType = ({ mimeType }: ArrivedDocument): boolean => mimeType === null || testedMimeTypes.has(mimeType)

/** Opens a URL. The arrival's URL has a fragment only if it can identify a page. */
async function arriveAtPage(context: VisitContext, url: string, refreshHold: RefreshHold): Promise<Arrival> {
  let arrival = await arriveWithCookies(context, url, refreshHold)
  const actingTarget = refreshHold.findActingTarget()
  if (actingTarget !== null && arrival.kind === 'failed') arrival = { ...arrival, url: actingTarget, isHung: false }
  if (!context.isOnce && arrival.kind === 'document' && arrival.isSandboxed && isTestedType(arrival) && !context.closeSandbox) {
    context.closeSandbox = await openSandbox(context.tab.page)
    if (context.closeSandbox) arrival = await arriveWithCookies(context, url, refreshHold)
  }
  return { ...arrival, url: removeUnusedFragment(arrival.url, context.deps.plan.advanced) }
}

/** Checks the settings before a URL is requested; null if it may be visited. */
function checkSettings(context: VisitContext, parsed: URL): VisitResult | null {
  const { fault, scope } = context.deps
  if (fault) return failVisit(context, fault.reason, fault.detail)
  // Links are checked when they are discovered. A start URL that the scan's own rules exclude is a visible mistake.
  const outOfScope = context.claim.foundOn === null ? scope(parsed) : null
  return outOfScope ? failVisit(context, 'violates-settings', outOfScope.detail) : null
}

/** Completes a page without an axe run, with its links. */
const completeUnanalyzed = (
  context: VisitContext,
  document: ArrivedDocument,
  links: VisitResult['links'],
): VisitResult & { outcome: Extract<PageOutcome, { kind: 'completed' }> } => ({
  outcome: {
    kind: 'completed',
    finalUrl: document.url,
    httpStatus: document.status,
    mimeType: document.mimeType,
    durationMs: getElapsedMs(context),
    title: '',
    health: 'good',
    findings: [],
    notices: [],
    content: null,
    ...(context.isProved === undefined ? {} : { isProved: context.isProved }),
  },
  links,
  keepTab: true,
})

const signedOutText = 'The page shows that the scan is signed out'

/** Ends the visit of a page that is not to be analyzed. */
async function skipPage(context: VisitContext, document: ArrivedDocument, skippedPage: SkippedPage): Promise<VisitResult> {
  switch (skippedPage.kind) {
    case 'signed-out':
      return failSignedOut(context, signedOutText, document)
    case 'too-large':
      return failVisit(context, 'too-large', skippedPage.why, { document, keepTab: false })
    case 'unchanged': {
      const idleUrl = removeUnusedFragment(skippedPage.url, context.deps.plan.advanced)
      const { facts } = skippedPage
      const unchangedVisit = completeUnanalyzed(context, { ...document, url: idleUrl }, facts.links)
      // The method of the signature may have changed since the page was analyzed.
      const signature = computeSignature(context, idleUrl, facts)
      return { ...unchangedVisit, outcome: { ...unchangedVisit.outcome, signature, unchanged: true } }
    }
    case 'keyword': {
      const pageLinks = await readPageLinks(context)
      return excludeVisit(context, 'keyword-rule', skippedPage.why, { ...document, links: pageLinks })
    }
  }
}

/** Opens a page only for its links. */
async function collectLinks(context: VisitContext, document: ArrivedDocument): Promise<VisitResult> {
  const { eagerStrategy } = context.deps.plan.advanced
  const capMs = getRemainingMs(context, maxSettleMs.preview)
  await waitUntilIdle(context.tab, { capMs, eager: eagerStrategy, lazyFrames: true })
  const unreceivedVisit = failUnreceived(context, document)
  if (unreceivedVisit) return unreceivedVisit
  if (!(await checkSignedIn(context))) return failSignedOut(context, signedOutText, document)
  const keywordReason = await judgeKeywords(context.tab, context.claim.url, context.deps.plan.advanced.keywordRules)
  const documentFacts = await readFrameFacts(context.tab, getRemainingMs(context, 5000))
  const links = documentFacts?.links ?? []
  if (keywordReason !== null) return excludeVisit(context, 'keyword-rule', keywordReason, { ...document, links })
  const visit = completeUnanalyzed(context, document, links)
  if (documentFacts === null) return visit
  const signature = computeSignature(context, document.url, documentFacts)
  return (
    excludeDuplicate(context, document, documentFacts) ?? {
      ...visit,
      outcome: { ...visit.outcome, title: documentFacts.title.slice(0, 1000), signature },
      source: toLinkSource(documentFacts.signature),
    }
  )
}

/** Ends the visit if the document that replaced the first one is another page, or an error; null if it is the requested page. */
async function judgeReplacement(
  context: VisitContext,
  document: ArrivedDocument,
  { url }: VisitSnapshot,
): Promise<VisitResult | null> {
  const { page, received } = context.tab
  const replacement = { ...document, url, status: received.status ?? document.status }
  const earlyEnd = await checkArrival(context, replacement)
  if (earlyEnd || !page.url().startsWith('chrome-error:')) return earlyEnd
  const failureDetail = `${URL.parse(url)?.host}: the page loaded itself again, and no answer came`
  return failVisit(context, 'connection-failed', failureDetail, { document: replacement })
}

/** Evaluates the snapshot of an idle document. */
async function judgeSnapshot(
  context: VisitContext,
  document: ArrivedDocument,
  snapshot: VisitSnapshot,
  requestedAt: number,
): Promise<VisitResult> {
  // A truncated document says so itself, unless it is so large that it no longer responds.
  const hasBrokenOff = context.tab.received.errorCode !== null
  const truncation = hasBrokenOff ? context.deps.guard.findProblem(toGuardKey(document.url), requestedAt) : null
  if (truncation?.problem === 'too-large') return failVisit(context, 'too-large', truncation.detail, { document })
  // A page that is too busy to report its URL has not navigated.
  if (snapshot.loaderId !== null && snapshot.loaderId !== document.loaderId) {
    if (!snapshot.isSettled) return failForAnalysis(context, document, { ...snapshot, analysis: { kind: 'gone' } })
    const replacementVisit = await judgeReplacement(context, document, snapshot)
    if (replacementVisit) return replacementVisit
  }
  if (await hasMovedByScript(context, snapshot.url)) {
    const redirectVisit = await judgeRedirect(context, snapshot.url, document)
    if (redirectVisit) return redirectVisit
  }
  return completeVisit(context, document, snapshot)
}

async function analyzeDocument(context: VisitContext, arrival: ArrivedDocument, requestedAt: number): Promise<VisitResult> {
  const snapshot = await analyzeUntilStable(context)
  if (snapshot === null) {
    const truncation = context.deps.guard.findProblem(toGuardKey(arrival.url), requestedAt)
    if (truncation?.problem !== 'too-large') return failUnreceived(context, arrival) ?? failUnresponsive(context, arrival)
    return failVisit(context, 'too-large', truncation.detail, { document: arrival, keepTab: false })
  }
  if ('kind' in snapshot) return skipPage(context, arrival, snapshot)
  const idleUrl = removeUnusedFragment(snapshot.url, context.deps.plan.advanced)
  return judgeSnapshot(context, arrival, { ...snapshot, url: idleUrl }, requestedAt)
}

const hasLeft = ({ outcome }: VisitResult): boolean => outcome.kind === 'failed' && outcome.reason === 'client-redirect'

/** Forgets what was prepared on a document that is replaced. */
const forgetPreparation = ({ preparation }: VisitContext) =>
  Object.assign(preparation, { notices: [], details: [...preparation.wallDetails] })

/** Analyzes a document, and the one that replaces it: at its own address, or elsewhere, which is a redirect. */
async function judgeDocument(context: VisitContext, arrival: ArrivedDocument, requestedAt: number): Promise<VisitResult> {
  let visit = await analyzeDocument(context, arrival, requestedAt)
  for (let reloadCount = 0; hasLeft(visit) && !context.isOnce && reloadCount < maxReloads; reloadCount++) {
    if (!(await awaitStableDocument(context.tab, getRemainingMs(context, maxReloadMs)))) break
    forgetPreparation(context)
    visit = await analyzeDocument(context, arrival, requestedAt)
  }
  return visit
}

async function judgeArrival(context: VisitContext, response: Arrival, requestedAt: number): Promise<VisitResult> {
  const retryAfterHeader = response.kind === 'no-document' ? undefined : response.retryAfter
  const pdfVisit = await context.deps.pdf(context, response)
  if (pdfVisit) return pdfVisit
  const arrival = await readShownType(context, response)
  const earlyEnd = await checkArrival(context, arrival)
  if (earlyEnd || arrival.kind !== 'document') return { ...earlyEnd!, retryAfterMs: parseRetryAfterMs(retryAfterHeader) }
  if (!context.deps.analyze) return collectLinks(context, arrival)
  return judgeDocument(context, arrival, requestedAt)
}

/** A challenge, and a choice that a redirect asks for. */
const maxWalls = 2

async function visitUrl(context: VisitContext, url: string, refreshHold: RefreshHold): Promise<VisitResult> {
  const visitOnce = async () => {
    const requestedAt = performance.now()
    const arrival = await arriveAtPage(context, url, refreshHold)
    return { arrival, visit: await judgeArrival(context, arrival, requestedAt) }
  }
  const visitAgain = () => {
    refreshHold.clear()
    forgetPreparation(context)
    return visitOnce()
  }
  let attempt = await visitOnce()
  if (context.isOnce) return attempt.visit
  const isAnalyzed = context.deps.analyze && attempt.visit.outcome.kind === 'completed'
  const isOwnResult =
    isAnalyzed || attempt.arrival.kind !== 'document' || !context.tab.navigations.wasSuperseded(attempt.arrival.loaderId)
  // The previous page has finished its navigation and is gone.
  if (!isOwnResult && getRemainingMs(context, Infinity) > 0) attempt = await visitAgain()
  for (let wallCount = 0; wallCount < maxWalls && getRemainingMs(context, Infinity) > 0; wallCount++) {
    const isPassed = await passWall(context, attempt.arrival, attempt.visit)
    if (!isPassed || getRemainingMs(context, Infinity) <= 0) break
    attempt = await visitAgain()
  }
  return attempt.visit
}

/**
 * Tells targets of redirects and scripts that may sign out or change something: the browser would open them by itself. Null if
 * the scan opens all of them.
 */
function createActingTest({ acting }: VisitDeps, visitedUrl: string): ((url: string) => boolean) | null {
  if (!acting.isOn) return null
  const visitedPage = removeFragment(visitedUrl)
  return (url) => {
    const targetUrl = url === visitedPage ? null : URL.parse(url)
    return targetUrl !== null && acting.findReason(targetUrl) !== null
  }
}

/** More people see a scan than may sign in to its site. */
const hideDetailTokens = ({ acting }: VisitDeps, outcome: PageOutcome): PageOutcome =>
  acting.isOn && outcome.detail ? { ...outcome, detail: hideTokensInText(outcome.detail) } : outcome

/** Visits one URL in a tab: opens it, waits until it is idle, analyzes it. Never rejects because of a page's behavior. */
export async function visitPageInTab(
  visitDeps: VisitDeps,
  tab: Tab,
  claim: Claim,
  visitOptions: Pick<VisitContext, 'signal' | 'idle'> = {},
): Promise<VisitResult> {
  const pageUrl = readPageUrl(getVisitUrl(claim), visitDeps.plan.advanced)
  const startedAt = performance.now()
  const deadlineAt = startedAt + visitDeps.plan.advanced.pageTimeoutMs
  const visitContext: VisitContext = {
    deps: visitDeps,
    tab,
    claim,
    key: claim.key,
    startedAt,
    deadlineAt,
    isReusable: true,
    preparation: createPreparation(),
    isOnce: visitDeps.acting.mayAct(getVisitUrl(claim)),
    ...visitOptions,
  }
  if (!pageUrl.ok) return failVisit(visitContext, 'bad-url', `${claim.url} is not a URL that can be visited`)
  const settingsRefusal = checkSettings(visitContext, pageUrl.parsed)
  if (settingsRefusal) return settingsRefusal
  tab.sent.clear()
  const isLikelyAnalyzed = visitDeps.analyze && !visitDeps.reuse.isLikelyUnchanged(claim)
  await holdAxe(tab, isLikelyAnalyzed ? visitDeps.script : null)
  const refreshHold = holdRefreshes(tab, createActingTest(visitDeps, pageUrl.url))
  try {
    const visitResult = await visitUrl(visitContext, pageUrl.url, refreshHold)
    // The document does not contain a refresh that was sent as a header.
    const refreshLinks = refreshHold.listTargets().map((url) => ({ url, kind: 'meta-refresh' as const }))
    const { states } = visitContext.preparation
    // A page that is visited again must be able to test them again.
    const hasFailed = visitResult.outcome.kind === 'failed'
    if (hasFailed) for (const { key } of states) visitDeps.banners.release(key)
    const checkedResult = visitContext.isOnce
      ? visitResult
      : await markStandIn(visitContext, await keepChosenPage(visitContext, visitResult))
    const outcome = { ...hideDetailTokens(visitDeps, checkedResult.outcome), requests: tab.sent.read() }
    const { doubtfulPage } = visitContext
    return {
      ...checkedResult,
      outcome,
      links: [...visitResult.links, ...refreshLinks],
      states: hasFailed ? [] : states,
      ...(doubtfulPage ? { doubtfulPage } : {}),
    }
  } finally {
    await visitContext.closeSandbox?.()
    refreshHold.release()
  }
}
