import { define } from '../../../kit/endpoint.ts'
import { InboxCount, InboxPage, InboxQuery, ReadEntries } from './schema.ts'

export const inboxApi = define({
  listInbox: {
    method: 'GET',
    path: '/inbox',
    permission: 'user',
    summary: 'What the caller was assigned, mentioned in, and runs of own scans that ended, newest first',
    query: InboxQuery,
    reply: InboxPage,
  },
  countInbox: {
    method: 'GET',
    path: '/inbox/unread',
    permission: 'user',
    summary: 'How many entries are unread, up to a hundred',
    reply: InboxCount,
  },
  readInbox: {
    method: 'POST',
    path: '/inbox/read',
    permission: 'user',
    summary: 'Marks entries as read: those named, or all up to one',
    body: ReadEntries,
    reply: InboxCount,
  },
})
