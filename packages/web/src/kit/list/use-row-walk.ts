import { useLingui } from '@lingui/react/macro'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import { useState } from 'react'
import { useFormats } from '../text/format.ts'

type Walk<Row extends { id: string }> = {
  /** The row that is open. */
  id: Row['id']
  list: PageOf<Row> | undefined
  search: { page: number; size: number }
  /** Opens a row of a page of the list. */
  open: (id: Row['id'], page?: number) => unknown
  load: (page: number) => Promise<PageOf<Row>>
}

/** The way from the open row of a list to its neighbours. At an end of a page it goes on in the next one. */
export function useRowWalk<Row extends { id: string }>({ id, list, search, open, load }: Walk<Row>) {
  const { t } = useLingui()
  const { number } = useFormats()
  const rows = list?.content ?? []
  const at = rows.findIndex((row) => row.id === id)
  // A row that its change has taken out of the list leaves its position to the one behind it.
  const [last, setLast] = useState({ id, at })
  if (at >= 0 && (last.id !== id || last.at !== at)) setLast({ id, at })
  const neighbourOf = (by: 1 | -1): Row | undefined => {
    if (at >= 0) return rows[at + by]
    return last.id === id && last.at >= 0 ? rows[by === 1 ? last.at : last.at - 1] : undefined
  }
  const step = (by: 1 | -1): (() => void) | null => {
    if (!list || (at < 0 && last.id !== id)) return null
    const neighbour = neighbourOf(by)
    if (neighbour) return () => void open(neighbour.id)
    const page = search.page + by
    if (page < 1 || page > list.page.totalPages) return null
    return () =>
      void load(page).then(({ content }) => {
        const next = by === 1 ? content[0] : content.at(-1)
        return next && open(next.id, page)
      })
  }
  const place = number((search.page - 1) * search.size + at + 1)
  const total = number(list?.page.totalElements ?? 0)
  return {
    walk: {
      position: at < 0 ? undefined : t`${place} of ${total}`,
      onPrevious: step(-1),
      onNext: step(1),
    },
    /** Rows that are likely to be opened next. */
    neighbours: [neighbourOf(1)?.id, neighbourOf(-1)?.id].filter((one) => one !== undefined),
  }
}
