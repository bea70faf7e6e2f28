import type { PageId } from '@clearway/contract/kit/id.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../kit/client.ts'
import type { Selection } from '../../kit/use-selection.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { PageSearch } from './model.ts'
import { filtersOf } from './queries.ts'

/** The body of a bulk call: what is ticked, or all that the filters match. */
export function bulkBody(search: PageSearch, { all, ids }: Selection) {
  const named = [...ids] as PageId[]
  return {
    filters: filtersOf(search),
    selected: all
      ? { selectAllMode: true, deselectedPages: named }
      : { selectAllMode: false, selectedPages: named },
  }
}
export const everything: Selection = { all: true, ids: new Set() }

const pollMs = 1500
/** The last time that a page was looked at again by itself; null when it never was. Asked for while it goes on. */
export const recheckQuery = (api: MonitorApi, id: PageId) =>
  queryOptions({
    queryKey: ['page', id, 'recheck'],
    queryFn: async ({ signal }) => {
      try {
        return await api.readRecheck({ params: { id } }, signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'waiting' || data?.state === 'working' ? pollMs : false,
  })

/** Deletes pages, and looks at one again; each refreshes what shows them. */
export function usePageActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) =>
        ['page', 'pages', 'issue', 'issues', 'run'].includes(String(first)),
    })
  return {
    refresh,
    remove: useMutation({
      mutationFn: (body: ReturnType<typeof bulkBody>) => api.deletePages({ body }),
      onSettled: refresh,
    }),
    removeOne: useMutation({
      mutationFn: (id: PageId) => api.deletePage({ params: { id } }),
      onSuccess: () =>
        client.invalidateQueries({
          predicate: ({ queryKey: [first] }) => first === 'pages' || first === 'run',
        }),
    }),
    recheck: useMutation({
      mutationFn: (id: PageId) => api.recheckPage({ params: { id } }),
      onSuccess: (state, id) => client.setQueryData(recheckQuery(api, id).queryKey, state),
    }),
  }
}
