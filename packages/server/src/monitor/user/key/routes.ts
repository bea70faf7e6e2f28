import type { apiKeyApi } from '@clearway/contract/monitor/user/key/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { allKeys, endAnyKey, endKey, keysFor, makeKey } from './service.ts'

export const apiKeyHandlers = (deps: { db: MonitorDb }): Handlers<typeof apiKeyApi> => ({
  listApiKeys: (_received, { caller }) => keysFor(deps, caller!),
  createApiKey: ({ body }, { caller }) => makeKey(deps, caller!, body),
  deleteApiKey: ({ params }, { caller }) => endKey(deps, caller!, params.id),
  listAllApiKeys: ({ query }) => allKeys(deps, query),
  deleteAnyApiKey: ({ params }) => endAnyKey(deps, params.id),
})
