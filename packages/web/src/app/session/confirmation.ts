import { useSyncExternalStore } from 'react'

/** Pending re-authentication; null if there is none. */
let pendingConfirmation: {
  confirmed: Promise<boolean>
  resolve: (confirmed: boolean) => void
  settle: (confirmed: boolean) => void
} | null = null
const changeListeners = new Set<() => void>()

function setPending(newPending: typeof pendingConfirmation): void {
  pendingConfirmation = newPending
  for (const listener of changeListeners) listener()
}

/** Requests a re-authentication; resolves to false if the user declines. Concurrent callers share one request. */
export function requestConfirmation(): Promise<boolean> {
  if (pendingConfirmation) return pendingConfirmation.confirmed
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const settleConfirmation = (confirmed: boolean) => {
    const currentConfirmation = pendingConfirmation
    // A sign-in that was cancelled here may still complete in its pop-up; it then confirms the current request.
    if (!currentConfirmation || (!confirmed && currentConfirmation.confirmed !== promise)) return
    setPending(null)
    currentConfirmation.resolve(confirmed)
  }
  setPending({ confirmed: promise, resolve, settle: settleConfirmation })
  return promise
}

/** Returns a function that settles the pending request; null if there is none. */
export const usePendingConfirmation = (): ((confirmed: boolean) => void) | null =>
  useSyncExternalStore(
    (listener) => {
      changeListeners.add(listener)
      return () => void changeListeners.delete(listener)
    },
    () => pendingConfirmation?.settle ?? null,
  )
