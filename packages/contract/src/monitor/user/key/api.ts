import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { createPageSchema, pagingQuery } from '../../../kit/paging.ts'
import { AnyApiKey, ApiKey, MadeApiKey, NewApiKey } from './schema.ts'

const keyParams = z.object({ id: z.string().check(z.uuid()) })

/** Keys of the public API: the caller's own; for admins, all keys. */
export const apiKeyApi = defineEndpoints({
  listApiKeys: {
    method: 'GET',
    path: '/api-keys',
    permission: 'user',
    summary: 'Your API keys',
    reply: z.object({ content: z.array(ApiKey) }),
  },
  createApiKey: {
    method: 'POST',
    path: '/api-keys',
    permission: 'user',
    summary: 'Creates an API key; it is returned only this once',
    body: NewApiKey,
    reply: MadeApiKey,
    status: 201,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: '/api-keys/{id}',
    permission: 'user',
    summary: 'Revokes one of your API keys at once',
    params: keyParams,
    reply: { empty: true },
    status: 204,
  },
  listAllApiKeys: {
    method: 'GET',
    path: '/api-keys/all',
    permission: 'admin.see',
    summary: 'API keys of all people, newest first',
    query: z.object(pagingQuery),
    reply: createPageSchema(AnyApiKey),
  },
  deleteAnyApiKey: {
    method: 'DELETE',
    path: '/api-keys/all/{id}',
    permission: 'admin',
    summary: 'Revokes any API key at once',
    params: keyParams,
    reply: { empty: true },
    status: 204,
  },
})
