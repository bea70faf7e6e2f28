import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { ViewQuery, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readStoredValue, writeStoredValue } from '../../../kit/client/storage.ts'
import { useDefaultViews } from '../queries.ts'

type SearchParams = Readonly<Record<string, unknown>>
type UseDefaultViewProps<S extends ViewScreen> = {
  screen: S
  /** Current URL parameters and their defaults. */
  search: SearchParams
  defaults: SearchParams
  onOpen: (query: ViewQuery<S>, saved: ViewId) => void
}

/** History entries whose list was already shown. Going back or reloading restores the list as it was. */
const shownListsKey = 'seen-lists'
const shownEntries = new Set(readStoredValue(shownListsKey, 'sessionStorage')?.split(' '))
const maxShownEntries = 100

function rememberShown(entryKey: string): void {
  if (shownEntries.has(entryKey)) return
  shownEntries.add(entryKey)
  writeStoredValue(shownListsKey, [...shownEntries].slice(-maxShownEntries).join(' '), 'sessionStorage')
}

/**
 * Opens the user's default view of a screen if the URL contains no own search.
 * @returns true while undecided; the list must not be shown yet because its content could change immediately
 */
export function useDefaultView<S extends ViewScreen>({ screen, search, defaults, onOpen }: UseDefaultViewProps<S>): boolean {
  // Read without subscription. Otherwise the list would render at every step between rows, and again with the resulting search.
  const appRouter = useRouter()
  const getHistoryEntry = () => appRouter.history.location.state.__TSR_key ?? ''
  // Path of this list; the router may already navigate to another screen.
  const [listPath] = useState(appRouter.latestLocation.pathname)
  const { views: defaultViews, isLoading } = useDefaultViews()
  const hasDefaultSearch = Object.entries(search).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(defaults[name]),
  )
  const [isDecided, setIsDecided] = useState(() => shownEntries.has(getHistoryEntry()) || !hasDefaultSearch)
  const hasOpenedRef = useRef(false)
  const defaultView = defaultViews.find((candidate) => candidate.screen === screen)?.view ?? null
  // Opens once: closing the view leaves the list without it.
  if (!isDecided && (!hasDefaultSearch || (!isLoading && defaultView === null))) setIsDecided(true)
  const shouldOpen = !isDecided && hasDefaultSearch && !isLoading && defaultView !== null
  useEffect(() => {
    if (!shouldOpen || hasOpenedRef.current) return
    hasOpenedRef.current = true
    onOpen(defaultView.query as ViewQuery<S>, defaultView.id)
  }, [shouldOpen, defaultView, onOpen])
  // Only after the decision: a reload while views are loading would otherwise skip the default view.
  useEffect(() => {
    if (isDecided && appRouter.latestLocation.pathname === listPath) rememberShown(getHistoryEntry())
  })
  return shouldOpen || (!isDecided && hasDefaultSearch && isLoading)
}
