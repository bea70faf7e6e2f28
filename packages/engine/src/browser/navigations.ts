import type { CDPSession } from 'playwright-core'

/** Navigations of a tab's main frame. */
export type Navigations = {
  /** Returns true if the previous document navigated away while this one was loading. The tab then shows neither. */
  wasSuperseded(loaderId: string): boolean
  /**
   * Returns the fragment of a navigation's URL after redirects, with its `#`; null for an unknown navigation. Responses
   * have none.
   */
  getFragment(loaderId: string): string | null
}

/** A page may navigate any number of times. */
const maxSupersededDocuments = 1000
/** Number of latest navigations whose fragments are kept. */
const maxFragments = 100

/** Tracks the navigations of a tab's main frame. */
export function watchNavigations(cdp: CDPSession, mainFrameId: string): Navigations {
  /** Loader of the navigation that started last. */
  let latestLoaderId: string | null = null
  /** The current document, if another navigation was already in progress when it loaded. */
  let leavingLoaderId: string | null = null
  const supersededLoaderIds = new Set<string>()
  const fragments = new Map<string, string>()
  cdp.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, request }) => {
    // The request of a document has the id of its loader. A redirect repeats it with the next hop.
    if (frameId !== mainFrameId || requestId !== loaderId) return
    fragments.set(loaderId, request.urlFragment ?? '')
    if (fragments.size > maxFragments) fragments.delete(fragments.keys().next().value!)
  })
  cdp.on('Page.frameStartedNavigating', ({ frameId, loaderId }) => {
    if (frameId === mainFrameId) latestLoaderId = loaderId
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrameId) return
    if (supersededLoaderIds.size >= maxSupersededDocuments) supersededLoaderIds.clear()
    if (leavingLoaderId !== null) supersededLoaderIds.add(leavingLoaderId)
    leavingLoaderId = latestLoaderId === null || latestLoaderId === frame.loaderId ? null : frame.loaderId
  })
  return {
    wasSuperseded: (loaderId) => supersededLoaderIds.has(loaderId),
    getFragment: (loaderId) => fragments.get(loaderId) ?? null,
  }
}
