import type { Page } from 'playwright-core'

/** Times in milliseconds for which messages of WebSockets are awaited. */
const firstMessageMs = 3000
const silenceMs = 500
const maxWaitMs = 5000

/** Connections and workers of a page that may deliver content at any time. */
export type LiveSources = {
  /** True if there is any: WebSocket, event stream, worker. */
  isLive(): boolean
  hasWorker(): boolean
  /**
   * Milliseconds for which WebSockets may still bring the page's content: until the first message, and until a short
   * silence after the last one; 0 without any.
   */
  getSocketWaitMs(): number
  reset: () => void
}

/** Tracks the live sources of a page. */
export function watchLiveSources(page: Page): LiveSources {
  let hasEventStream = false
  let hasWorker = false
  let openedAt: number | null = null
  /** Time of the last message on any socket; 0 for one that closed or failed without any. */
  let lastMessageAt: number | null = null
  /** Number of resets: sockets of a previous page close late. */
  let generation = 0
  page.on('websocket', (socket) => {
    const ownGeneration = generation
    openedAt ??= performance.now()
    const recordEnd = () => {
      if (ownGeneration === generation) lastMessageAt ??= 0
    }
    socket.on('framereceived', () => {
      if (ownGeneration === generation) lastMessageAt = performance.now()
    })
    socket.on('close', recordEnd)
    socket.on('socketerror', recordEnd)
  })
  page.on('request', (request) => (hasEventStream ||= request.resourceType() === 'eventsource'))
  page.on('worker', () => (hasWorker = true))
  return {
    isLive: () => openedAt !== null || hasEventStream || hasWorker,
    hasWorker: () => hasWorker,
    getSocketWaitMs() {
      if (openedAt === null) return 0
      const waitEndsAt = lastMessageAt === null ? openedAt + firstMessageMs : lastMessageAt + silenceMs
      // A socket that never falls silent is a ticker.
      return Math.max(0, Math.min(waitEndsAt, openedAt + maxWaitMs) - performance.now())
    },
    reset() {
      generation += 1
      hasEventStream = false
      hasWorker = false
      openedAt = null
      lastMessageAt = null
    },
  }
}
