/**
 * For loops over what strangers wrote: each call returns at once until the loop has had the event loop for `ms`
 * milliseconds, then lets everything else that waits go first.
 */
export function openYielder(ms = 15): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < ms) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
