import { useSyncExternalStore } from 'react'

/** What waits for the person to sign in once more; null when nothing does. */
let waiting: {
  answer: Promise<boolean>
  resolve: (confirmed: boolean) => void
  end: (confirmed: boolean) => void
} | null = null
const listeners = new Set<() => void>()

function change(next: typeof waiting): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Asks the person to sign in once more; false when the person declines. Calls that come together wait for one answer. */
export function askToConfirm(): Promise<boolean> {
  if (waiting) return waiting.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const end = (confirmed: boolean) => {
    const asked = waiting
    // A sign-in that was given up here may still be done in its window: then it answers what waits by now.
    if (!asked || (!confirmed && asked.answer !== promise)) return
    change(null)
    asked.resolve(confirmed)
  }
  change({ answer: promise, resolve, end })
  return promise
}

/** How to answer what waits; null when nothing does. */
export const useConfirmation = (): ((confirmed: boolean) => void) | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => waiting?.end ?? null,
  )
