import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi, Session } from '../user/model.ts'
import { fetchMembersByName } from '../user/queries.ts'
import { type AuditSearch, toServerFilters } from './model.ts'

/** Audit entry; its number serves as row id in lists. */
export type AuditRow = AuditEntry & { id: string }

export function auditListQuery(apiClient: MonitorApi, search: AuditSearch) {
  const listParams = { ...toServerFilters(search), ...toServerPaging(search) }
  return queryOptions({
    queryKey: ['audit', 'list', listParams],
    queryFn: async ({ signal }) => {
      const { content: auditEntries, page: pageInfo } = await apiClient.listAudit({ query: listParams }, signal)
      return { content: auditEntries.map((entry): AuditRow => ({ ...entry, id: String(entry.number) })), page: pageInfo }
    },
    placeholderData: keepPreviousData,
  })
}

/** Loads the teams, which entries about access name by id. */
export const auditTeamsQuery = (apiClient: MonitorApi) =>
  queryOptions({
    queryKey: ['audit', 'teams'],
    queryFn: ({ signal }) => apiClient.listGroupableTeams({}, signal),
    staleTime: 60_000,
  })

/** Loads the people for the filter by user. */
export const auditPeopleQuery = (session: Session) =>
  queryOptions({ queryKey: ['audit', 'people'], queryFn: ({ signal }) => fetchMembersByName(session, signal), staleTime: 60_000 })
