import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { paged } from '../../kit/list-search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { ScanSearch } from './model.ts'

/** One page of the scan list. */
export const scanListQuery = (api: MonitorApi, search: ScanSearch) =>
  queryOptions({
    queryKey: ['scans', 'list', search],
    queryFn: ({ signal }) => {
      const { q, show, sort } = search
      const query = { ...paged(search), search: q || undefined, sort: [sort] }
      return api.listScans(
        { query: { ...query, favorites: show === 'favorites', mine: show === 'mine' } },
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })

/** How many scans a choice of the list has. */
export const scanCountQuery = (api: MonitorApi, show: ScanSearch['show']) =>
  queryOptions({
    queryKey: ['scans', 'count', show],
    queryFn: async ({ signal }) => {
      const query = { size: 1, favorites: show === 'favorites', mine: show === 'mine' }
      return (await api.listScans({ query }, signal)).page.totalElements
    },
  })

/** Every scan by name, to choose from. */
export const allScansQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'choice'],
    queryFn: ({ signal }) => api.listScans({ query: { size: 500, sort: ['name,asc'] } }, signal),
    staleTime: 60_000,
  })

const busyMs = 2_000
const idleMs = 10_000
/** Scans with an active run; looked at often while there are any. */
export const runningScansQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'running'],
    queryFn: ({ signal }) => api.listScans({ query: { running: true, size: 10 } }, signal),
    refetchInterval: (query) => (query.state.data?.content.length ? busyMs : idleMs),
  })

export const scanQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id],
    queryFn: ({ signal }) => api.readScan({ params: { id } }, signal),
  })

export const scanSettingsQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'settings'],
    queryFn: ({ signal }) => api.readScanSettings({ params: { id } }, signal),
    // A form is being filled in from it.
    staleTime: Infinity,
    gcTime: 0,
  })

/** What can be done to scans; each refreshes what shows them. */
export function useScanActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'scans' || queryKey[0] === 'scan',
    })
  return {
    favorite: useMutation({
      mutationFn: ({ id, status }: { id: ScanId; status: boolean }) =>
        api.favoriteScan({ params: { id }, query: { status } }),
      onSuccess: refresh,
    }),
    remove: useMutation({
      mutationFn: (id: ScanId) => api.deleteScan({ params: { id } }),
      // Only the lists: asking for the scan itself again could but fail.
      onSuccess: () => client.invalidateQueries({ queryKey: ['scans'] }),
    }),
    start: useMutation({ mutationFn: (id: ScanId) => api.startRun({ params: { id } }), onSuccess: refresh }),
    cancel: useMutation({
      mutationFn: (id: ScanId) => api.cancelRun({ params: { id } }),
      onSuccess: refresh,
    }),
    create: useMutation({
      mutationFn: (body: z.input<typeof ScanSettings>) => api.createScan({ body }),
      onSuccess: refresh,
    }),
    update: useMutation({
      mutationFn: ({
        id,
        ...body
      }: {
        id: ScanId
        settings: z.input<typeof ScanSettings>
        version: number
      }) => api.updateScan({ params: { id }, body }),
      onSuccess: refresh,
    }),
  }
}
