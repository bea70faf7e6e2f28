import type { Page } from 'playwright-core'

/** Times in milliseconds for which messages of WebSockets are awaited. */
const firstMessageMs = 3000
const silenceMs = 500
const maxWaitMs = 5000

/** WebSockets of a page, which may bring its content. */
export type Sockets = {
  hasAny(): boolean
  /** Milliseconds until the first message, or until a short silence after the last one; 0 without any socket. */
  getWaitMs(): number
  reset(): void
}

export function watchSockets(page: Page): Sockets {
  let openedAt: number | null = null
  /** Time of the last message on any socket; 0 for one that closed or failed without any. */
  let lastMessageAt: number | null = null
  page.on('websocket', (socket) => {
    openedAt ??= performance.now()
    socket.on('framereceived', () => (lastMessageAt = performance.now()))
    socket.on('close', () => (lastMessageAt ??= 0))
    socket.on('socketerror', () => (lastMessageAt ??= 0))
  })
  return {
    hasAny: () => openedAt !== null,
    getWaitMs() {
      if (openedAt === null) return 0
      const waitEndsAt = lastMessageAt === null ? openedAt + firstMessageMs : lastMessageAt + silenceMs
      // A socket that never falls silent is a ticker.
      return Math.max(0, Math.min(waitEndsAt, openedAt + maxWaitMs) - performance.now())
    },
    reset() {
      openedAt = null
      lastMessageAt = null
    },
  }
}
