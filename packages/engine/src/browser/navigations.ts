import type { CDPSession } from 'playwright-core'

/** Which documents of a tab had no time of their own. */
export type Navigations = {
  /** Whether the document before this one had sent the tab on while this one was coming: what the tab shows now is neither. */
  carriedOff(loaderId: string): boolean
}

/** A page may lead on as often as it likes. */
const mostKept = 1000

/** Follows the navigations of a tab's main frame. */
export function watchNavigations(cdp: CDPSession, mainFrameId: string): Navigations {
  /** The navigation that began last. */
  let newest: string | null = null
  /** The document that is shown, where another was under way already when it came. */
  let leaving: string | null = null
  const carriedOff = new Set<string>()
  cdp.on('Page.frameStartedNavigating', ({ frameId, loaderId }) => {
    if (frameId === mainFrameId) newest = loaderId
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrameId) return
    if (carriedOff.size >= mostKept) carriedOff.clear()
    if (leaving !== null) carriedOff.add(leaving)
    leaving = newest === null || newest === frame.loaderId ? null : frame.loaderId
  })
  return { carriedOff: (loaderId) => carriedOff.has(loaderId) }
}
