import type { apiKeyApi } from '@clearway/contract/monitor/user/key/api.ts'
import type { Handlers } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { listEveryKey, deleteAnyKey, deleteOwnKey, listOwnKeys, createKey } from './service.ts'

export const apiKeyHandlers = (deps: { db: MonitorDb }): Handlers<typeof apiKeyApi> => ({
  listApiKeys: (_received, { caller }) => listOwnKeys(deps, caller!),
  createApiKey: ({ body }, { caller }) => createKey(deps, caller!, body),
  deleteApiKey: ({ params }, { caller }) => deleteOwnKey(deps, caller!, params.id),
  listAllApiKeys: ({ query }) => listEveryKey(deps, query),
  deleteAnyApiKey: ({ params }) => deleteAnyKey(deps, params.id),
})
