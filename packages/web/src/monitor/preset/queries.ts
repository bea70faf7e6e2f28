import type { PresetId } from '@clearway/contract/kit/id.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { PresetSearch } from './model.ts'

/** One page of the list of presets. */
export const presetListQuery = (api: MonitorApi, search: PresetSearch) =>
  queryOptions({
    queryKey: ['presets', 'list', search],
    queryFn: ({ signal }) =>
      api.listPresets(
        { query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** One preset, as a form is filled in from it. */
export const presetQuery = (api: MonitorApi, id: PresetId) =>
  queryOptions({
    queryKey: ['presets', 'one', id],
    queryFn: ({ signal }) => api.readPresetSettings({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

type Saving = { id: PresetId | null; settings: PresetSettings; version: number }

/** Creates, changes and deletes presets; each refreshes what shows them. */
export function usePresetActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first, second] }) => first === 'presets' && second !== 'one',
    })
  return {
    save: useMutation({
      mutationFn: ({ id, settings, version }: Saving) =>
        id === null
          ? api.createPreset({ body: settings })
          : api.updatePreset({ params: { id }, body: { settings, version } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: PresetId) => api.deletePreset({ params: { id } }),
      onSuccess,
    }),
  }
}
