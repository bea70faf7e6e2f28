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
  /** Returns the HTTP status of a navigation's last response, also of one that the browser discards; null if there is none. */
  getStatus(loaderId: string): number | null
}

/** A page may navigate any number of times. */
const maxSupersededDocuments = 1000
/** Number of latest navigations whose fragments and statuses are kept. */
const maxRequests = 100

/** Tracks the navigations of a tab's main frame. */
export function watchNavigations(cdp: CDPSession, mainFrameId: string): Navigations {
  /** Loader of the navigation that started last. */
  let latestLoaderId: string | null = null
  /** The current document, if another navigation was already in progress when it loaded. */
  let leavingLoaderId: string | null = null
  const supersededLoaderIds = new Set<string>()
  const requests = new Map<string, { fragment: string; status: number | null }>()
  cdp.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, request }) => {
    // The request of a document has the id of its loader. A redirect repeats it with the next hop.
    if (frameId !== mainFrameId || requestId !== loaderId) return
    requests.set(loaderId, { fragment: request.urlFragment ?? '', status: null })
    if (requests.size > maxRequests) requests.delete(requests.keys().next().value!)
  })
  cdp.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    const request = requests.get(requestId)
    if (request) request.status = statusCode
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
    getFragment: (loaderId) => requests.get(loaderId)?.fragment ?? null,
    getStatus: (loaderId) => requests.get(loaderId)?.status ?? null,
  }
}
