import type { sessionApi } from '@clearway/contract/monitor/session/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type SessionDeps, validateSession } from './service.ts'

export const sessionHandlers = (deps: SessionDeps): Handlers<typeof sessionApi> => ({
  validateSession: ({ body }, { caller, signal }) => validateSession(deps, { caller: caller!, signal }, body),
})
