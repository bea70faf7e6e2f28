/** What a call that may never answer came to. */
export type Timed<T> = { done: true; value: T } | { done: false }

/**
 * Waits for `work`, but no longer than `ms`. No call into a browser has a limit of its own: a page can keep it
 * waiting for ever. A rejection that comes after the limit is swallowed, since nobody waits for it any more.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<Timed<T>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Timed<T>>((resolve) => {
    timer = setTimeout(() => resolve({ done: false }), Math.max(0, ms))
  })
  work.catch(() => {})
  try {
    return await Promise.race([work.then((value): Timed<T> => ({ done: true, value })), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits `ms` milliseconds, or less when `signal` aborts. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/**
 * Calls `listener` with the reason once `signal` aborts, or at once where it has.
 * @returns takes the listener back. What lives longer than a visit must hold nothing of it, as a promise would hold
 * whatever has ever waited for it.
 */
export function whenAborted(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const listen = () => listener(signal.reason)
  if (signal.aborted) listen()
  else signal.addEventListener('abort', listen, { once: true })
  return () => signal.removeEventListener('abort', listen)
}
