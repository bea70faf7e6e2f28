/** Result of a call that may time out. */
export type TimeoutResult<T> = { done: true; value: T } | { done: false }

/**
 * Waits for `pendingWork` for at most `timeoutMs`. Calls into a browser have no timeout of their own: a page can block
 * them forever. A rejection after the timeout is ignored because nothing awaits it any longer.
 */
export async function withTimeout<T>(timeoutMs: number, pendingWork: Promise<T>): Promise<TimeoutResult<T>> {
  let timeoutTimer: NodeJS.Timeout | undefined
  const timedOut = new Promise<TimeoutResult<T>>((resolve) => {
    timeoutTimer = setTimeout(() => resolve({ done: false }), Math.max(0, timeoutMs))
  })
  pendingWork.catch(() => {})
  try {
    return await Promise.race([pendingWork.then((value): TimeoutResult<T> => ({ done: true, value })), timedOut])
  } finally {
    clearTimeout(timeoutTimer)
  }
}

/** Returns true if `pendingWork` resolves within `timeoutMs`; false if it rejects or takes longer. Never rejects. */
export async function succeedsInTime(timeoutMs: number, pendingWork: Promise<unknown>): Promise<boolean> {
  const result = await withTimeout(
    timeoutMs,
    pendingWork.then(
      () => true,
      () => false,
    ),
  )
  return result.done && result.value
}

/** Resolves after `durationMs`, or earlier if `signal` aborts. Never rejects. */
export function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const wakeUp = () => {
      clearTimeout(sleepTimer)
      signal?.removeEventListener('abort', wakeUp)
      resolve()
    }
    const sleepTimer = setTimeout(wakeUp, durationMs)
    signal?.addEventListener('abort', wakeUp, { once: true })
  })
}

/**
 * Calls `listener` with the reason once `signal` aborts, or immediately if it already has.
 * @returns a function that removes the listener. Objects that outlive a visit must not reference it; a promise would
 * retain everything that ever awaited it.
 */
export function subscribeToAbort(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const handleAbort = () => listener(signal.reason)
  if (signal.aborted) handleAbort()
  else signal.addEventListener('abort', handleAbort, { once: true })
  return () => signal.removeEventListener('abort', handleAbort)
}
