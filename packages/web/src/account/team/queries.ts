import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { TeamBody } from '@clearway/contract/account/team/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type * as z from 'zod/mini'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, type Session, useSession } from '../../monitor/user/model.ts'
import { fetchMembersByName } from '../../monitor/user/queries.ts'
import { getAccountClient } from '../member/queries.ts'
import type { TeamSearch } from './model.ts'

export const teamListQuery = (session: Session, search: TeamSearch) =>
  queryOptions({
    queryKey: ['teams', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, sortOrder] = search.sort.split(',') as ['name' | 'memberCount' | 'createdAt', 'asc' | 'desc']
      const listParams = { ...toServerPaging(search), search: search.q || undefined, sortBy, order: sortOrder }
      return getAccountClient(session).listTeams({ query: listParams }, signal)
    },
    placeholderData: keepPreviousData,
  })

export const teamQuery = (session: Session, id: string) =>
  queryOptions({
    queryKey: ['teams', 'one', id],
    queryFn: ({ signal }) => getAccountClient(session).readTeam({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

/** Loads the people who can be members, sorted by name. */
export const teamPeopleQuery = (session: Session) =>
  queryOptions({
    queryKey: ['teams', 'people'],
    queryFn: async ({ signal }) => {
      // Listing people first adds invited people who have never signed in.
      await getAccountClient(session).listPeople({ query: { size: 1 } }, signal)
      return fetchMembersByName(session, signal)
    },
    staleTime: 60_000,
  })

export const teamGrantsQuery = (apiClient: MonitorApi, id: string) =>
  queryOptions({
    queryKey: ['teams', 'grants', id],
    queryFn: async ({ signal }) =>
      (await apiClient.listTeamAccess({ query: { teamId: [id as TeamId], size: 1 } }, signal)).page.totalElements,
    gcTime: 0,
  })

const pageSize = 500

async function revokeGrants(apiClient: MonitorApi, id: string): Promise<void> {
  const teamId = id as TeamId
  for (;;) {
    const { content: teamGrants } = await apiClient.listTeamAccess({ query: { teamId: [teamId], size: pageSize } })
    if (teamGrants.length === 0) return
    const assignments = teamGrants.map(({ scan, scanGroup }) => ({
      teamId,
      role: null,
      ...(scan ? { scanId: scan.id } : { scanGroupId: scanGroup!.id }),
    }))
    await apiClient.assignTeams({ body: { assignments } })
  }
}

export function useTeamActions() {
  const userSession = useSession()
  const accountClient = getAccountClient(userSession)
  const queryClient = useQueryClient()
  const refreshTeams = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [queryScope] }) => ['teams', 'people', 'team-access', 'groups'].includes(String(queryScope)),
    })
  return {
    saveTeam: useMutation({
      mutationFn: ({ id, body }: { id: string | null; body: z.input<typeof TeamBody> }) =>
        id === null ? accountClient.createTeam({ body }) : accountClient.updateTeam({ params: { id }, body }),
      onSuccess: refreshTeams,
    }),
    deleteTeam: useMutation({
      mutationFn: async (id: string) => {
        await revokeGrants(userSession.api, id)
        await accountClient.deleteTeam({ params: { id } })
      },
      onSuccess: refreshTeams,
    }),
  }
}
