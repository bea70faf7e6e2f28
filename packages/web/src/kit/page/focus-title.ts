import { type RefObject, useLayoutEffect } from 'react'

/** Focuses the title of the screen when the focused element and everything near it are gone. */
export const focusTitle = (options?: FocusOptions): void => document.querySelector('h1')?.focus(options)

/** Focuses the title when a card disappears with a focused element inside. */
export function useFocusOfCard(cardRef: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const cardElement = cardRef.current
    return () => {
      if (cardElement?.contains(document.activeElement)) focusTitle({ preventScroll: true })
    }
  }, [cardRef])
}
