import { useLingui } from '@lingui/react/macro'
import type { PageOf } from '@clearway/contract/kit/paging.ts'
import { useState } from 'react'
import { getProblemMessage } from '../client/problem-text.ts'
import { useToast } from '../dialog/toast.tsx'
import { stay } from '../keyboard/shortcuts.ts'
import { useFormats } from '../text/format.ts'
import { focusTitle } from '../page/focus-title.ts'

type Walk<Row extends { id: string }> = {
  /** The row that is open. */
  id: Row['id']
  list: PageOf<Row> | undefined
  search: { page: number; size: number }
  /** Opens a row of a page of the list. */
  open: (id: Row['id'], page?: number) => unknown
  load: (page: number) => Promise<PageOf<Row>>
  /** This page as it is once every change is stored; undefined when nothing has changed since it was read. */
  readAgain?: () => Promise<PageOf<Row> | undefined>
}

type From<Row> = { id: string; by: 1 | -1; before: readonly Row[] | undefined }

/** The row beside another one. One that has gone was behind those that stood before it, as far as they are still there. */
function neighbour<Row extends { id: string }>(rows: readonly Row[], { id, by, before }: From<Row>) {
  const at = rows.findIndex((row) => row.id === id)
  if (at >= 0) return rows[at + by]
  const was = before?.findIndex((row) => row.id === id) ?? -1
  if (!before || was < 0) return undefined
  const preceding = before.slice(0, was)
  const ids = new Set(preceding.map((row) => row.id))
  const gap = rows.findLastIndex((row) => ids.has(row.id)) + 1
  return rows[by === 1 ? gap : gap - 1]
}

/** The way from the open row of a list to its neighbours. At an end of a page it goes on in the next one. */
export function useRowWalk<Row extends { id: string }>({
  id,
  list,
  search,
  open,
  load,
  readAgain,
}: Walk<Row>) {
  const { t } = useLingui()
  const { number } = useFormats()
  const toast = useToast()
  const rows = list?.content ?? []
  const at = rows.findIndex((row) => row.id === id)
  // The rows among which the open one was last seen: its change may have taken it out of the list.
  const [last, setLast] = useState({ id, rows })
  if (at >= 0 && (last.id !== id || last.rows !== rows)) setLast({ id, rows })
  const neighbourIn = (now: readonly Row[], by: 1 | -1) =>
    neighbour(now, { id, by, before: last.id === id ? last.rows : undefined })
  const neighbourOf = (by: 1 | -1) => neighbourIn(rows, by)
  const goTo = async (page: number, by: 1 | -1): Promise<void> => {
    // Rows that have left this page were followed by some of the next one.
    const now = by === 1 ? await readAgain?.() : undefined
    const here = now && neighbourIn(now.content, by)
    if (here) return void open(here.id)
    const { content } = await load(page)
    const next = by === 1 ? content[0] : content.at(-1)
    if (next) return void open(next.id, page)
    stay()
    toast('info', t`The list has no more rows.`)
  }
  const step = (by: 1 | -1): (() => void) | null => {
    if (!list || (at < 0 && last.id !== id)) return null
    const row = neighbourOf(by)
    if (row) return () => void open(row.id)
    const page = search.page + by
    if (page < 1 || page > list.page.totalPages) return null
    return () =>
      void goTo(page, by).catch((error: unknown) => {
        stay()
        toast('error', t(getProblemMessage(error)))
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
    /** Rows that are likely to be opened next, the likeliest first. Two ahead: who is fast is there before one has come. */
    neighbours: [neighbourOf(1), at < 0 ? undefined : rows[at + 2], neighbourOf(-1)] as const,
  }
}

/** Gives the focus to a row whose detail was closed; to the title where the row has left the list. */
export function focusRow(id: string): void {
  const row = document.getElementById(id)
  if (row) row.focus()
  else focusTitle()
}
