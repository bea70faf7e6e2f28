import { defineEndpoints } from '../../kit/endpoint.ts'
import { OwnSettings, StoredOwnSettings, UserPermissions } from './schema.ts'

export const userApi = defineEndpoints({
  userPermissions: {
    method: 'GET',
    path: '/users/permissions',
    permission: 'list',
    summary: 'Permissions of the caller',
    reply: UserPermissions,
  },
  readOwnSettings: {
    method: 'GET',
    path: '/users/settings',
    permission: 'user',
    summary: "The caller's own settings: which mails the caller gets",
    reply: StoredOwnSettings,
  },
  updateOwnSettings: {
    method: 'PUT',
    path: '/users/settings',
    permission: 'user',
    summary: "Changes the caller's own settings",
    body: OwnSettings,
    reply: StoredOwnSettings,
  },
})
