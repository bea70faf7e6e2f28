import type { shareApi } from '@clearway/contract/monitor/share/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { createPublicToken, deletePublicToken, getPublicToken, type ShareDeps } from './service.ts'

export const shareHandlers = (deps: ShareDeps): Handlers<typeof shareApi> => ({
  readPublicToken: ({ params }) => getPublicToken(deps, params.id),
  createPublicToken: ({ params, body }, { caller }) => createPublicToken(deps, caller!, params.id, body.expiresAt),
  deletePublicToken: ({ params }) => deletePublicToken(deps, params.id),
})
