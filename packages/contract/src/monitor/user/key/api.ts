import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { ApiKey, MadeApiKey, NewApiKey } from './schema.ts'

/** Keys of the public API, each person's own. */
export const apiKeyApi = define({
  listApiKeys: {
    method: 'GET',
    path: '/api-keys',
    permission: 'user',
    summary: 'Your keys of the public API',
    reply: z.object({ content: z.array(ApiKey) }),
  },
  createApiKey: {
    method: 'POST',
    path: '/api-keys',
    permission: 'user',
    summary: 'Makes a key of the public API; it is answered this once',
    body: NewApiKey,
    reply: MadeApiKey,
    status: 201,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys/{id}',
    permission: 'user',
    summary: 'Ends one of your keys at once',
    params: z.object({ id: z.string().check(z.uuid()) }),
    reply: { empty: true },
    status: 204,
  },
})
