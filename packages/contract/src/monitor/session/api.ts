import { defineEndpoints } from '../../kit/endpoint.ts'
import { SessionTask, SessionValidation } from './schema.ts'

export const sessionApi = defineEndpoints({
  validateSession: {
    method: 'POST',
    path: '/session-establishment-task/validate',
    permission: 'user',
    summary: 'Whether a session is complete, and whether the password opens its keystore',
    body: SessionTask,
    bodyBytes: 4 * 1024 * 1024,
    reply: SessionValidation,
  },
})
