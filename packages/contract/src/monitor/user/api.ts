import { define } from '../../kit/endpoint.ts'
import { UserPermissions } from './schema.ts'

export const userApi = define({
  userPermissions: {
    method: 'GET',
    path: '/users/permissions',
    permission: 'list',
    summary: 'What the caller may do',
    reply: UserPermissions,
  },
})
