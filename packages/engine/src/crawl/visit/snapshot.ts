import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { analyzeTab } from '../../axe/analyze.ts'
import { preloadAxe } from '../../axe/inject.ts'
import type { Analysis } from '../../axe/report.ts'
import { sleep, withTimeout } from '../../browser/deadline.ts'
import { readCurrentDocument } from '../../browser/tab.ts'
import { measureVisitPart } from '../../engine-event.ts'
import { awaitElements, judgeKeywords, preparePage } from './prepare.ts'
import { checkSignedIn } from './signed-in.ts'
import { getRemainingMs, type VisitContext } from './context.ts'
import type { ReuseDecision } from '../reuse/reuse.ts'
import type { DocumentState } from '../settle/settle-in-page.ts'
import { quietWindowMs, maxSettleMs } from '../settle/limits.ts'
import { hasDocumentChanged, maxElements, readDocumentState, waitUntilIdle, type SettleResult } from '../settle/settle.ts'

/** Maximum time of the axe runs within the page's limit. The largest real pages need half of it on a busy machine. */
const maxAnalysisMs = 50_000
/** Maximum time to wait for the source of a document, which is read while the page becomes idle. */
const maxSourceCheckMs = 1000

/** An axe run with the state of the document before and after it. */
export type VisitSnapshot = {
  analysis: Exclude<Analysis, { kind: 'too-large' }>
  isSettled: boolean
  /** Additional notices for the page. */
  notices: PageNotice[]
  hasChanged: boolean
  loaderId: string | null
  url: string
  /** See `ReuseDecision`; null also if the page changed during the axe run. */
  fingerprint: string | null
  isAudited: boolean
}

/** The reason why an idle page is not analyzed. */
export type SkippedPage =
  | { kind: 'keyword'; why: string }
  | { kind: 'signed-out' }
  | { kind: 'too-large'; why: string }
  | Extract<ReuseDecision, { kind: 'unchanged' }>

const describeTooLarge = (elements: number): string =>
  `The page has ${elements} elements or more; up to ${maxElements} are analyzed`

/** Returns a skip if the page is too large to analyze; null otherwise. */
const checkSize = ({ elements }: DocumentState): SkippedPage | null =>
  elements > maxElements ? { kind: 'too-large', why: describeTooLarge(elements) } : null

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
      // Half of the remaining time is reserved for the axe run.
      capMs: Math.min(capMs, getRemainingMs(context, Infinity) / 2),
      eager: advanced.eagerStrategy,
      lazyFrames: true,
      whenReady,
      onIdleChange,
      ...(windowMs === undefined ? {} : { windowMs }),
    })
  const firstResult = await waitForIdle()
  if (firstResult.kind === 'no-answer' || checkSize(firstResult.state)) return firstResult
  const wasPrepared = windowMs === undefined && (await preparePage(context))
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
  if (!(await checkSignedIn(context))) return { kind: 'signed-out' }
  const keywordReason = await judgeKeywords(tab, context.claim.url, deps.plan.advanced.keywordRules)
  return keywordReason === null ? null : { kind: 'keyword', why: keywordReason }
}

/** Decides whether a page is analyzed. States of a script, and pages without an awaited element, always are. */
const decideReuse = (context: VisitContext, settleResult: SettleResult & { hasMissing?: boolean }): Promise<ReuseDecision> =>
  context.isReusable && !settleResult.hasMissing
    ? context.deps.reuse.decide({
        tab: context.tab,
        claim: context.claim,
        settleResult,
        getRemainingMs: (maxMs) => getRemainingMs(context, maxMs),
      })
    : Promise.resolve({ kind: 'analyze', fingerprint: null, isAudited: false })

async function analyzeOnce(context: VisitContext, capMs: number, windowMs?: number): Promise<VisitSnapshot | SkippedPage | null> {
  const { tab, deps, claim } = context
  const preloadState: { injection?: Promise<void> } = {}
  const preloadWhenReady = () => {
    // A page that may be unchanged may not need axe, and an eager scan does not wait.
    if (!deps.reuse.isKnown(claim) && !deps.plan.advanced.eagerStrategy)
      preloadState.injection ??= preloadAxe(tab, deps.script, getRemainingMs(context, maxAnalysisMs))
  }
  const settleResult = await measureVisitPart('settle', () => settleForAnalysis(context, capMs, windowMs, preloadWhenReady))
  if (settleResult.kind === 'no-answer') return null
  // A page can grow between the first axe run and the second.
  const skippedPage = checkSize(settleResult.state) ?? (windowMs === undefined ? await checkEligibility(context) : null)
  if (skippedPage) return skippedPage
  const reuseDecision = await decideReuse(context, settleResult)
  if (reuseDecision.kind === 'unchanged') return reuseDecision
  const documentBefore = await readCurrentDocument(tab)
  await preloadState.injection
  if (tab.received.sourceCheck) await withTimeout(maxSourceCheckMs, tab.received.sourceCheck)
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
  // The axe run counts the content of shadow roots and frames, and late additions, too.
  if (pageAnalysis.kind === 'too-large') return { kind: 'too-large', why: describeTooLarge(pageAnalysis.elements) }
  const stateAfter = pageAnalysis.kind === 'done' ? await readDocumentState(tab) : null
  const documentAfter = await readCurrentDocument(tab)
  const wasChanged = stateAfter === null || hasDocumentChanged(settleResult.state, stateAfter)
  const isSameDocument = documentBefore !== null && documentAfter !== null && documentBefore.loaderId === documentAfter.loaderId
  return {
    analysis: pageAnalysis.kind === 'done' && !isSameDocument ? { kind: 'gone' } : pageAnalysis,
    isSettled: settleResult.kind === 'settled',
    notices: [
      ...(settleResult.state.complete && tab.received.errorCode === null ? [] : (['not-fully-loaded'] as const)),
      ...(settleResult.hasMissing ? (['element-not-found'] as const) : []),
    ],
    hasChanged: wasChanged,
    fingerprint: wasChanged ? null : reuseDecision.fingerprint,
    isAudited: reuseDecision.isAudited && !wasChanged,
    loaderId: documentAfter?.loaderId ?? null,
    url: documentAfter?.url ?? '',
  }
}

/**
 * Analyzes the tab's page, and repeats the axe run once if the page changed or navigated during it. A second change is
 * kept and marked, a second navigation fails the page. Null if the page does not respond.
 */
export async function analyzeUntilStable(context: VisitContext): Promise<VisitSnapshot | SkippedPage | null> {
  const firstSnapshot = await analyzeOnce(context, maxSettleMs.first)
  if (!firstSnapshot || 'kind' in firstSnapshot) return firstSnapshot
  const shouldRepeat =
    firstSnapshot.analysis.kind === 'gone' ||
    (firstSnapshot.analysis.kind === 'done' && firstSnapshot.hasChanged && !context.deps.plan.advanced.eagerStrategy)
  if (!shouldRepeat) return firstSnapshot
  const secondSnapshot = await analyzeOnce(context, maxSettleMs.second, quietWindowMs.second)
  return secondSnapshot && 'analysis' in secondSnapshot
    ? { ...secondSnapshot, isSettled: secondSnapshot.isSettled && !secondSnapshot.hasChanged }
    : secondSnapshot
}
