import type { CDPSession } from 'playwright-core'

/** Documents of a tab that were superseded while loading. */
export type Navigations = {
  /** Returns true if the previous document navigated away while this one was loading. The tab then shows neither. */
  wasSuperseded(loaderId: string): boolean
}

/** A page may navigate any number of times. */
const maxSupersededDocuments = 1000

/** Tracks the navigations of a tab's main frame. */
export function watchNavigations(cdp: CDPSession, mainFrameId: string): Navigations {
  /** Loader of the navigation that started last. */
  let latestLoaderId: string | null = null
  /** The current document, if another navigation was already in progress when it loaded. */
  let leavingLoaderId: string | null = null
  const supersededLoaderIds = new Set<string>()
  cdp.on('Page.frameStartedNavigating', ({ frameId, loaderId }) => {
    if (frameId === mainFrameId) latestLoaderId = loaderId
  })
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== mainFrameId) return
    if (supersededLoaderIds.size >= maxSupersededDocuments) supersededLoaderIds.clear()
    if (leavingLoaderId !== null) supersededLoaderIds.add(leavingLoaderId)
    leavingLoaderId = latestLoaderId === null || latestLoaderId === frame.loaderId ? null : frame.loaderId
  })
  return { wasSuperseded: (loaderId) => supersededLoaderIds.has(loaderId) }
}
