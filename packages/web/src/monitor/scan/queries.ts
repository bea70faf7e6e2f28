import type { PresetId, ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanAccess } from '@clearway/contract/monitor/access/schema.ts'
import type { ScanSettings, StoredScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { ScriptName } from '@clearway/contract/monitor/script/schema.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/every-page.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { ScanSearch } from './model.ts'

/** One page of the scan list. */
export const scanListQuery = (api: MonitorApi, search: ScanSearch) => {
  const { saved: _, ...listed } = search
  return queryOptions({
    queryKey: ['scans', 'list', listed],
    queryFn: ({ signal }) => {
      const { q, show, sort, group, tag } = search
      const query = {
        ...toServerPaging(search),
        search: q || undefined,
        tag: tag === '' ? [] : [tag],
        sort: group === 'none' ? [sort] : [`${group},asc` as const, sort],
      }
      return api.listScans(
        { query: { ...query, favorites: show === 'favorites', mine: show === 'mine' } },
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })
}

/** How many scans a choice of the list has. */
export const scanCountQuery = (api: MonitorApi, show: ScanSearch['show']) =>
  queryOptions({
    queryKey: ['scans', 'count', show],
    queryFn: async ({ signal }) => {
      const query = { size: 1, favorites: show === 'favorites', mine: show === 'mine' }
      return (await api.listScans({ query }, signal)).page.totalElements
    },
  })

/** The tags of the scans that one may see, and how many have them. */
export const scanTagsQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'tags'],
    queryFn: ({ signal }) => api.listScanTags({}, signal),
    staleTime: 60_000,
  })

/** Every scan by name, to choose from. */
export const scanNamesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'names'],
    queryFn: ({ signal }) => api.listScanNames({}, signal),
    staleTime: 60_000,
  })

/** Every scan with what one may do with it and its newest run, by name. */
export const allScansQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'choice'],
    queryFn: ({ signal }) =>
      fetchAllPages((paging) => api.listScans({ query: { ...paging, sort: ['name,asc'] } }, signal)),
    staleTime: 60_000,
  })

/** Teams that can get a role, and the groups of scans that the reader sees. */
export const accessChoicesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scans', 'access-choices'],
    queryFn: async ({ signal }) => {
      const [teams, groups] = await Promise.all([
        api.listGroupableTeams({}, signal),
        api.listGroups({ query: { size: 0 } }, signal),
      ])
      return {
        teams,
        groups: groups.content.map(({ scanGroupId, scanGroupName }) => ({
          id: scanGroupId as string,
          name: scanGroupName,
        })),
      }
    },
    staleTime: 60_000,
  })

/** Shared scripts by name, to choose from. */
export const scriptNamesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['scripts', 'names'],
    queryFn: ({ signal }) => api.listScriptNames({}, signal),
    staleTime: 60_000,
  })

/** Presets by name, to choose from. */
export const presetNamesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['presets', 'names'],
    queryFn: ({ signal }) =>
      fetchAllPages((paging) => api.listPresets({ query: { ...paging, sort: ['name,asc'] } }, signal)),
    staleTime: 60_000,
  })

/** What one preset says. */
export const presetSettingsQuery = (api: MonitorApi, id: string) =>
  queryOptions({
    queryKey: ['presets', 'settings', id],
    queryFn: ({ signal }) => api.readPresetSettings({ params: { id: id as PresetId } }, signal),
    staleTime: 60_000,
  })

/** When a schedule that is not saved would start runs. */
export const schedulePreviewQuery = (api: MonitorApi, schedule: z.output<typeof Schedule>) =>
  queryOptions({
    queryKey: ['schedule', 'preview', schedule],
    queryFn: ({ signal }) => api.previewSchedule({ body: { schedule } }, signal),
  })

/** One question at a time: each takes one of the few slots that a person has. */
let asking: Promise<unknown> = Promise.resolve()

/** What answers at a URL that somebody types. */
export const reachQuery = (api: MonitorApi, url: string, scanId: ScanId | null) =>
  queryOptions({
    queryKey: ['reach', url, scanId],
    queryFn: ({ signal }) => {
      const answer = asking.then(() => {
        signal.throwIfAborted()
        return api.reachUrl({ body: { url, ...(scanId && { scanId }) } }, signal)
      })
      asking = answer.catch(() => undefined)
      return answer
    },
    staleTime: 60_000,
    retry: false,
  })

const busyMs = 2_000
const idleMs = 10_000
/** Scans with an active run; looked at often while there are any, and by a clock only while somebody is there. */
export const runningScansQuery = (api: MonitorApi, isAttended: boolean) =>
  queryOptions({
    queryKey: ['scans', 'running'],
    queryFn: ({ signal }) => api.listScans({ query: { running: true, size: 10 } }, signal),
    refetchInterval: (query) => isAttended && (query.state.data?.content.length ? busyMs : idleMs),
  })

export const scanQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id],
    queryFn: ({ signal }) => api.readScan({ params: { id } }, signal),
  })

/** Everything that a form of a scan is filled in from. */
export const scanEditQuery = (api: MonitorApi, id: ScanId) =>
  queryOptions({
    queryKey: ['scan', id, 'edit'],
    queryFn: async ({ signal }) => {
      const [stored, access, shared] = await Promise.all([
        api.readScanSettings({ params: { id } }, signal),
        api.readScanAccess({ params: { id } }, signal),
        api.listScriptNames({}, signal),
      ])
      return { stored, access, shared }
    },
    // A form is being filled in from it.
    staleTime: Infinity,
    gcTime: 0,
  })
export type ScanEdit = {
  stored: z.output<typeof StoredScanSettings>
  access: z.output<typeof ScanAccess>
  shared: z.output<typeof ScriptName>[]
}

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

/** What a search everywhere finds, of what its caller may see. */
export const searchQuery = (api: MonitorApi, q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.searchAll({ query: { q } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
