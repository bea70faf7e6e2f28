import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'

/** For how long after the last press or move a screen looks for news by itself, ms. */
const attendedMs = 5 * 60_000
// Not `scroll`: what is read again by itself also moves a screen.
const acts = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'focus'] as const
let lastAct = Date.now()
const isAttended = (): boolean => Date.now() - lastAct < attendedMs

function subscribe(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  let pointer = ''
  let paused = false
  const look = () => {
    paused = !isAttended()
    if (paused) changed()
    else timer = setTimeout(look, lastAct + attendedMs - Date.now() + 100)
  }
  const act = (event: Event) => {
    if (event.type === 'pointermove') {
      // A pointer that lies still moves over a page that changes below it.
      const { screenX, screenY } = event as PointerEvent
      const before = pointer
      pointer = `${screenX} ${screenY}`
      if (before === '' || pointer === before) return
    }
    lastAct = Date.now()
    if (!paused) return
    look()
    changed()
  }
  lastAct = Date.now()
  look()
  for (const name of acts) window.addEventListener(name, act, { capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    for (const name of acts) window.removeEventListener(name, act, { capture: true })
  }
}

/**
 * Whether somebody is there. What asks the server by a clock asks only then: each call keeps the session, and nobody would be
 * signed out who has gone.
 */
export const useAttended = (): boolean => useSyncExternalStore(subscribe, isAttended)

/** Calls once somebody is back: what stood still meanwhile is old. */
export function useOnReturn(isThere: boolean, call: () => unknown): void {
  const was = useRef(isThere)
  const now = useEffectEvent(call)
  useEffect(() => {
    if (isThere && !was.current) now()
    was.current = isThere
  }, [isThere])
}
