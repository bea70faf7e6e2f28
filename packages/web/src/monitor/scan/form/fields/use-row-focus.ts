import type { RefObject } from 'react'
import { useRef } from 'react'

type RowFocus = {
  /** Goes to the element around the rows; it needs a tabIndex of -1. */
  list: RefObject<HTMLDivElement | null>
  /** Removes a row, and gives the focus that stood in it to the rows around it. */
  onRemoved: (remove: () => void) => void
}

/** Keeps the focus near when the row that has it is removed. */
export function useRowFocus(): RowFocus {
  const list = useRef<HTMLDivElement>(null)
  return {
    list,
    onRemoved: (remove) => {
      remove()
      list.current?.focus()
    },
  }
}
