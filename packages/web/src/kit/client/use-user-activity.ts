import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

/** Screens poll for this many milliseconds after the last user activity. */
const activeTimeoutMs = 5 * 60_000
// Excludes `scroll`: content that refreshes itself also scrolls the screen.
const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'focus'] as const
let lastActivityAt = Date.now()
const isUserActive = (): boolean => Date.now() - lastActivityAt < activeTimeoutMs

function subscribe(onChange: () => void): () => void {
  let inactivityTimer: ReturnType<typeof setTimeout>
  let pointerPosition = ''
  let isInactive = false
  const checkActivity = () => {
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
    lastActivityAt = Date.now()
    if (!isInactive) return
    checkActivity()
    onChange()
  }
  lastActivityAt = Date.now()
  checkActivity()
  for (const eventName of activityEvents) window.addEventListener(eventName, onActivity, { capture: true, passive: true })
  return () => {
    clearTimeout(inactivityTimer)
    for (const eventName of activityEvents) window.removeEventListener(eventName, onActivity, { capture: true })
  }
}

/**
 * Returns true while the user is active. Polling stops for inactive users because each call extends the session, which
 * would never expire.
 */
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
