import type { inboxApi } from '@clearway/contract/monitor/notification/inbox/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { getInbox, markEntriesRead, getUnreadCount } from './service.ts'

export const inboxHandlers = (deps: { db: MonitorDb }): Handlers<typeof inboxApi> => ({
  listInbox: ({ query }, { caller }) => getInbox(deps, caller!, query),
  countInbox: (_received, { caller }) => getUnreadCount(deps, caller!),
  readInbox: ({ body }, { caller }) => markEntriesRead(deps, caller!, body),
})
