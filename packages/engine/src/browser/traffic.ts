import type { Page, Request } from 'playwright-core'

/** What a page asks of the network, as far as it shows whether the page is still building itself. */
export type Traffic = {
  /** Requests that are work in flight, now. */
  inFlight(): number
  /** A connection that may bring content at any time: WebSocket, event stream, worker. */
  live(): boolean
  /** The first hundred requests for the main document, each hop of a redirect among them, in the order in which they were made. */
  mainRequests(): readonly Request[]
  /** Forgets everything: a new visit begins. */
  reset(): void
}

/** Requests that say nothing about content to come. */
const ignoredTypes = new Set(['websocket', 'eventsource', 'ping', 'media', 'cspviolationreport', 'texttrack'])

/** Milliseconds after which a request is a hanging one, or a long poll. */
const hangingMs = 5000

/** The URL without what differs from one poll to the next. */
const pollKey = (request: Request): string =>
  `${request.method()} ${request.url().split('?')[0]!.slice(0, 500)}`

/**
 * Follows the requests of a page. The second repetition of one URL is taken for polling and no longer
 * counts: a request that repeats is not work in flight.
 */
export function watchTraffic(page: Page): Traffic {
  const started = new Map<Request, number>()
  const times = new Map<string, number>()
  let live = false
  let main: Request | null = null
  let mains: Request[] = []
  /** When the main document last asked for another; null when it has come, or will not. */
  let leavingSince: number | null = null

  page.on('framenavigated', (frame) => {
    if (frame.parentFrame() === null) leavingSince = null
  })
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame().parentFrame() === null) {
      main = request
      if (mains.length < 100) mains.push(request)
      leavingSince = performance.now()
      return
    }
    const type = request.resourceType()
    if (type === 'eventsource') live = true
    if (ignoredTypes.has(type)) return
    if (type === 'fetch' || type === 'xhr') {
      const key = pollKey(request)
      const count = (times.get(key) ?? 0) + 1
      if (times.size < 5000) times.set(key, count)
      if (count > 2) return
    }
    if (started.size < 5000) started.set(request, performance.now())
  })
  page.on('requestfinished', (request) => started.delete(request))
  page.on('requestfailed', (request) => {
    started.delete(request)
    if (request !== main) return
    leavingSince = null
  })
  page.on('websocket', () => (live = true))
  page.on('worker', () => (live = true))

  return {
    inFlight() {
      const oldest = performance.now() - hangingMs
      let count = leavingSince !== null && leavingSince > oldest ? 1 : 0
      for (const at of started.values()) if (at > oldest) count++
      return count
    },
    live: () => live,
    mainRequests: () => mains,
    reset() {
      started.clear()
      times.clear()
      live = false
      main = null
      mains = []
      leavingSince = null
    },
  }
}
