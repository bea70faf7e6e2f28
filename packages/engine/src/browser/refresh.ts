import type { Tab } from './tab.ts'

/** Seconds from which on a refresh leaves people time to meet the page that it replaces. Below, it is a redirect. */
const shownSeconds = 1

const reasons = new Set(['metaTagRefresh', 'httpHeaderRefresh'])

/** A script may write one refresh after another: more, and longer ones, lead on as they would without us. */
const mostHeld = { urls: 10, characters: 4000 }

type Paused = { requestId: string; request: { url: string }; frameId: string }

/** `targets`: where the page would have led. `clear`: before another document is asked for. */
export type Hold = { targets(): string[]; clear(): void; release(): void }

/**
 * Keeps the page of a tab where a refresh of a second or more would lead on, until it is released. Only what the refresh asks
 * for is refused: scripts and we ourselves may ask for the same URL. A page without such a refresh costs nothing.
 */
export function holdRefreshes({ cdp, refreshCdp, mainFrameId }: Tab): Hold {
  /** Without fragments, as requests have them. */
  const held = new Set<string>()
  /** Whether it is a refresh that asks for the next document. The browser says so before it asks, and of us it says nothing. */
  let refreshing = false
  let holding = false

  const onPaused = ({ requestId, request, frameId }: Paused) => {
    const isMain = frameId === mainFrameId
    const refuse = isMain && refreshing && held.has(request.url)
    if (isMain) refreshing = false
    const answer = refuse
      ? refreshCdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      : refreshCdp.send('Fetch.continueRequest', { requestId })
    answer.catch(() => {})
  }
  const hold = () => {
    holding = true
    refreshCdp.on('Fetch.requestPaused', onPaused)
    const patterns = [{ urlPattern: '*', resourceType: 'Document' as const }]
    refreshCdp.send('Fetch.enable', { patterns }).catch(() => {})
  }
  const onScheduled = (event: { frameId: string; delay: number; reason: string; url: string }) => {
    if (event.frameId !== mainFrameId || !reasons.has(event.reason) || event.delay < shownSeconds) return
    if (held.size >= mostHeld.urls || event.url.length > mostHeld.characters) return
    if (!holding) hold()
    held.add(event.url.split('#', 1)[0]!)
  }
  const onRequested = (event: { frameId: string; reason: string }) => {
    if (event.frameId === mainFrameId) refreshing = reasons.has(event.reason)
  }
  cdp.on('Page.frameScheduledNavigation', onScheduled)
  cdp.on('Page.frameRequestedNavigation', onRequested)
  return {
    targets: () => [...held],
    clear() {
      held.clear()
      refreshing = false
    },
    release() {
      cdp.off('Page.frameScheduledNavigation', onScheduled)
      cdp.off('Page.frameRequestedNavigation', onRequested)
      if (!holding) return
      refreshCdp.off('Fetch.requestPaused', onPaused)
      // What it holds at that moment goes on.
      refreshCdp.send('Fetch.disable').catch(() => {})
    },
  }
}
