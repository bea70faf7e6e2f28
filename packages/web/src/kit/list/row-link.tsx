import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useStableCallback } from '../client/use-latest.ts'

type Props = Pick<LinkProps, 'to'> & {
  id: string
  className: string | undefined
  /** The list's search; see `useListed`. */
  listed: object
  /** The part of the search that names the open detail, and what it is for this row. */
  detail: string
  opens: string
  onFocus?: () => void
  children: ReactNode
}

/** A list's search without the detail that is open: the same object as long as it says the same. */
export function useListed<S extends object>(search: S, detail: keyof S): S {
  const said = JSON.stringify({ ...search, [detail]: undefined })
  return useMemo(() => JSON.parse(said) as S, [said])
}

/**
 * The name of a row, which opens its detail. A `Link` works its URL out again with every change of the one in the bar: all
 * rows would, at each step from one detail to the next.
 */
export function RowLink({ to, listed, detail, opens, children, ...element }: Props) {
  const router = useRouter()
  const href = useMemo(
    () =>
      router.history.createHref(
        router.buildLocation({ to, search: { ...listed, [detail]: opens } } as LinkProps).publicHref,
      ),
    [router, to, listed, detail, opens],
  )
  const open = useStableCallback((event: MouseEvent) => {
    const isOwn = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (!isOwn || event.defaultPrevented) return
    event.preventDefault()
    // Of the list as it is by now.
    const search = (before: object) => ({ ...before, [detail]: opens })
    void router.navigate({ to, search, resetScroll: false } as LinkProps)
  })
  return (
    <a {...element} href={href} onClick={open}>
      {children}
    </a>
  )
}
