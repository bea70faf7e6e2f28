import { define } from '../../kit/endpoint.ts'
import { Member } from './schema.ts'

export const memberApi = define({
  me: {
    method: 'GET',
    path: '/axe-account/me',
    permission: 'signed-in',
    summary: "The caller's account",
    reply: Member,
  },
})
