import type { ScanId } from '@clearway/contract/kit/id.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { BulkScanPatch, ScanSelection } from '@clearway/contract/monitor/scan/bulk/schema.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { confirmEverything, type Selection } from '../../../kit/table/use-selection.ts'
import type { MonitorApi } from '../../user/model.ts'
import { useSession } from '../../user/model.ts'
import type { ScanSearch } from '../model.ts'

export type ScanSelectionBody = z.input<typeof ScanSelection>

/** Returns the selection as the server expects it: ids, or filters with excluded ids. @param matchCount number of scans that match the filters */
export function toSelectionBody(
  { q: searchText, show, tag }: ScanSearch,
  { all, ids: selectedIds }: Selection,
  matchCount?: number,
): ScanSelectionBody {
  const scanIds = [...selectedIds] as ScanId[]
  const selectionFilters = {
    search: searchText || undefined,
    favorites: show === 'favorites',
    mine: show === 'mine',
    tag: tag === '' ? [] : [tag],
  }
  return all
    ? { selectAllMode: true, deselectedScans: scanIds, ...confirmEverything(selectionFilters, matchCount, scanIds.length) }
    : { selectAllMode: false, selectedScans: scanIds }
}

export const selectedScansQuery = (apiClient: MonitorApi, selectionBody: ScanSelectionBody) =>
  queryOptions({
    queryKey: ['scans', 'selected', selectionBody],
    queryFn: ({ signal }) => apiClient.selectedScans({ body: selectionBody }, signal),
    staleTime: 0,
  })

export const exportScans = (download: DownloadState, selectionBody: ScanSelectionBody) =>
  download.start(buildUrl(monitorApi.exportScansCsv, {}), selectionBody, { name: 'scans', extension: 'csv' })

type BulkScanChange = Pick<z.input<typeof BulkScanPatch>, 'sharedTaskScripts' | 'sharedSessionScript' | 'presetId'>

export function useBulkScans() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshScans = () =>
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'scans' || queryKey[0] === 'scan' })
  return {
    favoriteMutation: useMutation({
      mutationFn: ({ selected: selection, favorite }: { selected: ScanSelectionBody; favorite: boolean }) =>
        apiClient.configureScans({ body: { ...selection, favorite } }),
      onSuccess: refreshScans,
    }),
    tagMutation: useMutation({
      mutationFn: ({ selected: selection, ...tagChanges }: { selected: ScanSelectionBody; add: string[]; remove: string[] }) =>
        apiClient.tagScans({ body: { ...selection, ...tagChanges } }),
      onSuccess: refreshScans,
    }),
    startMutation: useMutation({
      mutationFn: (selection: ScanSelectionBody) => apiClient.startScans({ body: selection }),
      onSuccess: refreshScans,
    }),
    deleteMutation: useMutation({
      mutationFn: (selection: ScanSelectionBody) => apiClient.deleteScans({ body: selection }),
      onSuccess: refreshScans,
    }),
    changeMutation: useMutation({
      mutationFn: ({ selected: selection, ...scanChange }: { selected: ScanSelectionBody } & BulkScanChange) =>
        apiClient.updateScans({ body: { ...selection, ...scanChange } }),
      onSuccess: refreshScans,
    }),
  }
}
