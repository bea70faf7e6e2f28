import { define } from '../../kit/endpoint.ts'
import { OwnSettings, StoredOwnSettings, UserPermissions } from './schema.ts'

export const userApi = define({
  userPermissions: {
    method: 'GET',
    path: '/users/permissions',
    permission: 'list',
    summary: 'What the caller may do',
    reply: UserPermissions,
  },
  readOwnSettings: {
    method: 'GET',
    path: '/users/settings',
    permission: 'user',
    summary: 'What the caller has set for himself: which mails he gets',
    reply: StoredOwnSettings,
  },
  updateOwnSettings: {
    method: 'PUT',
    path: '/users/settings',
    permission: 'user',
    summary: 'Changes what the caller has set for himself',
    body: OwnSettings,
    reply: StoredOwnSettings,
  },
})
