import type { ScriptId } from '@clearway/contract/kit/id.ts'
import type { ParsedScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptBody, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { ScriptSearch } from './model.ts'

/** One page of the list of shared scripts. */
export const scriptListQuery = (api: MonitorApi, search: ScriptSearch) =>
  queryOptions({
    queryKey: ['scripts', 'list', search],
    queryFn: ({ signal }) =>
      api.listScripts(
        { query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** One shared script, as a form is filled in from it. */
export const scriptQuery = (api: MonitorApi, id: ScriptId) =>
  queryOptions({
    queryKey: ['scripts', 'one', id],
    queryFn: ({ signal }) => api.readScriptSettings({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

/** Creates, changes and deletes shared scripts; each refreshes what shows them. */
export function useScriptActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['scripts', 'list'] })
  return {
    save: useMutation({
      mutationFn: async ({
        id,
        settings,
        version,
      }: {
        id: ScriptId | null
        settings: ScriptBody
        version: number
      }) =>
        id === null
          ? api.createScript({ body: settings })
          : api.updateScript({ params: { id }, body: { settings, version } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: ScriptId) => api.deleteScript({ params: { id } }),
      onSuccess,
    }),
  }
}

/** Reads a script, in this browser: the script or its faults. The reader is loaded when it is first needed. */
export async function readScript(text: string, type: ScriptType): Promise<ParsedScript> {
  const { parseScript } = await import('@clearway/contract/monitor/script/model.ts')
  return parseScript(text, type)
}

/** What a text comes to as a script; the earlier answer while it is read. */
export const useReadScript = (text: string, type: ScriptType) =>
  useQuery({
    queryKey: ['script-text', type, text],
    queryFn: () => readScript(text, type),
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 10_000,
    retry: false,
  }).data
