import { useState } from 'react'

/** What is ticked: named rows, or everything that the filters match less some. */
export type Selection = {
  readonly all: boolean
  /** Ticked rows; with `all` the unticked ones. */
  readonly ids: ReadonlySet<string>
}
export type SelectionState = {
  selection: Selection
  isOn: (id: string) => boolean
  toggle: (id: string) => void
  /** Ticks or unticks the rows of a page. */
  togglePage: (ids: readonly string[], on: boolean) => void
  selectAll: () => void
  clear: () => void
  /** How many of so many are ticked. */
  count: (total: number) => number
}

/** What an export of a whole list is of. */
export const everything: Selection = { all: true, ids: new Set() }
const nothing: Selection = { all: false, ids: new Set() }

/**
 * Rows ticked across the pages of a list. `filters` names what is listed: other filters tick nothing.
 * @param page the rows of this page, where rows are groups that a bulk call cannot leave out of all: unticking one of all
 *   leaves the others of the page
 */
export function useSelection(filters: string, page?: readonly string[]): SelectionState {
  const [state, setState] = useState({ filters, selection: nothing })
  const selection = state.filters === filters ? state.selection : nothing
  const set = (next: Selection) => setState({ filters, selection: next })
  const isOn = (id: string) => selection.ids.has(id) !== selection.all
  const turn = (changed: readonly string[], on: boolean) => {
    const ids = new Set(selection.all && page ? page : selection.ids)
    if (selection.all && page) {
      for (const id of on ? [] : changed) ids.delete(id)
      return set({ all: false, ids })
    }
    for (const id of changed)
      if (on === selection.all) ids.delete(id)
      else ids.add(id)
    set({ all: selection.all, ids })
  }
  return {
    selection,
    isOn,
    toggle: (id) => turn([id], !isOn(id)),
    togglePage: turn,
    selectAll: () => set({ all: true, ids: new Set() }),
    clear: () => set(nothing),
    count: (total) => (selection.all ? Math.max(0, total - selection.ids.size) : selection.ids.size),
  }
}
