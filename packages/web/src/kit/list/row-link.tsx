import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useStableCallback } from '../client/use-stable-callback.ts'

type RowLinkProps = Pick<LinkProps, 'to'> & {
  id: string
  className: string | undefined
  /** The list's search; see `useListSearch`. */
  listSearch: object
  /** Search parameter of the open detail; `opens` is its value for this row. */
  detailParam: string
  detailId: string
  onFocus?: () => void
  children: ReactNode
}

/** Returns the list's search without the open detail. The object stays the same while its content is equal. */
export function useListSearch<S extends object>(search: S, detailParam: keyof S): S {
  const serializedSearch = JSON.stringify({ ...search, [detailParam]: undefined })
  return useMemo(() => JSON.parse(serializedSearch) as S, [serializedSearch])
}

/** Row name that links to the row's detail. A `Link` would recompute the URL of every row each time the URL changes. */
export function RowLink({ to, listSearch, detailParam, detailId, children, ...linkProps }: RowLinkProps) {
  const appRouter = useRouter()
  const detailHref = useMemo(
    () =>
      appRouter.history.createHref(
        appRouter.buildLocation({ to, search: { ...listSearch, [detailParam]: detailId } } as LinkProps).publicHref,
      ),
    [appRouter, to, listSearch, detailParam, detailId],
  )
  const openDetail = useStableCallback((event: MouseEvent) => {
    const isPlainClick = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (!isPlainClick || event.defaultPrevented) return
    event.preventDefault()
    // Uses the list's current search at the time of the click.
    const updateSearch = (previousSearch: object) => ({ ...previousSearch, [detailParam]: detailId })
    void appRouter.navigate({ to, search: updateSearch, resetScroll: false } as LinkProps)
  })
  return (
    <a {...linkProps} href={detailHref} onClick={openDetail}>
      {children}
    </a>
  )
}
