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
