import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { ViewQuery, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readStoredValue, writeStoredValue } from '../../../kit/client/storage.ts'
import { useDefaultViews } from '../queries.ts'

type Search = Readonly<Record<string, unknown>>
type Props<S extends ViewScreen> = {
  screen: S
  /** What the address bar says, and what it says by itself. */
  search: Search
  defaults: Search
  onOpen: (query: ViewQuery<S>, saved: ViewId) => void
}

/** Entries of the history whose list was shown: whoever comes back to one, or reloads it, finds it as it was. */
const seenKey = 'seen-lists'
const seen = new Set(readStoredValue(seenKey, 'sessionStorage')?.split(' '))
/** As many as somebody goes back to. */
const mostSeen = 100

function keepSeen(key: string): void {
  if (seen.has(key)) return
  seen.add(key)
  writeStoredValue(seenKey, [...seen].slice(-mostSeen).join(' '), 'sessionStorage')
}

/**
 * Opens a person's default view of a screen, when they come to it by a URL that says nothing of its own.
 * @returns whether that is still to be decided: until then the list would show what is gone a moment later
 */
export function useDefaultView<S extends ViewScreen>({
  screen,
  search,
  defaults,
  onOpen,
}: Props<S>): boolean {
  // Read, not subscribed to: the list would be drawn at every step from row to row, and again with the search that it brings.
  const router = useRouter()
  const entry = () => router.history.location.state.__TSR_key ?? ''
  // Of this list; the history may be on its way to another screen.
  const [pathname] = useState(router.latestLocation.pathname)
  const { views, isLoading } = useDefaultViews()
  const isBare = Object.entries(search).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(defaults[name]),
  )
  const [isDecided, setDecided] = useState(() => seen.has(entry()) || !isBare)
  const isAsked = useRef(false)
  const view = views.find((one) => one.screen === screen)?.view ?? null
  // Once: whoever closes the view has the list without it.
  if (!isDecided && (!isBare || (!isLoading && view === null))) setDecided(true)
  const opens = !isDecided && isBare && !isLoading && view !== null
  useEffect(() => {
    if (!opens || isAsked.current) return
    isAsked.current = true
    onOpen(view.query as ViewQuery<S>, view.id)
  }, [opens, view, onOpen])
  // Not before it is decided: a reload while the views are loading would have the list without its default.
  useEffect(() => {
    if (isDecided && router.latestLocation.pathname === pathname) keepSeen(entry())
  })
  return opens || (!isDecided && isBare && isLoading)
}
