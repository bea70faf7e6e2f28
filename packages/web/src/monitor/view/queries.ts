import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { DefaultView, SavedView, ViewBody, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { useEffect } from 'react'
import { ApiError } from '../../kit/client/client.ts'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'
import { type MonitorApi, type Session, useSession } from '../user/model.ts'
import { getOldViewsKey, parseOldViews, toViewQuery } from './model.ts'

const maxPageSize = 500

export const viewsQuery = (apiClient: MonitorApi, screen: ViewScreen | undefined) =>
  queryOptions({
    queryKey: ['views', screen ?? 'all'],
    queryFn: async ({ signal }) => {
      const allViews: SavedView[] = []
      for (let pageIndex = 0; ; pageIndex++) {
        const viewPage = await apiClient.listViews({ query: { screen, page: pageIndex, size: maxPageSize } }, signal)
        allViews.push(...viewPage.content)
        if (pageIndex + 1 >= viewPage.page.totalPages) return allViews
      }
    },
    staleTime: 60_000,
  })

/** Loads the default views. Not retried: without a response, screens open with their own defaults. */
const defaultViewsQuery = ({ api, defaultViews }: Session) =>
  queryOptions({
    queryKey: ['views', 'defaults'],
    queryFn: ({ signal }) => api.listDefaultViews({}, signal),
    ...(defaultViews && { initialData: defaultViews }),
    staleTime: 60_000,
    retry: false,
  })

/** Returns the default views of screens and whether they are loading. Guests have none. */
export function useDefaultViews(): { views: readonly DefaultView[]; isLoading: boolean } {
  const userSession = useSession()
  // Offline, the query waits for the connection, but screens must not wait with it.
  const { data: defaultViews, isLoading } = useQuery({
    ...defaultViewsQuery(userSession),
    enabled: !userSession.permissions.isGuest,
  })
  return { views: defaultViews ?? [], isLoading }
}

export function useSetDefaultView() {
  const userSession = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { screen: ViewScreen; viewId: ViewId | null }) => userSession.api.setDefaultView({ body }),
    onSuccess: (newViews) => queryClient.setQueryData(defaultViewsQuery(userSession).queryKey, newViews),
  })
}

export const viewTeamsQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['view-teams'], queryFn: ({ signal }) => apiClient.listViewTeams({}, signal), staleTime: 60_000 })

type ViewSaveRequest = { storedView: { id: ViewId; version: number } | null; settings: ViewBody }

/** Saves, changes and deletes views. Lists are refetched even after a failure: another user may have changed them first. */
export function useViewActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshViews = () => queryClient.invalidateQueries({ queryKey: ['views'] })
  return {
    saveMutation: useMutation({
      mutationFn: ({ storedView, settings }: ViewSaveRequest) =>
        storedView === null
          ? apiClient.createView({ body: settings })
          : apiClient.updateView({ params: { id: storedView.id }, body: { settings, version: storedView.version } }),
      onSettled: refreshViews,
    }),
    deleteMutation: useMutation({
      mutationFn: (id: ViewId) => apiClient.deleteView({ params: { id } }),
      onSettled: refreshViews,
    }),
  }
}

/** Moves views of an earlier version from this browser to the server. Refused views are dropped; unsent ones are retried. */
export function useOldViewMigration(screen: ViewScreen, defaults: Readonly<Record<string, unknown>>): void {
  const { api: apiClient, permissions } = useSession()
  const queryClient = useQueryClient()
  const { username: ownUsername, canSaveViews } = permissions
  useEffect(() => {
    const storageKey = getOldViewsKey(screen, ownUsername)
    const oldViews = canSaveViews ? parseOldViews(readStoredValue(storageKey)) : []
    if (oldViews.length === 0) return
    const sendOldViews = async () => {
      const unsentViews: typeof oldViews = []
      for (const view of oldViews) {
        const viewQuery = toViewQuery(screen, view.search, defaults)
        const viewSettings = { name: view.name, audience: { kind: 'me' }, screen, query: viewQuery } as ViewBody
        try {
          await apiClient.createView({ body: viewSettings })
        } catch (error) {
          const isRefused = error instanceof ApiError && (error.status === 400 || error.problem?.code === 'name-taken')
          if (!isRefused) unsentViews.push(view)
        }
      }
      // Written last, so that leaving early loses no view. A view that is sent twice is refused because of its name.
      writeStoredValue(storageKey, unsentViews.length > 0 ? JSON.stringify(unsentViews) : null)
      await queryClient.invalidateQueries({ queryKey: ['views'] })
    }
    void sendOldViews()
  }, [apiClient, queryClient, screen, ownUsername, canSaveViews, defaults])
}
