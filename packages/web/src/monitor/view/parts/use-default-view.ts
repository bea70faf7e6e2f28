import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { ViewQuery, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useDefaultViews } from '../queries.ts'

type Search = Readonly<Record<string, unknown>>
type Props<S extends ViewScreen> = {
  screen: S
  /** What the address bar says, and what it says by itself. */
  search: Search
  defaults: Search
  onOpen: (query: ViewQuery<S>, saved: ViewId) => void
}

/** Entries of the history whose list was shown: whoever comes back to one finds it as it was. */
const seen = new Set<string>()

/**
 * Opens the view that somebody made the default of a screen, when he comes to it by an address that says nothing of its own.
 * @returns whether that is still to be decided: until then the list would show what is gone a moment later
 */
export function useDefaultView<S extends ViewScreen>({
  screen,
  search,
  defaults,
  onOpen,
}: Props<S>): boolean {
  const key = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const { views, isLoading } = useDefaultViews()
  const isBare = Object.entries(search).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(defaults[name]),
  )
  const [isDecided, setDecided] = useState(() => seen.has(key) || !isBare)
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
  useEffect(() => {
    seen.add(key)
  }, [key])
  return opens || (!isDecided && isBare && isLoading)
}
