import { useState } from 'react'
import type { SelectionState } from './use-selection.ts'

type BulkPart = {
  /** Handlers of the list's element: selecting begins with the pointer or the focus in it. */
  listHandlers: { onPointerEnter: () => void; onFocus: () => void }
  /** True from then on, so that dialogs and progress of the actions stay after the selection. */
  isShown: boolean
  /** True while rows are selected: the list is then no use without the actions. */
  isNeeded: boolean
}

/** Decides when a list loads the actions for selected rows, which would delay its first display. */
export function useBulkPart({ selection: { all: isAllSelected, ids: selectedIds } }: SelectionState): BulkPart {
  const [isShown, setIsShown] = useState(false)
  const isNeeded = isAllSelected || selectedIds.size > 0
  if (isNeeded && !isShown) setIsShown(true)
  const show = () => setIsShown(true)
  return { listHandlers: { onPointerEnter: show, onFocus: show }, isShown, isNeeded }
}
