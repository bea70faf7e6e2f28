/** Watches whether a worker has work. */
export type IdleWatch = {
  /** Call it again and again, with whether there is work at the moment. */
  note(hasWork: boolean): void
}

/**
 * Tells once that a process has worked, and has been without work for a while since.
 * @param options.afterMs time without work, in milliseconds
 * @param options.onIdle called once
 * @param options.now clock in milliseconds
 */
export function createIdleWatch({
  afterMs,
  onIdle,
  now = () => performance.now(),
}: {
  afterMs: number
  onIdle: () => void
  now?: () => number
}): IdleWatch {
  /** Null before the first work, and after `onIdle`. */
  let lastWorkAt: number | null = null
  return {
    note(hasWork) {
      if (hasWork) lastWorkAt = now()
      else if (lastWorkAt !== null && now() - lastWorkAt >= afterMs) {
        lastWorkAt = null
        onIdle()
      }
    },
  }
}
