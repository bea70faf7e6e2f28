import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

/** Screens poll for this many milliseconds after the last user activity. */
const activeTimeoutMs = 5 * 60_000
// Only pointer and keyboard: content that refreshes itself scrolls the screen, and a dialog that opens moves the focus.
const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const
let lastActivityAt = Date.now()
let isSuspended = false
/** Returns true if the user did something recently. A window that gets the focus is not an act. */
export const isUserActive = (): boolean => !isSuspended && Date.now() - lastActivityAt < activeTimeoutMs

const suspensionListeners = new Set<() => void>()
/** Treats the user as inactive while a question about the session waits for an answer. */
export function suspendActivity(isWaiting: boolean): void {
  isSuspended = isWaiting
  if (!isWaiting) lastActivityAt = Date.now()
  for (const onChange of suspensionListeners) onChange()
}

function subscribe(onChange: () => void): () => void {
  let inactivityTimer: ReturnType<typeof setTimeout> | undefined
  let pointerPosition = ''
  let isInactive = false
  const checkActivity = () => {
    clearTimeout(inactivityTimer)
    isInactive = !isUserActive()
    if (isInactive) onChange()
    else inactivityTimer = setTimeout(checkActivity, lastActivityAt + activeTimeoutMs - Date.now() + 100)
  }
  const onActivity = (event: Event) => {
    if (event.type === 'pointermove') {
      // An idle pointer fires move events when the page changes below it.
      const { screenX, screenY } = event as PointerEvent
      const previousPosition = pointerPosition
      pointerPosition = `${screenX} ${screenY}`
      if (previousPosition === '' || pointerPosition === previousPosition) return
    }
    if (isSuspended) return
    lastActivityAt = Date.now()
    if (!isInactive) return
    checkActivity()
    onChange()
  }
  const onSuspension = () => {
    checkActivity()
    onChange()
  }
  checkActivity()
  suspensionListeners.add(onSuspension)
  for (const eventName of activityEvents) window.addEventListener(eventName, onActivity, { capture: true, passive: true })
  return () => {
    clearTimeout(inactivityTimer)
    suspensionListeners.delete(onSuspension)
    for (const eventName of activityEvents) window.removeEventListener(eventName, onActivity, { capture: true })
  }
}

/** Returns true while the user is active. Polling stops for inactive users: each call extends the session. */
export const useIsUserActive = (): boolean => useSyncExternalStore(subscribe, isUserActive)

/** Calls back when the user becomes active again, because the data on screen is stale. */
export function useOnReturn(isActive: boolean, onReturn: () => unknown): void {
  const wasActiveRef = useRef(isActive)
  const handleReturn = useEffectEvent(onReturn)
  useEffect(() => {
    if (isActive && !wasActiveRef.current) handleReturn()
    wasActiveRef.current = isActive
  }, [isActive])
}
