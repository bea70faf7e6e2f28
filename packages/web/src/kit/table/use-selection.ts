import { hasNarrowingFilter } from '@clearway/contract/kit/selection.ts'
import { useState } from 'react'

/** Selected rows: named rows, or all rows that match the filters except some. */
export type Selection = {
  readonly all: boolean
  /** Selected row ids; with `all`, the excluded ones. */
  readonly ids: ReadonlySet<string>
}
export type SelectionState = {
  selection: Selection
  isSelected: (id: string) => boolean
  toggleRow: (id: string) => void
  togglePage: (ids: readonly string[], isSelected: boolean) => void
  selectAll: () => void
  clearSelection: () => void
  countSelected: (total: number) => number
}

/** Selection for the export of a whole list. */
export const everythingSelected: Selection = { all: true, ids: new Set() }

/**
 * Returns the filters of a bulk call on all rows. Filters that match everything say so, with the number of rows to change.
 * @param matchCount number of rows that match; undefined for calls that change nothing
 */
export const confirmEverything = <F extends object>(filters: F, matchCount: number | undefined, excludedCount: number) =>
  matchCount === undefined || hasNarrowingFilter(filters)
    ? { filters }
    : { filters: { ...filters, everything: true as const }, expectedCount: matchCount - excludedCount }

const nothingSelected: Selection = { all: false, ids: new Set() }

/**
 * Selection across the pages of a list. A change of `filters` clears it.
 * @param page the row ids of this page if rows are groups: deselecting one of all selects the other groups of the page only
 */
export function useSelection(filters: string, pageRowIds?: readonly string[]): SelectionState {
  const [selectionState, setSelectionState] = useState({ filters, selection: nothingSelected })
  const currentSelection = selectionState.filters === filters ? selectionState.selection : nothingSelected
  const updateSelection = (newSelection: Selection) => setSelectionState({ filters, selection: newSelection })
  const isSelected = (id: string) => currentSelection.ids.has(id) !== currentSelection.all
  const setSelected = (changedIds: readonly string[], shouldSelect: boolean) => {
    const selectedIds = new Set(currentSelection.all && pageRowIds ? pageRowIds : currentSelection.ids)
    if (currentSelection.all && pageRowIds) {
      for (const id of shouldSelect ? [] : changedIds) selectedIds.delete(id)
      return updateSelection({ all: false, ids: selectedIds })
    }
    for (const id of changedIds)
      if (shouldSelect === currentSelection.all) selectedIds.delete(id)
      else selectedIds.add(id)
    updateSelection({ all: currentSelection.all, ids: selectedIds })
  }
  return {
    selection: currentSelection,
    isSelected,
    toggleRow: (id) => setSelected([id], !isSelected(id)),
    togglePage: setSelected,
    selectAll: () => updateSelection({ all: true, ids: new Set() }),
    clearSelection: () => updateSelection(nothingSelected),
    countSelected: (total) => (currentSelection.all ? Math.max(0, total - currentSelection.ids.size) : currentSelection.ids.size),
  }
}
