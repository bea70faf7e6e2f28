/**
 * For loops over untrusted input: each call returns immediately until the loop has blocked the event loop for
 * `maxBlockingMs` milliseconds, then yields to other pending work.
 */
export function openYielder(maxBlockingMs = 15): () => Promise<void> {
  let resumedAt = performance.now()
  return async () => {
    if (performance.now() - resumedAt < maxBlockingMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    resumedAt = performance.now()
  }
}
