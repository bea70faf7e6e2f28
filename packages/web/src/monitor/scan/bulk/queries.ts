import type { ScanId } from '@clearway/contract/kit/id.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { BulkScanPatch, ScanSelection } from '@clearway/contract/monitor/scan/bulk/schema.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import type { Selection } from '../../../kit/table/use-selection.ts'
import type { MonitorApi } from '../../user/model.ts'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'

export type Selected = z.input<typeof ScanSelection>

/** What is ticked, as the server takes it: ids, or the filters and what is left out. */
export function selectedScans({ q, show, tag }: ScanSearch, { all, ids }: Selection): Selected {
  const named = [...ids] as ScanId[]
  const filters = {
    search: q || undefined,
    favorites: show === 'favorites',
    mine: show === 'mine',
    tag: tag === '' ? [] : [tag],
  }
  return all
    ? { selectAllMode: true, deselectedScans: named, filters }
    : { selectAllMode: false, selectedScans: named }
}

/** How many scans are selected, and what a bulk action would meet. */
export const selectedScansQuery = (api: MonitorApi, body: Selected) =>
  queryOptions({
    queryKey: ['scans', 'selected', body],
    queryFn: ({ signal }) => api.selectedScans({ body }, signal),
    staleTime: 0,
  })

/** Exports what is selected. */
export const exportScans = (download: DownloadState, body: Selected) =>
  download.start(buildUrl(monitorApi.exportScansCsv, {}), body, { name: 'scans', extension: 'csv' })

type Change = Pick<z.input<typeof BulkScanPatch>, 'sharedTaskScripts' | 'sharedSessionScript' | 'presetId'>

/** What can be done to many scans at once; each refreshes what shows them. */
export function useBulkScans() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'scans' || queryKey[0] === 'scan',
    })
  return {
    favorite: useMutation({
      mutationFn: ({ selected, favorite }: { selected: Selected; favorite: boolean }) =>
        api.configureScans({ body: { ...selected, favorite } }),
      onSuccess,
    }),
    tag: useMutation({
      mutationFn: ({ selected, ...tags }: { selected: Selected; add: string[]; remove: string[] }) =>
        api.tagScans({ body: { ...selected, ...tags } }),
      onSuccess,
    }),
    start: useMutation({
      mutationFn: (selected: Selected) => api.startScans({ body: selected }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (selected: Selected) => api.deleteScans({ body: selected }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ selected, ...change }: { selected: Selected } & Change) =>
        api.updateScans({ body: { ...selected, ...change } }),
      onSuccess,
    }),
  }
}
