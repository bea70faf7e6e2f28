import type { Tab } from './tab.ts'

/** Seconds from which on a refresh leaves people time to meet the page that it replaces. Below, it is a redirect. */
const shownSeconds = 1

const reasons = new Set(['metaTagRefresh', 'httpHeaderRefresh'])

/** `targets`: where the page would have led. */
export type Hold = { targets(): string[]; release(): void }

/**
 * Keeps the page of a tab where a refresh of a second or more would lead on, until it is released. Only that navigation is
 * refused, so what the page itself asks for goes on; a page without such a refresh costs nothing.
 */
export function holdRefreshes({ cdp, page, mainFrameId }: Tab): Hold {
  /** Without fragments, as requests have them. */
  const held = new Set<string>()
  let released = false
  let holding: Promise<Tab['cdp'] | null> | null = null

  const hold = async () => {
    // A session of its own: the tab's may add headers by the same means.
    const session = await page.context().newCDPSession(page)
    session.on('Fetch.requestPaused', ({ requestId, request, frameId }) => {
      const refuse = !released && frameId === mainFrameId && held.has(request.url)
      const answer = refuse
        ? session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
        : session.send('Fetch.continueRequest', { requestId })
      answer.catch(() => {})
    })
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
    return session
  }
  const onScheduled = (event: { frameId: string; delay: number; reason: string; url: string }) => {
    if (event.frameId !== mainFrameId || !reasons.has(event.reason) || event.delay < shownSeconds) return
    held.add(event.url.split('#', 1)[0]!)
    holding ??= hold().catch(() => null)
  }
  cdp.on('Page.frameScheduledNavigation', onScheduled)
  return {
    targets: () => [...held],
    release() {
      released = true
      cdp.off('Page.frameScheduledNavigation', onScheduled)
      void holding?.then((session) => session?.detach()).catch(() => {})
    },
  }
}
