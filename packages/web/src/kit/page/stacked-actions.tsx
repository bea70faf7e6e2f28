import { Children, type ReactNode, useState } from 'react'
import { smallScreenQuery } from './use-media-query.ts'

/**
 * Buttons in the order of a row, whose last one is the main action; the reverse where each has a line of its own, so that the
 * main action comes first. The order stays when the size of the window changes: a button that moves would lose the focus.
 */
export function StackedActions({ children }: { children: ReactNode }) {
  const [isStacked] = useState(() => matchMedia(smallScreenQuery).matches)
  const buttons = Children.toArray(children)
  return isStacked ? buttons.toReversed() : buttons
}
