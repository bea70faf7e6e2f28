import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { useLatest } from '../client/use-latest.ts'

type Props = Pick<LinkProps, 'to'> & {
  id: string
  className: string | undefined
  /** The list as it is, with the row's detail open. */
  search: object
  onFocus?: () => void
  children: ReactNode
}

/**
 * The name of a row, which opens its detail. A `Link` works its address out again with every change of the one in the bar: all
 * rows would, at each step from one detail to the next.
 */
export function RowLink({ to, search, children, ...element }: Props) {
  const router = useRouter()
  const href = useMemo(
    () => router.history.createHref(router.buildLocation({ to, search } as LinkProps).publicHref),
    [router, to, search],
  )
  const open = useLatest((event: MouseEvent) => {
    const isOwn = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (!isOwn || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate({ to, search, resetScroll: false } as LinkProps)
  })
  return (
    <a {...element} href={href} onClick={open}>
      {children}
    </a>
  )
}
