import type { Tab } from './tab.ts'
import { removeFragment } from './remove-fragment.ts'

/** Minimum delay in seconds at which users can see the page before a refresh replaces it. Shorter refreshes are redirects. */
const minRefreshSeconds = 1

/**
 * Number of times that a page may refresh itself at once. Pages that check for cookies do so once; others never end, and users
 * see their content in between.
 */
const maxSelfRefreshes = 2

const refreshReasons = new Set(['metaTagRefresh', 'httpHeaderRefresh'])

/** A script may write one refresh after another. Targets above these limits are not held and navigate normally. */
const maxHeldTargets = { urls: 10, characters: 4000 }

type PausedRequest = { requestId: string; request: { url: string }; frameId: string }

export type RefreshHold = {
  /** URLs to which the page would have navigated. */
  listTargets(): string[]
  /** The latest URL that was held because it may act; null if none was. */
  findActingTarget(): string | null
  /** Call before requesting another document. */
  clear(): void
  release(): void
}

/** Targets of the held refreshes of a document. */
function openHeldTargets() {
  const targets = new Set<string>()
  /** The same URLs without fragments, as in requests. */
  const requestedUrls = new Set<string>()
  return {
    /** Returns false above the limits. */
    add(url: string): boolean {
      if (targets.size >= maxHeldTargets.urls || url.length > maxHeldTargets.characters) return false
      targets.add(url)
      requestedUrls.add(removeFragment(url))
      return true
    },
    isRequested: (url: string) => requestedUrls.has(url),
    list: () => [...targets],
    clear() {
      targets.clear()
      requestedUrls.clear()
    },
  }
}

/** Counts the refreshes of a page to itself. */
function openSelfRefreshCount(page: Tab['page']) {
  let count = 0
  return {
    /** Counts a refresh. Returns true if it leads to the page itself once more than allowed. */
    isEndless(url: string): boolean {
      if (removeFragment(url) !== removeFragment(page.url())) return false
      count += 1
      return count > maxSelfRefreshes
    },
    clear: () => void (count = 0),
  }
}

/**
 * Holds a tab's page at refreshes of a second or more until released, and at immediate ones that lead to itself again and again.
 * Only requests caused by the refresh are refused: scripts and the engine may request the same URL. A page without such a refresh
 * costs nothing.
 * @param isActing tells URLs that no document may lead to by itself, by a redirect, a refresh or a script; null for none
 */
export function holdRefreshes(
  { page, cdp, refreshCdp, mainFrameId }: Tab,
  isActing: ((url: string) => boolean) | null = null,
): RefreshHold {
  const heldTargets = openHeldTargets()
  /** True if a refresh causes the next document request. The browser announces this before the request, but not for ours. */
  let isRefreshNext = false
  let isIntercepting = false
  let actingTarget: string | null = null
  const selfRefreshes = openSelfRefreshCount(page)

  const findRefusal = (url: string): 'BlockedByClient' | 'Aborted' | null => {
    if (isActing?.(url)) {
      actingTarget = url
      return 'BlockedByClient'
    }
    return isRefreshNext && heldTargets.isRequested(url) ? 'Aborted' : null
  }
  const handlePausedRequest = ({ requestId, request, frameId }: PausedRequest) => {
    const isMainFrame = frameId === mainFrameId
    const errorReason = isMainFrame ? findRefusal(request.url) : null
    if (isMainFrame) isRefreshNext = false
    const cdpReply = errorReason
      ? refreshCdp.send('Fetch.failRequest', { requestId, errorReason })
      : refreshCdp.send('Fetch.continueRequest', { requestId })
    cdpReply.catch(() => {})
  }
  const startIntercepting = () => {
    isIntercepting = true
    refreshCdp.on('Fetch.requestPaused', handlePausedRequest)
    refreshCdp.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] }).catch(() => {})
  }
  const handleScheduled = (scheduledEvent: { frameId: string; delay: number; reason: string; url: string }) => {
    const { frameId, reason, delay, url } = scheduledEvent
    if (frameId !== mainFrameId || !refreshReasons.has(reason)) return
    if (delay < minRefreshSeconds && !selfRefreshes.isEndless(url)) return
    if (heldTargets.add(url) && !isIntercepting) startIntercepting()
  }
  const handleRequested = (requestedEvent: { frameId: string; reason: string }) => {
    if (requestedEvent.frameId === mainFrameId) isRefreshNext = refreshReasons.has(requestedEvent.reason)
  }
  cdp.on('Page.frameScheduledNavigation', handleScheduled)
  cdp.on('Page.frameRequestedNavigation', handleRequested)
  if (isActing) startIntercepting()
  return {
    listTargets: heldTargets.list,
    findActingTarget: () => actingTarget,
    clear() {
      heldTargets.clear()
      isRefreshNext = false
      actingTarget = null
      selfRefreshes.clear()
    },
    release() {
      cdp.off('Page.frameScheduledNavigation', handleScheduled)
      cdp.off('Page.frameRequestedNavigation', handleRequested)
      if (!isIntercepting) return
      refreshCdp.off('Fetch.requestPaused', handlePausedRequest)
      // Requests that are paused at this moment continue.
      refreshCdp.send('Fetch.disable').catch(() => {})
    },
  }
}
