import type { PresetId, ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanAccess } from '@clearway/contract/monitor/access/schema.ts'
import type { ScanSettings, StoredScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScriptName } from '@clearway/contract/monitor/script/schema.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/fetch-all-pages.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { ScanSearch } from './model.ts'

export const scanListQuery = (apiClient: MonitorApi, search: ScanSearch) => {
  const { saved: _, ...listSearch } = search
  return queryOptions({
    queryKey: ['scans', 'list', listSearch],
    queryFn: ({ signal }) => {
      const { q: searchText, show, sort: sortOrder, group: groupedBy, tag: tagName } = search
      const listParams = {
        ...toServerPaging(search),
        search: searchText || undefined,
        tag: tagName === '' ? [] : [tagName],
        sort: groupedBy === 'none' ? [sortOrder] : [`${groupedBy},asc` as const, sortOrder],
      }
      return apiClient.listScans({ query: { ...listParams, favorites: show === 'favorites', mine: show === 'mine' } }, signal)
    },
    placeholderData: keepPreviousData,
  })
}

/** Loads the number of scans of a list filter. */
export const scanCountQuery = (apiClient: MonitorApi, show: ScanSearch['show']) =>
  queryOptions({
    queryKey: ['scans', 'count', show],
    queryFn: async ({ signal }) => {
      const countParams = { size: 1, favorites: show === 'favorites', mine: show === 'mine' }
      return (await apiClient.listScans({ query: countParams }, signal)).page.totalElements
    },
  })

export const scanTagsQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['scans', 'tags'], queryFn: ({ signal }) => apiClient.listScanTags({}, signal), staleTime: 60_000 })

export const scanNamesQuery = (apiClient: MonitorApi) =>
  queryOptions({ queryKey: ['scans', 'names'], queryFn: ({ signal }) => apiClient.listScanNames({}, signal), staleTime: 60_000 })

/** Loads all visible scans with the user's rights and the latest run, sorted by name. */
export const allScansQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'choice'],
    queryFn: ({ signal }) => fetchAllPages((paging) => apiClient.listScans({ query: { ...paging, sort: ['name,asc'] } }, signal)),
    staleTime: 60_000,
  })

/** Loads teams that can get a role, and visible scan groups. */
export const accessChoicesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'access-choices'],
    queryFn: async ({ signal }) => {
      const [teamChoices, groupChoices] = await Promise.all([
        apiClient.listGroupableTeams({}, signal),
        apiClient.listGroups({ query: { size: 0 } }, signal),
      ])
      return {
        teams: teamChoices,
        groups: groupChoices.content.map(({ scanGroupId, scanGroupName }) => ({
          id: scanGroupId as string,
          name: scanGroupName,
        })),
      }
    },
    staleTime: 60_000,
  })

export const scriptNamesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['scripts', 'names'],
    queryFn: ({ signal }) => apiClient.listScriptNames({}, signal),
    staleTime: 60_000,
  })

export const presetNamesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['presets', 'names'],
    queryFn: ({ signal }) =>
      fetchAllPages((paging) => apiClient.listPresets({ query: { ...paging, sort: ['name,asc'] } }, signal)),
    staleTime: 60_000,
  })

export const presetSettingsQuery = (apiClient: MonitorApi, id: string) =>
  queryOptions({
    queryKey: ['presets', 'settings', id],
    queryFn: ({ signal }) => apiClient.readPresetSettings({ params: { id: id as PresetId } }, signal),
    staleTime: 60_000,
  })

export const schedulePreviewQuery = (apiClient: MonitorApi, schedule: z.output<typeof Schedule>) =>
  queryOptions({
    queryKey: ['schedule', 'preview', schedule],
    queryFn: ({ signal }) => apiClient.previewSchedule({ body: { schedule } }, signal),
  })

/** Serializes URL checks: each one occupies one of the user's few slots. */
let pendingCheck: Promise<unknown> = Promise.resolve()

/** Checks the response of a typed URL. */
export const reachQuery = (apiClient: MonitorApi, url: string, scanId: ScanId | null) =>
  queryOptions({
    queryKey: ['reach', url, scanId],
    queryFn: ({ signal }) => {
      const reachResult = pendingCheck.then(() => {
        signal.throwIfAborted()
        return apiClient.reachUrl({ body: { url, ...(scanId && { scanId }) } }, signal)
      })
      pendingCheck = reachResult.catch(() => undefined)
      return reachResult
    },
    staleTime: 60_000,
    retry: false,
  })

const activePollMs = 2_000
const idlePollMs = 10_000
/** Loads scans with an active run. Polls more often while there are any, and only while the user is active. */
export const runningScansQuery = (apiClient: MonitorApi, isUserActive: boolean) =>
  queryOptions({
    queryKey: ['scans', 'running'],
    queryFn: ({ signal }) => apiClient.listScans({ query: { running: true, size: 10 } }, signal),
    refetchInterval: (query) => isUserActive && (query.state.data?.content.length ? activePollMs : idlePollMs),
  })

export const scanQuery = (apiClient: MonitorApi, id: ScanId) =>
  queryOptions({ queryKey: ['scan', id], queryFn: ({ signal }) => apiClient.readScan({ params: { id } }, signal) })

export const scanEditQuery = (apiClient: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'edit'],
    queryFn: async ({ signal }) => {
      const [storedSettings, scanAccess, sharedScripts] = await Promise.all([
        apiClient.readScanSettings({ params: { id } }, signal),
        apiClient.readScanAccess({ params: { id } }, signal),
        apiClient.listScriptNames({}, signal),
      ])
      return { stored: storedSettings, access: scanAccess, shared: sharedScripts }
    },
    // Never refetched while a form is filled from it.
    staleTime: Infinity,
    gcTime: 0,
  })
export type ScanEdit = {
  stored: z.output<typeof StoredScanSettings>
  access: z.output<typeof ScanAccess>
  shared: z.output<typeof ScriptName>[]
}

export function useScanActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshScans = () =>
    queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'scans' || queryKey[0] === 'scan' })
  return {
    favoriteMutation: useMutation({
      mutationFn: ({ id, status }: { id: ScanId; status: boolean }) =>
        apiClient.favoriteScan({ params: { id }, query: { status } }),
      onSuccess: refreshScans,
    }),
    deleteMutation: useMutation({
      mutationFn: (id: ScanId) => apiClient.deleteScan({ params: { id } }),
      // Only the lists: refetching the deleted scan would fail.
      onSuccess: () => queryClient.invalidateQueries({ queryKey: ['scans'] }),
    }),
    startMutation: useMutation({ mutationFn: (id: ScanId) => apiClient.startRun({ params: { id } }), onSuccess: refreshScans }),
    cancelMutation: useMutation({ mutationFn: (id: ScanId) => apiClient.cancelRun({ params: { id } }), onSuccess: refreshScans }),
    createMutation: useMutation({
      mutationFn: (body: z.input<typeof ScanSettings>) => apiClient.createScan({ body }),
      onSuccess: refreshScans,
    }),
    declineDrivingMutation: useMutation({
      mutationFn: (id: ScanId) => apiClient.declineDriving({ params: { id } }),
      onSuccess: refreshScans,
    }),
    updateMutation: useMutation({
      mutationFn: ({ id, ...body }: { id: ScanId; settings: z.input<typeof ScanSettings>; version: number }) =>
        apiClient.updateScan({ params: { id }, body }),
      onSuccess: refreshScans,
    }),
  }
}

export const searchQuery = (apiClient: MonitorApi, queryText: string) =>
  queryOptions({
    queryKey: ['search', queryText],
    queryFn: ({ signal }) => apiClient.searchAll({ query: { q: queryText } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Lists among the advanced settings that a result of a run can extend. */
export type SettingList =
  | 'actingUrlsToOpen'
  | 'alwaysTested'
  | 'meaninglessParameters'
  | 'separatePages'
  | 'trapUrlsToOpen'
  | 'urlsToSkip'

/** Adds a line to one of these lists, or removes it. */
export function useChangeSettingLine(setting: SettingList) {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ scanId: id, line, isRemoval = false }: { scanId: ScanId; line: string; isRemoval?: boolean }) => {
      const { settings, version } = await apiClient.readScanSettings({ params: { id } })
      const { advanced } = settings
      const otherLines = advanced[setting].filter((other) => other !== line)
      const changedAdvanced = { ...advanced, [setting]: isRemoval ? otherLines : [...otherLines, line] }
      return apiClient.updateScan({ params: { id }, body: { settings: { ...settings, advanced: changedAdvanced }, version } })
    },
    onSuccess: () => queryClient.invalidateQueries({ predicate: ({ queryKey: [queryScope] }) => queryScope === 'scan' }),
  })
}
