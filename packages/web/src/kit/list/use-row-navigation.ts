import { useLingui } from '@lingui/react/macro'
import type { PagedList } from '@clearway/contract/kit/paging.ts'
import { useState } from 'react'
import { useToast } from '../dialog/toast.tsx'
import { useShowError } from '../dialog/use-show-error.ts'
import { discardQueuedKeys } from '../keyboard/shortcuts.ts'
import { useFormats } from '../text/format.ts'
import { focusTitle } from '../page/focus-title.ts'

type RowNavigationOptions<Row extends { id: string }> = {
  id: Row['id']
  list: PagedList<Row> | undefined
  search: { page: number; size: number }
  openRow: (id: Row['id'], page?: number) => unknown
  loadPage: (page: number) => Promise<PagedList<Row>>
  /** Refetches this page after all changes are stored; resolves to undefined if nothing changed since it was loaded. */
  refetchPage?: () => Promise<PagedList<Row> | undefined>
}

type NeighborQuery<Row> = { id: string; direction: 1 | -1; previousRows: readonly Row[] | undefined }

/** Returns the row next to the given one. If the row is gone, starts from the last remaining row that preceded it. */
function findNeighbor<Row extends { id: string }>(rows: readonly Row[], { id, direction, previousRows }: NeighborQuery<Row>) {
  const rowIndex = rows.findIndex((row) => row.id === id)
  if (rowIndex >= 0) return rows[rowIndex + direction]
  const previousIndex = previousRows?.findIndex((row) => row.id === id) ?? -1
  if (!previousRows || previousIndex < 0) return undefined
  const precedingRows = previousRows.slice(0, previousIndex)
  const precedingIds = new Set(precedingRows.map((row) => row.id))
  const gapIndex = rows.findLastIndex((row) => precedingIds.has(row.id)) + 1
  return rows[direction === 1 ? gapIndex : gapIndex - 1]
}

/** Navigation from the open row of a list to its neighbors. Continues on the adjacent page at either end of the page. */
export function useRowNavigation<Row extends { id: string }>({
  id,
  list,
  search,
  openRow,
  loadPage,
  refetchPage,
}: RowNavigationOptions<Row>) {
  const { t } = useLingui()
  const { formatNumber } = useFormats()
  const showToast = useToast()
  const showError = useShowError()
  const pageRows = list?.content ?? []
  const rowIndex = pageRows.findIndex((row) => row.id === id)
  // Page on which the open row was last seen. A change of the row may remove it from the list.
  const [lastSeen, setLastSeen] = useState({ id, rows: pageRows })
  if (rowIndex >= 0 && (lastSeen.id !== id || lastSeen.rows !== pageRows)) setLastSeen({ id, rows: pageRows })
  const findNeighborIn = (currentRows: readonly Row[], direction: 1 | -1) =>
    findNeighbor(currentRows, { id, direction, previousRows: lastSeen.id === id ? lastSeen.rows : undefined })
  const getNeighbor = (direction: 1 | -1) => findNeighborIn(pageRows, direction)
  const goToPage = async (page: number, direction: 1 | -1): Promise<void> => {
    // If rows left this page, rows of the next page moved up.
    const refetchedPage = direction === 1 ? await refetchPage?.() : undefined
    const neighborOnPage = refetchedPage && findNeighborIn(refetchedPage.content, direction)
    if (neighborOnPage) return void openRow(neighborOnPage.id)
    const { content: adjacentRows } = await loadPage(page)
    const nextRow = direction === 1 ? adjacentRows[0] : adjacentRows.at(-1)
    if (nextRow) return void openRow(nextRow.id, page)
    discardQueuedKeys()
    showToast('info', t`The list has no more rows.`)
  }
  const createStep = (direction: 1 | -1): (() => void) | null => {
    if (!list || (rowIndex < 0 && lastSeen.id !== id)) return null
    const neighborRow = getNeighbor(direction)
    if (neighborRow) return () => void openRow(neighborRow.id)
    const adjacentPage = search.page + direction
    if (adjacentPage < 1 || adjacentPage > list.page.totalPages) return null
    return () =>
      void goToPage(adjacentPage, direction).catch((error: unknown) => {
        discardQueuedKeys()
        showError(error)
      })
  }
  const formattedPosition = formatNumber((search.page - 1) * search.size + rowIndex + 1)
  const formattedTotal = formatNumber(list?.page.totalElements ?? 0)
  return {
    navigation: {
      position: rowIndex < 0 ? undefined : t`${formattedPosition} of ${formattedTotal}`,
      onPrevious: createStep(-1),
      onNext: createStep(1),
    },
    /** Rows to prefetch, most likely first. Two rows ahead for fast keyboard users. */
    neighborRows: [getNeighbor(1), rowIndex < 0 ? undefined : pageRows[rowIndex + 2], getNeighbor(-1)] as const,
  }
}

/** Focuses a row after its detail was closed, or the title if the row left the list. */
export function focusRow(id: string): void {
  const rowElement = document.getElementById(id)
  if (rowElement) rowElement.focus()
  else focusTitle()
}
