import { defineEndpoints } from '../../../kit/endpoint.ts'
import { InboxCount, InboxPage, InboxQuery, ReadEntries } from './schema.ts'

export const inboxApi = defineEndpoints({
  listInbox: {
    method: 'GET',
    path: '/inbox',
    permission: 'user',
    summary: 'Assignments and mentions of the caller, and ended runs of their scans, newest first',
    query: InboxQuery,
    reply: InboxPage,
  },
  countInbox: {
    method: 'GET',
    path: '/inbox/unread',
    permission: 'user',
    summary: 'Number of unread entries, up to a hundred',
    reply: InboxCount,
  },
  readInbox: {
    method: 'POST',
    path: '/inbox/read',
    permission: 'user',
    summary: 'Marks entries as read: the given ones, or all up to one',
    body: ReadEntries,
    reply: InboxCount,
  },
})
