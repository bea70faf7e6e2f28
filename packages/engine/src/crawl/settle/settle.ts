import { sleep } from '../../browser/deadline.ts'
import { isBrokenOff, isUnreceived, type Tab } from '../../browser/tab.ts'
import { callInTab, callInWorld, openWorld } from '../../browser/isolated-world.ts'
import type { DocumentState } from './settle-in-page.ts'
import { quietWindowMs, networkIdleMs } from './limits.ts'

export type SettleResult =
  | { kind: 'settled'; state: DocumentState }
  /** The time limit was reached. The page can be analyzed, and gets a notice. */
  | { kind: 'unsettled'; state: DocumentState }
  /** The document's state could not be read. */
  | { kind: 'no-answer' }

export type SettleOptions = {
  /** Maximum wait in milliseconds. */
  capMs: number
  /** Minimum quiet time of the document, for pages known to change. */
  windowMs?: number
  /** Do not wait for resources of the document. */
  eager?: boolean
  /** Load lazy frames because the page will be analyzed. */
  lazyFrames?: boolean
  /** Called, possibly repeatedly, while a loaded document becomes idle. */
  whenReady?: () => void
  /** Called repeatedly with true while only time has to pass, and with false afterwards. */
  onIdleChange?: (isIdle: boolean) => void
}

function computeQuietWindow(tab: Tab, isDynamic: boolean, minWindowMs: number | undefined): number {
  if (tab.traffic.isLive()) return Math.max(quietWindowMs.live, minWindowMs ?? 0)
  return Math.max(isDynamic ? quietWindowMs.dynamic : quietWindowMs.still, minWindowMs ?? 0)
}

/** Activity of a page during one wait. */
type PageActivity = { isDynamic: boolean; networkIdleAt: number | null; animationEndAt: number | null }

/**
 * Returns the remaining quiet time in milliseconds until the document is idle: 0 if it is, Infinity while work is in progress.
 */
function computeIdleWaitMs(state: DocumentState, tab: Tab, activity: PageActivity, options: SettleOptions): number {
  const inFlightCount = tab.traffic.countInFlight()
  const nowMs = performance.now()
  activity.networkIdleAt = inFlightCount > 0 ? null : (activity.networkIdleAt ?? nowMs)
  // The page may react to the end of an animation.
  activity.animationEndAt = state.animating ? null : (activity.animationEndAt ?? nowMs)
  if (options.eager) return state.interactive ? 0 : Infinity
  // A document that broke off never reports that it has loaded.
  const hasBrokenOff = isBrokenOff(tab.received)
  if (!state.ready && !hasBrokenOff) return Infinity
  activity.isDynamic ||=
    inFlightCount > 0 || state.animating || state.changedAfterLoad || state.timers > 0 || tab.traffic.isLive()
  const { isDynamic, networkIdleAt, animationEndAt } = activity
  if (networkIdleAt === null || animationEndAt === null || state.timers > 0) return Infinity
  if (!state.fonts || state.refreshing || state.framing) return Infinity
  const quietWindowMs = computeQuietWindow(tab, isDynamic, options.windowMs)
  return Math.max(
    0,
    (isDynamic ? quietWindowMs : networkIdleMs) - (nowMs - networkIdleAt),
    (isDynamic ? quietWindowMs : 0) - (nowMs - animationEndAt),
    tab.traffic.getSocketWaitMs(),
    quietWindowMs - state.quiet,
    hasBrokenOff ? 0 : quietWindowMs - state.sinceLoad,
  )
}

/** Above this, axe takes gigabytes of memory and most of a minute: eight such pages at once would crash the browser. */
export const maxElements = 150_000

/**
 * Waits until a document is idle: loaded, no network requests in flight, fonts loaded, short timers and finite
 * animations ended, and no changes for a period that is longer for dynamic pages. A static page takes about 0.1 s.
 */
export async function waitUntilIdle(tab: Tab, options: SettleOptions): Promise<SettleResult> {
  const deadlineAt = performance.now() + options.capMs
  const activity: PageActivity = { isDynamic: options.windowMs !== undefined, networkIdleAt: null, animationEndAt: null }
  const stateExpression = `clearwayState(${options.lazyFrames === true})`
  let lastState: DocumentState | null = null
  let watchWorld = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
  while (performance.now() < deadlineAt) {
    const remainingMs = Math.max(100, deadlineAt - performance.now())
    if (isUnreceived(tab.received)) return { kind: 'no-answer' }
    let idleWaitMs = Infinity
    const callResult = watchWorld ? await callInWorld<string>(watchWorld, stateExpression, remainingMs) : null
    if (callResult?.kind === 'value') {
      lastState = JSON.parse(callResult.value) as DocumentState
      tab.received.elements = lastState.elements
      if (lastState.elements > maxElements) return { kind: 'unsettled', state: lastState }
      if (lastState.ready) options.whenReady?.()
      idleWaitMs = computeIdleWaitMs(lastState, tab, activity, options)
      if (idleWaitMs === 0) return { kind: 'settled', state: lastState }
    } else if (callResult?.kind === 'timeout') return { kind: 'no-answer' }
    else watchWorld = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
    if (idleWaitMs < Infinity) options.onIdleChange?.(true)
    await sleep(Math.min(Math.ceil(idleWaitMs), activity.isDynamic ? 50 : 25))
    // A page that does not respond to a check is busy.
    options.onIdleChange?.(false)
  }
  return lastState ? { kind: 'unsettled', state: lastState } : { kind: 'no-answer' }
}

/** Returns the current state of a document; null if it does not respond. */
export async function readDocumentState(tab: Tab): Promise<DocumentState | null> {
  const callResult = await callInTab<string>(tab, 'clearwayState(true)', 1000, 'watch')
  return callResult.kind === 'value' ? (JSON.parse(callResult.value) as DocumentState) : null
}

/** Checks whether a document changed between two of its states. */
export const hasDocumentChanged = (beforeState: DocumentState, afterState: DocumentState): boolean =>
  beforeState.changes !== afterState.changes || beforeState.frames !== afterState.frames || beforeState.url !== afterState.url
