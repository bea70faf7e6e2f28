import type { PresetId } from '@clearway/contract/kit/id.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { paged } from '../../kit/list-search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { PresetSearch } from './model.ts'

/** One page of the list of presets. */
export const presetListQuery = (api: MonitorApi, search: PresetSearch) =>
  queryOptions({
    queryKey: ['presets', 'list', search],
    queryFn: ({ signal }) =>
      api.listPresets(
        { query: { ...paged(search), search: search.q || undefined, sort: [search.sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** Deletes a preset. */
export function useDeletePreset() {
  const { api } = useSession()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: PresetId) => api.deletePreset({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['presets'] }),
  })
}
