import type { GroupId } from '@clearway/contract/kit/id.ts'
import type { GroupBody } from '@clearway/contract/monitor/group/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, type Session, useSession } from '../user/model.ts'
import { fetchMembersByName } from '../user/queries.ts'
import type { GroupSearch } from './model.ts'

type GroupSortField = 'scanGroupName' | 'scanCount' | 'createdAt'

export const groupListQuery = (apiClient: MonitorApi, search: GroupSearch) =>
  queryOptions({
    queryKey: ['groups', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, sortOrder] = search.sort.split(',') as [GroupSortField, 'asc' | 'desc']
      return apiClient.listGroups(
        { query: { ...toServerPaging(search), search: search.q || undefined, sortBy, order: sortOrder } },
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })

/** Loads a scan group with its scan ids, for its form; null if it no longer exists. */
export const groupQuery = (apiClient: MonitorApi, id: GroupId) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async ({ signal }) => {
      const [allGroups, groupScans] = await Promise.all([
        apiClient.listGroups({ query: { size: 0 } }, signal),
        apiClient.listGroupScans({ params: { id }, query: { size: 0 } }, signal),
      ])
      const matchingGroup = allGroups.content.find(({ scanGroupId }) => scanGroupId === id)
      return matchingGroup ? { group: matchingGroup, scans: groupScans.content } : null
    },
    staleTime: Infinity,
    gcTime: 0,
  })

/** Returns the stored version of a group; 0 if it no longer exists. */
export async function fetchGroupVersion(apiClient: MonitorApi, id: GroupId): Promise<number> {
  const { content: allGroups } = await apiClient.listGroups({ query: { size: 0 } })
  return allGroups.find(({ scanGroupId }) => scanGroupId === id)?.version ?? 0
}

export const groupChoicesQuery = (session: Session) =>
  queryOptions({
    queryKey: ['groups', 'choices'],
    queryFn: async ({ signal }) => {
      const { api: apiClient } = session
      const [scanChoices, teamChoices, peopleChoices] = await Promise.all([
        apiClient.listGroupableScans({}, signal),
        apiClient.listGroupableTeams({}, signal),
        fetchMembersByName(session, signal),
      ])
      return { scans: scanChoices, teams: teamChoices, people: peopleChoices }
    },
    staleTime: 60_000,
  })

export function useGroupActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshGroups = () => queryClient.invalidateQueries({ queryKey: ['groups', 'list'] })
  return {
    saveMutation: useMutation({
      mutationFn: ({ id, body, version }: { id: GroupId | null; body: z.input<typeof GroupBody>; version: number }) =>
        id === null ? apiClient.createGroup({ body }) : apiClient.updateGroup({ params: { id }, body: { ...body, version } }),
      onSuccess: refreshGroups,
    }),
    deleteMutation: useMutation({
      mutationFn: (id: GroupId) => apiClient.deleteGroup({ params: { id } }),
      onSuccess: refreshGroups,
    }),
  }
}
