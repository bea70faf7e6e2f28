import type { Page, Request } from 'playwright-core'
import { watchFailures } from './failures.ts'
import { watchLiveSources, type LiveSources } from './live-sources.ts'

/** Network activity of a page that indicates whether it is still loading. */
export type Traffic = Omit<LiveSources, 'reset'> & {
  /** Number of requests currently in flight. */
  countInFlight(): number
  /** First hundred requests for the main document in order, including each redirect hop. */
  listMainRequests(): readonly Request[]
  /** Failed requests of the page to hosts of its own site, for documents of frames, scripts and data. */
  countFailures(pageUrl: string): number
  /** Clears everything for a new visit. */
  reset(): void
}

/** Request types that do not indicate upcoming content. */
const ignoredTypes = new Set(['websocket', 'eventsource', 'ping', 'media', 'cspviolationreport', 'texttrack'])

/** Milliseconds after which a request is treated as hanging or as a long poll. */
const hangingMs = 5000

/** Returns the URL without the parts that differ between polls. */
const computePollKey = (request: Request): string => `${request.method()} ${request.url().split('?')[0]!.slice(0, 500)}`

/** Tracks the requests of a page. From its second repetition, a URL is treated as polling and no longer counts as in flight. */
export function watchTraffic(page: Page): Traffic {
  const requestStarts = new Map<Request, number>()
  const requestCounts = new Map<string, number>()
  const failures = watchFailures(page)
  const { reset: resetLiveSources, ...liveSources } = watchLiveSources(page)
  let mainRequest: Request | null = null
  let mainRequestList: Request[] = []
  /** Time of the main document's last navigation request; null when it completed or failed. */
  let navigationStartedAt: number | null = null

  page.on('framenavigated', (frame) => {
    if (frame.parentFrame() === null) navigationStartedAt = null
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) {
      mainRequest = request
      if (mainRequestList.length < 100) mainRequestList.push(request)
      navigationStartedAt = performance.now()
      return
    }
    const resourceType = request.resourceType()
    if (ignoredTypes.has(resourceType)) return
    if (resourceType === 'fetch' || resourceType === 'xhr') {
      const requestKey = computePollKey(request)
      const seenCount = (requestCounts.get(requestKey) ?? 0) + 1
      if (requestCounts.size < 5000) requestCounts.set(requestKey, seenCount)
      if (seenCount > 2) return
    }
    if (requestStarts.size < 5000) requestStarts.set(request, performance.now())
  })
  page.on('requestfinished', (request) => requestStarts.delete(request))
  page.on('requestfailed', (request) => {
    requestStarts.delete(request)
    if (request === mainRequest) navigationStartedAt = null
  })

  return {
    countInFlight() {
      const hangingBefore = performance.now() - hangingMs
      let activeCount = navigationStartedAt !== null && navigationStartedAt > hangingBefore ? 1 : 0
      for (const startedAt of requestStarts.values()) if (startedAt > hangingBefore) activeCount++
      return activeCount
    },
    ...liveSources,
    listMainRequests: () => mainRequestList,
    countFailures: (pageUrl) => failures.count(pageUrl),
    reset() {
      requestStarts.clear()
      requestCounts.clear()
      resetLiveSources()
      mainRequest = null
      mainRequestList = []
      failures.reset()
      navigationStartedAt = null
    },
  }
}
