import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { TeamBody } from '@clearway/contract/account/team/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { paged } from '../../kit/list/search.ts'
import type { MonitorApi, Session } from '../../monitor/user/model.ts'
import { useSession } from '../../monitor/user/model.ts'
import { membersByName } from '../../monitor/user/queries.ts'
import { accountsOf } from '../member/queries.ts'
import type { TeamSearch } from './model.ts'

/** One page of the list of teams. */
export const teamListQuery = (session: Session, search: TeamSearch) =>
  queryOptions({
    queryKey: ['teams', 'list', search],
    queryFn: ({ signal }) => {
      const [sortBy, order] = search.sort.split(',') as ['name' | 'memberCount' | 'createdAt', 'asc' | 'desc']
      const query = { ...paged(search), search: search.q || undefined, sortBy, order }
      return accountsOf(session).listTeams({ query }, signal)
    },
    placeholderData: keepPreviousData,
  })

/** One team with its members, as a form is filled in from it. */
export const teamQuery = (session: Session, id: string) =>
  queryOptions({
    queryKey: ['teams', 'one', id],
    queryFn: ({ signal }) => accountsOf(session).readTeam({ params: { id } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  })

/** People who can be members, by name. */
export const teamPeopleQuery = (session: Session) =>
  queryOptions({
    queryKey: ['teams', 'people'],
    queryFn: async ({ signal }) => {
      // The list of people brings those who were invited and never came.
      await accountsOf(session).listPeople({ query: { size: 1 } }, signal)
      return membersByName(session, signal)
    },
    staleTime: 60_000,
  })

/** How many roles a team has on scans and scan groups. */
export const teamGrantsQuery = (api: MonitorApi, id: string) =>
  queryOptions({
    queryKey: ['teams', 'grants', id],
    queryFn: async ({ signal }) =>
      (await api.listTeamAccess({ query: { teamId: [id as TeamId], size: 1 } }, signal)).page.totalElements,
    gcTime: 0,
  })

const portion = 500

/** Takes from a team all that it was given. */
async function takeGrants(api: MonitorApi, id: string): Promise<void> {
  const teamId = id as TeamId
  for (;;) {
    const { content } = await api.listTeamAccess({ query: { teamId: [teamId], size: portion } })
    if (content.length === 0) return
    const assignments = content.map(({ scan, scanGroup }) => ({
      teamId,
      role: null,
      ...(scan ? { scanId: scan.id } : { scanGroupId: scanGroup!.id }),
    }))
    await api.assignTeams({ body: { assignments } })
  }
}

/** Creates, changes and deletes teams; each refreshes what shows them. */
export function useTeamActions() {
  const session = useSession()
  const accounts = accountsOf(session)
  const client = useQueryClient()
  const onSuccess = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first] }) =>
        ['teams', 'people', 'team-access', 'groups'].includes(String(first)),
    })
  return {
    save: useMutation({
      mutationFn: ({ id, body }: { id: string | null; body: z.input<typeof TeamBody> }) =>
        id === null ? accounts.createTeam({ body }) : accounts.updateTeam({ params: { id }, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: async (id: string) => {
        await takeGrants(session.api, id)
        await accounts.deleteTeam({ params: { id } })
      },
      onSuccess,
    }),
  }
}
