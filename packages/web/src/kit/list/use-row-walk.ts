import { useLingui } from '@lingui/react/macro'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
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
  const step = (by: 1 | -1): (() => void) | null => {
    if (at < 0 || !list) return null
    const neighbour = rows[at + by]
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
    position: at < 0 ? undefined : t`${place} of ${total}`,
    onPrevious: step(-1),
    onNext: step(1),
  }
}
