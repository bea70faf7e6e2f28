import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { analyzeTab } from '../../axe/analyze.ts'
import { preloadAxe } from '../../axe/inject.ts'
import { computeFingerprint, readFrameLinks } from '../../axe/fingerprint.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { Analysis } from '../../axe/report.ts'
import { sleep } from '../../browser/deadline.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import { callInWorld, openWorld } from '../../browser/isolated-world.ts'
import { measureVisitPart } from '../../scan-measure.ts'
import { awaitElements, isSignedIn, judgeKeywords, preparePage } from './prepare.ts'
import { getRemainingMs, type ReuseState, type VisitContext } from './context.ts'
import type { DocumentState } from '../settle/settle-in-page.ts'
import { quietWindowMs, maxSettleMs } from '../settle/limits.ts'
import { maxElements, waitUntilIdle, type SettleResult } from '../settle/settle.ts'

/** Maximum analysis time within the page's limit. The largest real pages need half of it on a busy machine. */
const maxAnalysisMs = 50_000

/** Maximum time for the fingerprints of all frames; most pages need less than a twentieth. */
const maxFingerprintMs = 5000

/** An analysis with the state of the document before and after it. */
export type VisitSnapshot = {
  analysis: Exclude<Analysis, { kind: 'too-large' }>
  isSettled: boolean
  /** Additional notices for the page. */
  notices: PageNotice[]
  hasChanged: boolean
  loaderId: string | null
  url: string
  /** Null if it cannot be computed reliably or is not needed. */
  fingerprint: string | null
  /** True if the page was analyzed although it is unchanged. */
  isAudited: boolean
}

/** The reason why an idle page is not analyzed. */
export type SkippedPage =
  | { kind: 'keyword'; why: string }
  | { kind: 'signed-out' }
  | { kind: 'too-large'; why: string }
  /** The page is unchanged since the previous run. */
  | { kind: 'unchanged'; links: DocumentFacts['links']; url: string }

const describeTooLarge = (elements: number): string =>
  `The page has ${elements} elements or more; up to ${maxElements} are analyzed`

/** Returns a skip if the page is too large to analyze; null otherwise. */
const checkSize = ({ elements }: DocumentState): SkippedPage | null =>
  elements > maxElements ? { kind: 'too-large', why: describeTooLarge(elements) } : null

const hasChanged = (beforeState: DocumentState, afterState: DocumentState): boolean =>
  beforeState.changes !== afterState.changes ||
  beforeState.frames !== afterState.frames ||
  beforeState.url !== afterState.url

/** Waits until the page is idle, and again after the scan's preparations for the test. */
async function settleForAnalysis(
  context: VisitContext,
  capMs: number,
  windowMs: number | undefined,
  whenReady: () => void,
): Promise<SettleResult & { hasMissing?: boolean }> {
  const { tab, deps, idle: onIdleChange = () => {} } = context
  const { advanced } = deps.plan
  const waitForIdle = () =>
    waitUntilIdle(tab, {
      // Half of the remaining time is reserved for the analysis.
      capMs: Math.min(capMs, getRemainingMs(context, Infinity) / 2),
      eager: advanced.eagerStrategy,
      lazyFrames: true,
      whenReady,
      onIdleChange,
      ...(windowMs === undefined ? {} : { windowMs }),
    })
  const firstResult = await waitForIdle()
  if (firstResult.kind === 'no-answer' || checkSize(firstResult.state)) return firstResult
  const wasPrepared =
    windowMs === undefined && (await preparePage(tab, advanced, getRemainingMs(context, Infinity) / 3))
  // The page is tested even if the elements never appear; half of the remaining time is reserved for that.
  const elementWaitMs = Math.min(advanced.waitForMs, getRemainingMs(context, Infinity) / 2)
  const awaitedElements = await awaitElements(tab, advanced.waitFor, elementWaitMs)
  const settleResult = wasPrepared || awaitedElements.hasWaited ? await waitForIdle() : firstResult
  if (advanced.preScanWaitMs > 0) await sleep(getRemainingMs(context, advanced.preScanWaitMs))
  return { ...settleResult, hasMissing: !awaitedElements.arePresent }
}

/** Returns null if the page can be analyzed: signed in, and accepted by the keyword rules. */
async function checkEligibility(context: VisitContext): Promise<SkippedPage | null> {
  const { tab, deps } = context
  const { mark } = deps
  if (mark && (await isSignedIn(tab, mark)) === false) return { kind: 'signed-out' }
  const keywordReason = await judgeKeywords(tab, context.claim.url, deps.plan.advanced.keywordRules)
  return keywordReason === null ? null : { kind: 'keyword', why: keywordReason }
}

/** Returns the current state of a document; null if it does not respond. */
async function readDocumentState(tab: Tab): Promise<DocumentState | null> {
  const watchWorld = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 1000)
  const callResult = watchWorld ? await callInWorld<string>(watchWorld, 'clearwayState(true)', 1000) : null
  return callResult?.kind === 'value' ? (JSON.parse(callResult.value) as DocumentState) : null
}

/** Returns true if an unchanged page is analyzed anyway: the first one of each process, and a share of the others. */
function shouldAudit(reuse: ReuseState): boolean {
  const isChosen = !reuse.hasAudited || Math.random() < reuse.auditShare
  reuse.hasAudited = true
  return isChosen
}

type ReuseDecision =
  | { kind: 'unchanged'; skippedPage: SkippedPage }
  | { kind: 'analyze'; fingerprint: string | null; audited: boolean }

/** Computes the fingerprint of an idle page, and decides whether the page needs to be analyzed. */
async function decideReuse(
  context: VisitContext,
  settleResult: SettleResult & { missing?: boolean },
): Promise<ReuseDecision> {
  const { tab, claim } = context
  const { reuse } = context.deps
  const analyzeDecision = { kind: 'analyze', fingerprint: null, audited: false } as const
  if (
    !reuse ||
    !context.isReusable ||
    settleResult.kind !== 'settled' ||
    settleResult.missing ||
    !settleResult.state.complete
  )
    return analyzeDecision
  const fingerprintResult = await computeFingerprint(
    tab,
    reuse.conditions,
    getRemainingMs(context, maxFingerprintMs),
  )
  if ('cannot' in fingerprintResult) return analyzeDecision
  const { print: fingerprint } = fingerprintResult
  if (claim.knownPrint != null) reuse.lastMatched = fingerprint === claim.knownPrint
  if (fingerprint !== claim.knownPrint) return { kind: 'analyze', fingerprint, audited: false }
  if (shouldAudit(reuse)) return { kind: 'analyze', fingerprint, audited: true }
  const pageLinks = await readFrameLinks(tab, getRemainingMs(context, maxFingerprintMs))
  const laterState = await readDocumentState(tab)
  // A page that changed in the meantime may no longer be the same.
  if (pageLinks === null || laterState === null || hasChanged(settleResult.state, laterState))
    return analyzeDecision
  return { kind: 'unchanged', skippedPage: { kind: 'unchanged', links: pageLinks, url: laterState.url } }
}

async function analyzeOnce(
  context: VisitContext,
  capMs: number,
  windowMs?: number,
): Promise<VisitSnapshot | SkippedPage | null> {
  const { tab, deps, claim } = context
  const preloadState: { injection?: Promise<void> } = {}
  const preloadWhenReady = () => {
    // A page that may be unchanged may not need axe, and an eager scan does not wait.
    if (claim.knownPrint == null && !deps.plan.advanced.eagerStrategy)
      preloadState.injection ??= preloadAxe(tab, deps.script, getRemainingMs(context, maxAnalysisMs))
  }
  const settleResult = await measureVisitPart('settle', () =>
    settleForAnalysis(context, capMs, windowMs, preloadWhenReady),
  )
  if (settleResult.kind === 'no-answer') return null
  // A page can grow between the first analysis and the second.
  const skippedPage =
    checkSize(settleResult.state) ?? (windowMs === undefined ? await checkEligibility(context) : null)
  if (skippedPage) return skippedPage
  const reuseDecision = await decideReuse(context, settleResult)
  if (reuseDecision.kind === 'unchanged') return reuseDecision.skippedPage
  const documentBefore = await readCurrentDocument(tab)
  await preloadState.injection
  const pageAnalysis = await measureVisitPart('axe', () =>
    analyzeTab(tab, {
      script: deps.script,
      axe: deps.axe,
      maxElements,
      components: (deps.plan.commonComponents?.components ?? []).map(({ selectors }) => selectors),
      contentCharacters: deps.plan.advanced.savePageContent ? deps.contentBytes : 0,
      limitMs: getRemainingMs(context, maxAnalysisMs),
    }),
  )
  // The analysis counts the content of shadow roots and frames, and late additions, too.
  if (pageAnalysis.kind === 'too-large')
    return { kind: 'too-large', why: describeTooLarge(pageAnalysis.elements) }
  const stateAfter = pageAnalysis.kind === 'done' ? await readDocumentState(tab) : null
  const documentAfter = await readCurrentDocument(tab)
  const wasChanged = stateAfter === null || hasChanged(settleResult.state, stateAfter)
  const isSameDocument =
    documentBefore !== null && documentAfter !== null && documentBefore.loaderId === documentAfter.loaderId
  return {
    analysis: pageAnalysis.kind === 'done' && !isSameDocument ? { kind: 'gone' } : pageAnalysis,
    isSettled: settleResult.kind === 'settled',
    notices: [
      ...(settleResult.state.complete && !tab.received.brokeOff ? [] : (['not-fully-loaded'] as const)),
      ...(settleResult.hasMissing ? (['element-not-found'] as const) : []),
    ],
    hasChanged: wasChanged,
    fingerprint: wasChanged ? null : reuseDecision.fingerprint,
    isAudited: reuseDecision.audited && !wasChanged,
    loaderId: documentAfter?.loaderId ?? null,
    url: documentAfter?.url ?? '',
  }
}

/**
 * Analyzes the tab's page, and repeats the analysis once if the page changed or navigated during it. A second change is
 * kept and marked, a second navigation fails the page. Null if the page does not respond.
 */
export async function analyzeUntilStable(context: VisitContext): Promise<VisitSnapshot | SkippedPage | null> {
  const firstSnapshot = await analyzeOnce(context, maxSettleMs.first)
  if (!firstSnapshot || 'kind' in firstSnapshot) return firstSnapshot
  const shouldRepeat =
    firstSnapshot.analysis.kind === 'gone' ||
    (firstSnapshot.analysis.kind === 'done' &&
      firstSnapshot.hasChanged &&
      !context.deps.plan.advanced.eagerStrategy)
  if (!shouldRepeat) return firstSnapshot
  const secondSnapshot = await analyzeOnce(context, maxSettleMs.second, quietWindowMs.second)
  return secondSnapshot && 'analysis' in secondSnapshot
    ? { ...secondSnapshot, isSettled: secondSnapshot.isSettled && !secondSnapshot.hasChanged }
    : secondSnapshot
}
