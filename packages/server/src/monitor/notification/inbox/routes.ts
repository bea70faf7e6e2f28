import type { inboxApi } from '@clearway/contract/monitor/notification/inbox/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { inboxFor, readEntries, unreadFor } from './service.ts'

/** The inbox over HTTP. */
export const inboxHandlers = (deps: { db: MonitorDb }): Handlers<typeof inboxApi> => ({
  listInbox: ({ query }, { caller }) => inboxFor(deps, caller!, query),
  countInbox: (_received, { caller }) => unreadFor(deps, caller!),
  readInbox: ({ body }, { caller }) => readEntries(deps, caller!, body),
})
