import type { BulkScanPatch } from '@clearway/contract/monitor/scan/bulk/schema.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { useMutation } from '../../../kit/client/use-mutation.ts'
import { type MonitorApi, useSession } from '../../user/model.ts'
import type { ScanSelectionBody } from '../list/selection.ts'

export const selectedScansQuery = (apiClient: MonitorApi, selectionBody: ScanSelectionBody) =>
  queryOptions({
    queryKey: ['scans', 'selected', selectionBody],
    queryFn: ({ signal }) => apiClient.selectedScans({ body: selectionBody }, signal),
    staleTime: 0,
  })

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
