import type { RefObject } from 'react'
import { useRef } from 'react'

type RowFocus = {
  /** Ref for the element around the rows; it needs a tabIndex of -1. */
  listRef: RefObject<HTMLDivElement | null>
  /** Removes a row and moves the focus to the list. */
  onRemoved: (removeRow: () => void) => void
}

/** Keeps the focus in the list when the focused row is removed. */
export function useRowFocus(): RowFocus {
  const listRef = useRef<HTMLDivElement>(null)
  return {
    listRef,
    onRemoved: (removeRow) => {
      removeRow()
      listRef.current?.focus()
    },
  }
}
