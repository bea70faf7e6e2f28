import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { ImportBody, AssignmentsBody } from '@clearway/contract/monitor/access/schema.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMutation } from '../../kit/client/use-mutation.ts'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/fetch-all-pages.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import { type MonitorApi, useSession } from '../user/model.ts'
import { type AccessSearch, type AssignValues, toAssignments } from './model.ts'

export const accessListQuery = (apiClient: MonitorApi, search: AccessSearch) =>
  queryOptions({
    queryKey: ['team-access', 'list', search],
    queryFn: ({ signal }) =>
      apiClient.listTeamAccess(
        { query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

export const accessChoicesQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['team-access', 'choices'],
    queryFn: async ({ signal }) => {
      const [assignableTeams, assignableScans, scanGroups] = await Promise.all([
        apiClient.listGroupableTeams({}, signal),
        apiClient.listGroupableScans({}, signal),
        apiClient.listGroups({ query: { size: 0 } }, signal),
      ])
      const namedGroups = scanGroups.content.map(({ scanGroupId, scanGroupName }) => ({ id: scanGroupId, name: scanGroupName }))
      return { teams: assignableTeams, scans: assignableScans, groups: namedGroups }
    },
    staleTime: 60_000,
  })
export type AccessChoices = Awaited<ReturnType<NonNullable<ReturnType<typeof accessChoicesQuery>['queryFn']>>>

/** Maximum number of teams in one request; their ids have to fit into a URL. */
const maxTeamsPerRequest = 50
export const teamRolesQuery = (apiClient: MonitorApi, teams: readonly string[]) =>
  queryOptions({
    queryKey: ['team-access', 'list', 'of', teams],
    queryFn: async ({ signal }) => {
      const teamRoles: { team: string; target: string; role: ScanRole }[] = []
      for (let offset = 0; offset < teams.length; offset += maxTeamsPerRequest) {
        const teamIds = teams.slice(offset, offset + maxTeamsPerRequest) as TeamId[]
        const sortOrder = ['team,asc' as const]
        const accessRows = await fetchAllPages((paging) =>
          apiClient.listTeamAccess({ query: { ...paging, teamId: teamIds, sort: sortOrder } }, signal),
        )
        for (const { teamName: team, scan, scanGroup, role } of accessRows)
          teamRoles.push({ team, target: (scan ?? scanGroup)!.id, role })
      }
      return Map.groupBy(teamRoles, ({ target }) => target)
    },
    enabled: teams.length > 0,
  })

/** Loads the previous role for each assignment, in the order of the assignments. */
export const assignCheckQuery = (apiClient: MonitorApi, values: AssignValues) =>
  queryOptions({
    queryKey: ['team-access', 'check', values],
    queryFn: ({ signal }) => apiClient.assignTeams({ body: { assignments: toAssignments(values), check: true } }, signal),
    gcTime: 0,
  })

export function useAccessActions() {
  const { api: apiClient } = useSession()
  const queryClient = useQueryClient()
  const refreshAccess = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [queryScope, queryKind] }) =>
        (queryScope === 'team-access' && queryKind === 'list') || queryScope === 'groups',
    })
  return {
    assignMutation: useMutation({
      mutationFn: (body: z.input<typeof AssignmentsBody>) => apiClient.assignTeams({ body }),
      onSuccess: refreshAccess,
    }),
    uploadMutation: useMutation({
      mutationFn: (body: z.input<typeof ImportBody>) => apiClient.importTeamAccess({ body }),
      onSuccess: refreshAccess,
    }),
  }
}
