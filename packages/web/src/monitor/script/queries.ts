import type { ScriptId } from '@clearway/contract/kit/id.ts'
import type { ParsedScript } from '@clearway/contract/monitor/script/model.ts'
import type { ScriptBody, ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import type { ScriptSearch } from './model.ts'

export const scriptListQuery = (apiClient: MonitorApi, search: ScriptSearch) =>
  queryOptions({
    queryKey: ['scripts', 'list', search],
    queryFn: ({ signal }) =>
      apiClient.listScripts({ query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } }, signal),
    placeholderData: keepPreviousData,
  })

export const scriptQuery = (apiClient: MonitorApi, id: ScriptId) =>
  queryOptions({
    queryKey: ['scripts', 'one', id],
    queryFn: ({ signal }) => apiClient.readScriptSettings({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

export function useScriptActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshScripts = () => queryClient.invalidateQueries({ queryKey: ['scripts', 'list'] })
  return {
    saveMutation: useMutation({
      mutationFn: async ({ id, settings, version }: { id: ScriptId | null; settings: ScriptBody; version: number }) =>
        id === null
          ? apiClient.createScript({ body: settings })
          : apiClient.updateScript({ params: { id }, body: { settings, version } }),
      onSuccess: refreshScripts,
    }),
    deleteMutation: useMutation({
      mutationFn: (id: ScriptId) => apiClient.deleteScript({ params: { id } }),
      onSuccess: refreshScripts,
    }),
  }
}

/** Parses a script in the browser. Returns the script or its errors. The parser loads on first use. */
export async function parseScriptText(scriptText: string, type: ScriptType): Promise<ParsedScript> {
  const { parseScript } = await import('@clearway/contract/monitor/script/model.ts')
  return parseScript(scriptText, type)
}

/** Returns the parsed script; the previous result while parsing is in progress. */
export const useParsedScript = (scriptText: string, type: ScriptType) =>
  useQuery({
    queryKey: ['script-text', type, scriptText],
    queryFn: () => parseScriptText(scriptText, type),
    enabled: scriptText.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 10_000,
    retry: false,
  }).data
