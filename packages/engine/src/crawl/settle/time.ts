/** How long pages are given to come to rest, and what counts as rest. Milliseconds, unless a name says otherwise. */

/** The longest wait of each kind, within the time of the whole page. */
export const settleCap = {
  /** Before the first analysis. */
  first: 10_000,
  /** Before the second, of a page that changed during the first. */
  second: 6000,
  /** Of a page that is opened for its links alone: in a preview, and in a scan of PDFs only. */
  preview: 3000,
  links: 5000,
  /** After a step of a script. */
  step: 5000,
}

/** How long nothing may change: of a page that is idle, that moves, that keeps a connection, that moved while it was analysed. */
export const quietWindow = { still: 80, dynamic: 300, live: 1000, second: 500 }

/** How long the network of a page that is idle is without work. */
export const stillNetwork = 40

/** What the scripts in the page go by: they are sent as text, and get these with it. */
export const inPageLimit = {
  /** Timers that are waited for: their delay, how deep one starts another, how often one repeats, how long after `load`. */
  timerDelay: 2000,
  timerDepth: 5,
  timerRepeats: 3,
  timerAfterLoad: 2500,
  timerAge: 5000,
  /** A document that is there, but never says `load`, is taken as ready. */
  readyAfterInteractive: 5000,
  /** How often a place in the page may change to and fro before it is taken for a ticker. */
  tickerChanges: 4,
  /** Frames that load when a reader comes near, and are loaded for the test: each may be a site of its own. */
  lazyFrames: 20,
  /** How long one of them may take to show anything: one that answers without content never does. */
  frameBegin: 3000,
  /** A refresh in the page's head of less is a redirect, and waited for; the page of a longer one is tested itself. */
  refreshSeconds: 1,
  refreshGrace: 500,
  /** A page gets the event of an animation's end within a frame, which a busy machine may draw much later than its time. */
  frameWait: 2000,
}
export type InPageLimit = typeof inPageLimit
