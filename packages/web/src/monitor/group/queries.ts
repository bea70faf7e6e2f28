import type { GroupId } from '@clearway/contract/kit/id.ts'
import type { GroupBody } from '@clearway/contract/monitor/group/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi, Session } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import { membersByName } from '../user/queries.ts'
import type { GroupSearch } from './model.ts'

type Sorted = 'scanGroupName' | 'scanCount' | 'createdAt'

/** One page of the list of scan groups. */
export const groupListQuery = (api: MonitorApi, search: GroupSearch) =>
  queryOptions({
    queryKey: ['groups', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, order] = search.sort.split(',') as [Sorted, 'asc' | 'desc']
      return api.listGroups(
        { query: { ...toServerPaging(search), search: search.q || undefined, sortBy, order } },
        signal,
      )
    },
    placeholderData: keepPreviousData,
  })

/** One scan group with the ids of its scans, as a form is filled in from it; null when it is gone. */
export const groupQuery = (api: MonitorApi, id: GroupId) =>
  queryOptions({
    queryKey: ['groups', 'one', id],
    queryFn: async ({ signal }) => {
      const [groups, scans] = await Promise.all([
        api.listGroups({ query: { size: 0 } }, signal),
        api.listGroupScans({ params: { id }, query: { size: 0 } }, signal),
      ])
      const group = groups.content.find(({ scanGroupId }) => scanGroupId === id)
      return group ? { group, scans: scans.content } : null
    },
    staleTime: Infinity,
    gcTime: 0,
  })

/** The version of a group as it is stored now; 0 when it is gone. */
export async function groupVersion(api: MonitorApi, id: GroupId): Promise<number> {
  const { content } = await api.listGroups({ query: { size: 0 } })
  return content.find(({ scanGroupId }) => scanGroupId === id)?.version ?? 0
}

/** Every scan, team and person that a group can hold, by name. */
export const groupChoicesQuery = (session: Session) =>
  queryOptions({
    queryKey: ['groups', 'choices'],
    queryFn: async ({ signal }) => {
      const { api } = session
      const [scans, teams, people] = await Promise.all([
        api.listGroupableScans({}, signal),
        api.listGroupableTeams({}, signal),
        membersByName(session, signal),
      ])
      return { scans, teams, people }
    },
    staleTime: 60_000,
  })

/** Creates, changes and deletes scan groups; each refreshes what shows them. */
export function useGroupActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['groups', 'list'] })
  return {
    save: useMutation({
      mutationFn: ({
        id,
        body,
        version,
      }: {
        id: GroupId | null
        body: z.input<typeof GroupBody>
        version: number
      }) =>
        id === null
          ? api.createGroup({ body })
          : api.updateGroup({ params: { id }, body: { ...body, version } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: GroupId) => api.deleteGroup({ params: { id } }),
      onSuccess,
    }),
  }
}
