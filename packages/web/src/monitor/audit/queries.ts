import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { toServerPaging } from '../../kit/list/search.ts'
import type { MonitorApi, Session } from '../user/model.ts'
import { membersByName } from '../user/queries.ts'
import type { AuditSearch } from './model.ts'
import { filterOf } from './model.ts'

/** An entry; its number is its id among the rows of the list. */
export type AuditRow = AuditEntry & { id: string }

/** One page of the audit log. */
export function auditListQuery(api: MonitorApi, search: AuditSearch) {
  const query = { ...filterOf(search), ...toServerPaging(search) }
  return queryOptions({
    queryKey: ['audit', 'list', query],
    queryFn: async ({ signal }) => {
      const { content, page } = await api.listAudit({ query }, signal)
      return { content: content.map((entry): AuditRow => ({ ...entry, id: String(entry.number) })), page }
    },
    placeholderData: keepPreviousData,
  })
}

/** People whose entries can be asked for. */
export const auditPeopleQuery = (session: Session) =>
  queryOptions({
    queryKey: ['audit', 'people'],
    queryFn: ({ signal }) => membersByName(session, signal),
    staleTime: 60_000,
  })
