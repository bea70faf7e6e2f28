import type { PageNotice } from '@clearway/contract/monitor/page/schema.ts'
import { analyse } from '../../axe/analyse.ts'
import { bringAhead } from '../../axe/bring.ts'
import { fingerprintOf, linksWithoutAxe } from '../../axe/fingerprint.ts'
import type { DocumentFacts } from '../../axe/report-in-page.ts'
import type { Analysis } from '../../axe/report.ts'
import { sleep } from '../../browser/deadline.ts'
import { readCurrentDocument, type Tab } from '../../browser/tab.ts'
import { callInWorld, openWorld } from '../../browser/world.ts'
import { measureVisitPart } from '../../scan-measure.ts'
import { awaitElements, isSignedIn, judgeKeywords, prepare } from './prepare.ts'
import { left, type Reuse, type VisitContext } from './context.ts'
import type { DocumentState } from '../settle/in-page.ts'
import { quietWindow, settleCap } from '../settle/time.ts'
import { mostElements, settle, type Settled } from '../settle/settle.ts'

/** Of the page’s own time; the largest of real pages needs half of it on a busy machine. */
const analysisMs = 50_000

/** For all frames together; few pages need a twentieth of it. */
const fingerprintMs = 5000

/** An analysis with the marks of the document before and after it. */
export type Look = {
  analysis: Exclude<Analysis, { kind: 'too-large' }>
  settled: boolean
  /** What else is to be said of it. */
  notices: PageNotice[]
  moved: boolean
  loaderId: string | null
  url: string
  /** Null where it cannot be told from another, or is not wanted. */
  fingerprint: string | null
  /** Unchanged, and analysed all the same. */
  audited: boolean
}

/** Why a page that has come to rest is not analysed. */
export type Passed =
  | { kind: 'keyword'; why: string }
  | { kind: 'signed-out' }
  | { kind: 'too-large'; why: string }
  /** It is what it was in the run before. */
  | { kind: 'unchanged'; links: DocumentFacts['links']; url: string }

const tooLarge = (elements: number): string =>
  `The page has ${elements} elements or more; up to ${mostElements} are analyzed`

/** What keeps a page from being analysed by its size; null for nothing. */
const oversize = ({ elements }: DocumentState): Passed | null =>
  elements > mostElements ? { kind: 'too-large', why: tooLarge(elements) } : null

const moved = (before: DocumentState, after: DocumentState): boolean =>
  before.changes !== after.changes || before.frames !== after.frames || before.url !== after.url

/** Waits for rest, and again after what the scan wants done to a page before its test. */
async function rest(
  context: VisitContext,
  capMs: number,
  windowMs: number | undefined,
  whenReady: () => void,
): Promise<Settled & { missing?: boolean }> {
  const { tab, deps, idle = () => {} } = context
  const { advanced } = deps.plan
  const wait = () =>
    settle(tab, {
      // Half of what is left is the analysis's.
      capMs: Math.min(capMs, left(context, Infinity) / 2),
      eager: advanced.eagerStrategy,
      lazyFrames: true,
      whenReady,
      idle,
      ...(windowMs === undefined ? {} : { windowMs }),
    })
  const first = await wait()
  if (first.kind === 'no-answer' || oversize(first.state)) return first
  const acted = windowMs === undefined && (await prepare(tab, advanced, left(context, Infinity) / 3))
  // The page is tested even when they never come: half of what is left is for that.
  const waitMs = Math.min(advanced.waitForMs, left(context, Infinity) / 2)
  const elements = await awaitElements(tab, advanced.waitFor, waitMs)
  const settled = acted || elements.waited ? await wait() : first
  if (advanced.preScanWaitMs > 0) await sleep(left(context, advanced.preScanWaitMs))
  return { ...settled, missing: !elements.there }
}

/** Whether the page is one to analyse: seen signed in, and wanted by the keyword rules. */
async function judge(context: VisitContext): Promise<Passed | null> {
  const { tab, deps } = context
  const { mark } = deps
  if (mark && (await isSignedIn(tab, mark)) === false) return { kind: 'signed-out' }
  const why = await judgeKeywords(tab, context.claim.url, deps.plan.advanced.keywordRules)
  return why === null ? null : { kind: 'keyword', why }
}

/** The state of a document after something was done with it; null when it does not answer. */
async function stateNow(tab: Tab): Promise<DocumentState | null> {
  const world = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 1000)
  const answer = world ? await callInWorld<string>(world, 'clearwayState(true)', 1000) : null
  return answer?.kind === 'value' ? (JSON.parse(answer.value) as DocumentState) : null
}

/** Whether an unchanged page is analysed all the same: the first of each process, and of the rest a share. */
function isAudited(reuse: Reuse): boolean {
  const chosen = !reuse.audited || Math.random() < reuse.auditShare
  reuse.audited = true
  return chosen
}

type Reusing =
  { kind: 'unchanged'; passed: Passed } | { kind: 'analyse'; print: string | null; audited: boolean }

/** Sums up a page that has come to rest, and says whether it needs to be analysed. */
async function reuseOf(context: VisitContext, state: Settled & { missing?: boolean }): Promise<Reusing> {
  const { tab, claim } = context
  const { reuse } = context.deps
  const none = { kind: 'analyse', print: null, audited: false } as const
  if (!reuse || !context.reusable || state.kind !== 'settled' || state.missing || !state.state.complete)
    return none
  const found = await fingerprintOf(tab, reuse.conditions, left(context, fingerprintMs))
  if ('cannot' in found) return none
  const { print } = found
  if (claim.knownPrint != null) reuse.holds = print === claim.knownPrint
  if (print !== claim.knownPrint) return { kind: 'analyse', print, audited: false }
  if (isAudited(reuse)) return { kind: 'analyse', print, audited: true }
  const links = await linksWithoutAxe(tab, left(context, fingerprintMs))
  const after = await stateNow(tab)
  // What moves meanwhile may be another page by now.
  if (links === null || after === null || moved(state.state, after)) return none
  return { kind: 'unchanged', passed: { kind: 'unchanged', links, url: after.url } }
}

async function look(context: VisitContext, capMs: number, windowMs?: number): Promise<Look | Passed | null> {
  const { tab, deps, claim } = context
  const ahead: { put?: Promise<void> } = {}
  const whenReady = () => {
    // What may be unchanged may not need axe, and an eager scan does not wait.
    if (claim.knownPrint == null && !deps.plan.advanced.eagerStrategy)
      ahead.put ??= bringAhead(tab, deps.script, left(context, analysisMs))
  }
  const state = await measureVisitPart('settle', () => rest(context, capMs, windowMs, whenReady))
  if (state.kind === 'no-answer') return null
  // A page can grow between its two looks.
  const passed = oversize(state.state) ?? (windowMs === undefined ? await judge(context) : null)
  if (passed) return passed
  const reusing = await reuseOf(context, state)
  if (reusing.kind === 'unchanged') return reusing.passed
  const before = await readCurrentDocument(tab)
  await ahead.put
  const analysis = await measureVisitPart('axe', () =>
    analyse(tab, {
      script: deps.script,
      axe: deps.axe,
      mostElements,
      components: (deps.plan.commonComponents?.components ?? []).map(({ selectors }) => selectors),
      contentCharacters: deps.plan.advanced.savePageContent ? deps.contentBytes : 0,
      limitMs: left(context, analysisMs),
    }),
  )
  // What its shadow roots and frames hold, and what came while nobody looked, is counted there.
  if (analysis.kind === 'too-large') return { kind: 'too-large', why: tooLarge(analysis.elements) }
  const after = analysis.kind === 'done' ? await stateNow(tab) : null
  const now = await readCurrentDocument(tab)
  const hasMoved = after === null || moved(state.state, after)
  const same = before !== null && now !== null && before.loaderId === now.loaderId
  return {
    analysis: analysis.kind === 'done' && !same ? { kind: 'gone' } : analysis,
    settled: state.kind === 'settled',
    notices: [
      ...(state.state.complete && !tab.received.brokeOff ? [] : (['not-fully-loaded'] as const)),
      ...(state.missing ? (['element-not-found'] as const) : []),
    ],
    moved: hasMoved,
    fingerprint: hasMoved ? null : reusing.print,
    audited: reusing.audited && !hasMoved,
    loaderId: now?.loaderId ?? null,
    url: now?.url ?? '',
  }
}

/**
 * Analyses what the tab shows; once more when it changed meanwhile, or when it navigated. A second change is kept and
 * marked, a second navigation is the page's failure. Null when the page does not answer.
 */
export async function lookTwice(context: VisitContext): Promise<Look | Passed | null> {
  const first = await look(context, settleCap.first)
  if (!first || 'kind' in first) return first
  const again =
    first.analysis.kind === 'gone' ||
    (first.analysis.kind === 'done' && first.moved && !context.deps.plan.advanced.eagerStrategy)
  if (!again) return first
  const second = await look(context, settleCap.second, quietWindow.second)
  return second && 'analysis' in second ? { ...second, settled: second.settled && !second.moved } : second
}
