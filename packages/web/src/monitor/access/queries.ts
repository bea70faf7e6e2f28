import type { TeamId } from '@clearway/contract/kit/id.ts'
import type { ImportBody, AssignmentsBody } from '@clearway/contract/monitor/access/schema.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ScanRole } from '@clearway/contract/kit/permission.ts'
import type * as z from 'zod/mini'
import { fetchAllPages } from '../../kit/client/every-page.ts'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi } from '../user/model.ts'
import { useSession } from '../user/model.ts'
import type { AccessSearch, AssignValues } from './model.ts'
import { assignmentsOf } from './model.ts'

/** One page of who has which role on what. */
export const accessListQuery = (api: MonitorApi, search: AccessSearch) =>
  queryOptions({
    queryKey: ['team-access', 'list', search],
    queryFn: ({ signal }) =>
      api.listTeamAccess(
        { query: { ...toServerPaging(search), search: search.q || undefined, sort: [search.sort] } },
        signal,
      ),
    placeholderData: keepPreviousData,
  })

/** Every team, scan and scan group by name. */
export const accessChoicesQuery = (api: MonitorApi) =>
  queryOptions({
    queryKey: ['team-access', 'choices'],
    queryFn: async ({ signal }) => {
      const [teams, scans, groups] = await Promise.all([
        api.listGroupableTeams({}, signal),
        api.listGroupableScans({}, signal),
        api.listGroups({ query: { size: 0 } }, signal),
      ])
      const named = groups.content.map(({ scanGroupId, scanGroupName }) => ({
        id: scanGroupId,
        name: scanGroupName,
      }))
      return { teams, scans, groups: named }
    },
    staleTime: 60_000,
  })
export type AccessChoices = Awaited<ReturnType<NonNullable<ReturnType<typeof accessChoicesQuery>['queryFn']>>>

/** Teams that one question names: their ids have to fit into a URL. */
const teamsAtOnce = 50
/** The roles that teams have now, by the scan or group. */
export const teamRolesQuery = (api: MonitorApi, teams: readonly string[]) =>
  queryOptions({
    queryKey: ['team-access', 'list', 'of', teams],
    queryFn: async ({ signal }) => {
      const roles: { team: string; target: string; role: ScanRole }[] = []
      for (let at = 0; at < teams.length; at += teamsAtOnce) {
        const teamId = teams.slice(at, at + teamsAtOnce) as TeamId[]
        const sort = ['team,asc' as const]
        const rows = await fetchAllPages((paging) =>
          api.listTeamAccess({ query: { ...paging, teamId, sort } }, signal),
        )
        for (const { teamName: team, scan, scanGroup, role } of rows)
          roles.push({ team, target: (scan ?? scanGroup)!.id, role })
      }
      return Map.groupBy(roles, ({ target }) => target)
    },
    enabled: teams.length > 0,
  })

/** What an assignment would change: the role that each had until now, in the order of the changes. */
export const assignCheckQuery = (api: MonitorApi, values: AssignValues) =>
  queryOptions({
    queryKey: ['team-access', 'check', values],
    queryFn: ({ signal }) =>
      api.assignTeams({ body: { assignments: assignmentsOf(values), check: true } }, signal),
    gcTime: 0,
  })

/** Gives and takes roles; each refreshes what shows them. */
export function useAccessActions() {
  const { api } = useSession()
  const client = useQueryClient()
  const onSuccess = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [first, second] }) =>
        (first === 'team-access' && second === 'list') || first === 'groups',
    })
  return {
    assign: useMutation({
      mutationFn: (body: z.input<typeof AssignmentsBody>) => api.assignTeams({ body }),
      onSuccess,
    }),
    upload: useMutation({
      mutationFn: (body: z.input<typeof ImportBody>) => api.importTeamAccess({ body }),
      onSuccess,
    }),
  }
}
