import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useLatest } from '../client/use-latest.ts'

type Props = Pick<LinkProps, 'to'> & {
  id: string
  className: string | undefined
  /** The list as it was when the row was drawn, with the row's detail open. */
  search: object
  /** What opens the detail, added to the list as it is when somebody follows the link. */
  detail: Readonly<Record<string, unknown>>
  onFocus?: () => void
  children: ReactNode
}

/**
 * The name of a row, which opens its detail. A `Link` works its address out again with every change of the one in the bar: all
 * rows would, at each step from one detail to the next.
 */
export function RowLink({ to, search, detail, children, ...element }: Props) {
  const router = useRouter()
  const href = useMemo(
    () => router.history.createHref(router.buildLocation({ to, search } as LinkProps).publicHref),
    [router, to, search],
  )
  const open = useLatest((event: MouseEvent) => {
    const isOwn = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (!isOwn || event.defaultPrevented) return
    event.preventDefault()
    const opened = (before: object) => ({ ...before, ...detail })
    void router.navigate({ to, search: opened, resetScroll: false } as LinkProps)
  })
  return (
    <a {...element} href={href} onClick={open}>
      {children}
    </a>
  )
}
