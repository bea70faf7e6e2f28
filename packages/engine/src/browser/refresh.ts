import type { Tab } from './tab.ts'

/** Minimum delay in seconds at which users can see the page before a refresh replaces it. Shorter refreshes are redirects. */
const minRefreshSeconds = 1

const refreshReasons = new Set(['metaTagRefresh', 'httpHeaderRefresh'])

/** A script may write one refresh after another. Targets above these limits are not held and navigate normally. */
const maxHeldTargets = { urls: 10, characters: 4000 }

type PausedRequest = { requestId: string; request: { url: string }; frameId: string }

/** `listTargets`: URLs to which the page would have navigated. `clear`: call before requesting another document. */
export type RefreshHold = { listTargets(): string[]; clear(): void; release(): void }

/**
 * Holds a tab's page at refreshes of a second or more until released. Only requests caused by the refresh are refused:
 * scripts and the engine may request the same URL. A page without such a refresh costs nothing.
 */
export function holdRefreshes({ cdp, refreshCdp, mainFrameId }: Tab): RefreshHold {
  const heldTargets = new Set<string>()
  /** The same URLs without fragments, as in requests. */
  const heldUrls = new Set<string>()
  /** True if a refresh causes the next document request. The browser announces this before the request, but not for ours. */
  let isRefreshNext = false
  let isIntercepting = false

  const handlePausedRequest = ({ requestId, request, frameId }: PausedRequest) => {
    const isMainFrame = frameId === mainFrameId
    const shouldRefuse = isMainFrame && isRefreshNext && heldUrls.has(request.url)
    if (isMainFrame) isRefreshNext = false
    const cdpReply = shouldRefuse
      ? refreshCdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : refreshCdp.send('Fetch.continueRequest', { requestId })
    cdpReply.catch(() => {})
  }
  const startIntercepting = () => {
    isIntercepting = true
    refreshCdp.on('Fetch.requestPaused', handlePausedRequest)
    const requestPatterns = [{ urlPattern: '*', resourceType: 'Document' as const }]
    refreshCdp.send('Fetch.enable', { patterns: requestPatterns }).catch(() => {})
  }
  const handleScheduled = (scheduledEvent: { frameId: string; delay: number; reason: string; url: string }) => {
    if (
      scheduledEvent.frameId !== mainFrameId ||
      !refreshReasons.has(scheduledEvent.reason) ||
      scheduledEvent.delay < minRefreshSeconds
    )
      return
    if (heldTargets.size >= maxHeldTargets.urls || scheduledEvent.url.length > maxHeldTargets.characters) return
    if (!isIntercepting) startIntercepting()
    heldTargets.add(scheduledEvent.url)
    heldUrls.add(scheduledEvent.url.split('#', 1)[0]!)
  }
  const handleRequested = (requestedEvent: { frameId: string; reason: string }) => {
    if (requestedEvent.frameId === mainFrameId) isRefreshNext = refreshReasons.has(requestedEvent.reason)
  }
  cdp.on('Page.frameScheduledNavigation', handleScheduled)
  cdp.on('Page.frameRequestedNavigation', handleRequested)
  return {
    listTargets: () => [...heldTargets],
    clear() {
      heldTargets.clear()
      heldUrls.clear()
      isRefreshNext = false
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
