/** Limits for waiting until pages are idle. Milliseconds unless stated otherwise. */

/** Maximum wait of each kind, within the page's time limit. */
export const maxSettleMs = {
  /** Before the first axe run. */
  first: 10_000,
  /** Before the second axe run of a page that changed during the first. */
  second: 6000,
  /** For pages opened only for their links: in a preview, and in a scan of PDFs only. */
  preview: 3000,
  links: 5000,
  /** After a step of a script. */
  step: 5000,
}

/**
 * Required time without changes: for an idle page, a dynamic one, one with a live connection, and one that changed
 * during its axe run.
 */
export const quietWindowMs = { still: 80, dynamic: 300, live: 1000, second: 500 }

/** Required time without network requests for an idle page. */
export const networkIdleMs = 40

/** Limits for the scripts in the page, which are sent as text together with these values. */
export const inPageLimits = {
  /** Timers that are awaited: maximum delay, nesting depth, repetitions, and time after `load`. */
  timerDelay: 2000,
  /** Maximum delay of a timer that is not awaited, but noted: a challenge may wait for it. */
  longTimerDelay: 20_000,
  /** Sentinel for no such timer: far in the past, and in the range of integers that a mouse event carries. */
  noLongTimerMs: -1e9,
  timerDepth: 5,
  timerRepeats: 3,
  timerAfterLoad: 2500,
  timerAge: 5000,
  /** Time after which a document without a `load` event counts as ready. */
  readyAfterInteractive: 5000,
  /** Number of changes back and forth after which a node counts as a ticker. */
  tickerChanges: 4,
  /** Maximum number of lazy frames that are loaded for the test: each may be a large site. */
  lazyFrames: 20,
  /** Maximum time until a frame shows content. A response without content never does. */
  frameBegin: 3000,
  /** A refresh in less time is a redirect and awaited. The page of a longer refresh is tested itself. */
  refreshSeconds: 1,
  refreshGrace: 500,
  /** The event for an animation's end arrives within a frame, which a busy machine may draw late. */
  frameWait: 2000,
}
export type InPageLimits = typeof inPageLimits
