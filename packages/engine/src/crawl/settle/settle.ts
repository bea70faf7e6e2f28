import { sleep } from '../../browser/deadline.ts'
import type { Tab } from '../../browser/tab.ts'
import { callInWorld, openWorld } from '../../browser/world.ts'
import type { DocumentState } from './in-page.ts'
import { quietWindow, stillNetwork } from './time.ts'

export type Settled =
  | { kind: 'settled'; state: DocumentState }
  /** The limit came first; what is there can be analysed, and the page says so. */
  | { kind: 'unsettled'; state: DocumentState }
  /** Not even the document's state could be read. */
  | { kind: 'no-answer' }

export type SettleOptions = {
  /** Longest wait in milliseconds. */
  capMs: number
  /** Least quiet time of the document, for a page that is known to move. */
  windowMs?: number
  /** Be content with the document itself. */
  eager?: boolean
  /** Let frames load that wait for a reader to come near: the page is to be analysed. */
  lazyFrames?: boolean
  /** Is called while the document, which is all there, comes to rest; more than once. */
  whenReady?: () => void
  /** Is told, over and over, when nothing is under way and only time has to pass, and when that is over. */
  idle?: (is: boolean) => void
}

function windowFor(tab: Tab, dynamic: boolean, least: number | undefined): number {
  if (tab.traffic.isLive()) return Math.max(quietWindow.live, least ?? 0)
  return Math.max(dynamic ? quietWindow.dynamic : quietWindow.still, least ?? 0)
}

/** How a page has moved so far; kept over the steps of one wait. */
type Motion = { dynamic: boolean; idleSince: number | null; stillSince: number | null }

/** How long a document must stay as it is until it is at rest: 0 when it is, Infinity while something is under way. */
function untilRest(state: DocumentState, tab: Tab, motion: Motion, options: SettleOptions): number {
  const inFlight = tab.traffic.countInFlight()
  const now = performance.now()
  motion.idleSince = inFlight > 0 ? null : (motion.idleSince ?? now)
  // What a page does at the end of an animation has to be waited for.
  motion.stillSince = state.animating ? null : (motion.stillSince ?? now)
  if (options.eager) return state.interactive ? 0 : Infinity
  if (!state.ready) return Infinity
  motion.dynamic ||=
    inFlight > 0 || state.animating || state.changedAfterLoad || state.timers > 0 || tab.traffic.isLive()
  const { dynamic, idleSince, stillSince } = motion
  if (idleSince === null || stillSince === null || state.timers > 0) return Infinity
  if (!state.fonts || state.refreshing || state.framing) return Infinity
  const window = windowFor(tab, dynamic, options.windowMs)
  return Math.max(
    0,
    (dynamic ? window : stillNetwork) - (now - idleSince),
    (dynamic ? window : 0) - (now - stillSince),
    window - state.quiet,
    window - state.sinceLoad,
  )
}

/** Beyond these axe takes gigabytes of memory and most of a minute: eight such pages at once take the browser with them. */
export const mostElements = 150_000

/**
 * Waits until a document has come to rest: loaded, no work in flight on the network, fonts there, short timers and finite
 * animations at their end, and no change for a while that is longer for pages that move. A static page takes
 * about a tenth of a second.
 */
export async function settle(tab: Tab, options: SettleOptions): Promise<Settled> {
  const end = performance.now() + options.capMs
  const motion: Motion = { dynamic: options.windowMs !== undefined, idleSince: null, stillSince: null }
  const program = `clearwayState(${options.lazyFrames === true})`
  let last: DocumentState | null = null
  let world = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
  while (performance.now() < end) {
    const left = Math.max(100, end - performance.now())
    let wait = Infinity
    const answer = world ? await callInWorld<string>(world, program, left) : null
    if (answer?.kind === 'value') {
      last = JSON.parse(answer.value) as DocumentState
      tab.received.elements = last.elements
      if (last.elements > mostElements) return { kind: 'unsettled', state: last }
      if (last.ready) options.whenReady?.()
      wait = untilRest(last, tab, motion, options)
      if (wait === 0) return { kind: 'settled', state: last }
    } else if (answer?.kind === 'timeout') return { kind: 'no-answer' }
    else world = await openWorld(tab.cdp, tab.mainFrameId, 'watch', 2000)
    if (wait < Infinity) options.idle?.(true)
    await sleep(Math.min(Math.ceil(wait), motion.dynamic ? 50 : 25))
    // A page that does not answer when it is looked at is at work.
    options.idle?.(false)
  }
  return last ? { kind: 'unsettled', state: last } : { kind: 'no-answer' }
}
