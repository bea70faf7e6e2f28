export type IdleWatch = {
  /** Call it regularly, with whether there is work at the moment. */
  note(hasWork: boolean): void
}

/**
 * Tells once that a process has worked, and has been without work for a while since. A young process tells it later: one that is
 * replaced each time would look like one that keeps failing.
 * @param options.afterMs time without work, in milliseconds; a quarter of the youngest age at which it is told
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
  const earliestAt = now() + 4 * afterMs
  /** Null before the first work, and after `onIdle`. */
  let lastWorkAt: number | null = null
  return {
    note(hasWork) {
      if (hasWork) lastWorkAt = now()
      else if (lastWorkAt !== null && now() >= Math.max(earliestAt, lastWorkAt + afterMs)) {
        lastWorkAt = null
        onIdle()
      }
    },
  }
}
