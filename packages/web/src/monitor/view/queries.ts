import type { ViewId } from '@clearway/contract/kit/id.ts'
import type { DefaultView, SavedView, ViewBody, ViewScreen } from '@clearway/contract/monitor/view/schema.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../../kit/client/client.ts'
import { readStoredValue, writeStoredValue } from '../../kit/client/storage.ts'
import type { MonitorApi, Session } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import { oldViewsKey, readOldViews, viewQueryOf } from './model.ts'

const pageSize = 500

/** Every view of a screen that one may open, or of all screens. */
export const viewsQuery = (api: MonitorApi, screen: ViewScreen | undefined) =>
  queryOptions({
    queryKey: ['views', screen ?? 'all'],
    queryFn: async ({ signal }) => {
      const views: SavedView[] = []
      for (let page = 0; ; page++) {
        const list = await api.listViews({ query: { screen, page, size: pageSize } }, signal)
        views.push(...list.content)
        if (page + 1 >= list.page.totalPages) return views
      }
    },
    staleTime: 60_000,
  })

/** The views with which screens open. Not worth asking twice: without an answer a screen opens as it does by itself. */
const defaultViewsQuery = ({ api, defaultViews }: Session) =>
  queryOptions({
    queryKey: ['views', 'defaults'],
    queryFn: ({ signal }) => api.listDefaultViews({}, signal),
    ...(defaultViews && { initialData: defaultViews }),
    staleTime: 60_000,
    retry: false,
  })

/** With which views screens open, and whether that is still being asked. A guest has none. */
export function useDefaultViews(): { views: readonly DefaultView[]; isLoading: boolean } {
  const session = useSession()
  // Without a connection it waits for one, and nobody should wait with it.
  const { data, isLoading } = useQuery({
    ...defaultViewsQuery(session),
    enabled: !session.permissions.isGuest,
  })
  return { views: data ?? [], isLoading }
}

export function useSetDefaultView() {
  const session = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { screen: ViewScreen; viewId: ViewId | null }) => session.api.setDefaultView({ body }),
    onSuccess: (views) => client.setQueryData(defaultViewsQuery(session).queryKey, views),
  })
}

/** The teams that one can save views for. */
export const viewTeamsQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['view-teams'],
    queryFn: ({ signal }) => api.listViewTeams({}, signal),
    staleTime: 60_000,
  })

type Saving = { before: { id: ViewId; version: number } | null; settings: ViewBody }

/** Saves, changes and deletes views. Whatever comes of it, the lists are read again: somebody else may have been first. */
export function useViewActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: ['views'] })
  return {
    save: useMutation({
      mutationFn: ({ before, settings }: Saving) =>
        before === null
          ? api.createView({ body: settings })
          : api.updateView({
              params: { id: before.id },
              body: { settings, version: before.version },
            }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: (id: ViewId) => api.deleteView({ params: { id } }),
      onSettled,
    }),
  }
}

/**
 * Takes the views that an earlier version kept in this browser to the server. What the server refuses, because the name is taken
 * or it is no view, is not asked again; what could not be sent stays for the next time.
 */
export function useOldViews(screen: ViewScreen, defaults: Readonly<Record<string, unknown>>): void {
  const { api, permissions } = useSession()
  const client = useQueryClient()
  const { username, canSaveViews } = permissions
  useEffect(() => {
    const key = oldViewsKey(screen, username)
    const old = canSaveViews ? readOldViews(readStoredValue(key)) : []
    if (old.length === 0) return
    const send = async () => {
      const left: typeof old = []
      for (const view of old) {
        const query = viewQueryOf(screen, view.search, defaults)
        const settings = { name: view.name, audience: { kind: 'me' }, screen, query } as ViewBody
        try {
          await api.createView({ body: settings })
        } catch (error) {
          const isRefused =
            error instanceof ApiError && (error.status === 400 || error.problem?.code === 'name-taken')
          if (!isRefused) left.push(view)
        }
      }
      // Not before: whoever leaves meanwhile loses none. One that is sent twice is refused by its name.
      writeStoredValue(key, left.length > 0 ? JSON.stringify(left) : null)
      await client.invalidateQueries({ queryKey: ['views'] })
    }
    void send()
  }, [api, client, screen, username, canSaveViews, defaults])
}
