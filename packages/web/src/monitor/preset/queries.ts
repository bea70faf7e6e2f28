import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { PresetSearch } from './model.ts'

export const presetListQuery = (apiClient: MonitorApi, search: PresetSearch) =>
  queryOptions({
    queryKey: ['presets', 'list', search],
    queryFn: ({ signal }) =>
      apiClient.listPresets({ query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } }, signal),
    placeholderData: keepPreviousData,
  })

export const presetQuery = (apiClient: MonitorApi, id: PresetId) =>
  queryOptions({
    queryKey: ['presets', 'one', id],
    queryFn: ({ signal }) => apiClient.readPresetSettings({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

type PresetSaveRequest = { id: PresetId | null; settings: PresetSettings; version: number }

export function usePresetActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshPresets = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [queryScope, queryKind] }) => queryScope === 'presets' && queryKind !== 'one',
    })
  return {
    saveMutation: useMutation({
      mutationFn: ({ id, settings, version }: PresetSaveRequest) =>
        id === null
          ? apiClient.createPreset({ body: settings })
          : apiClient.updatePreset({ params: { id }, body: { settings, version } }),
      onSuccess: refreshPresets,
    }),
    deleteMutation: useMutation({
      mutationFn: (id: PresetId) => apiClient.deletePreset({ params: { id } }),
      onSuccess: refreshPresets,
    }),
  }
}
