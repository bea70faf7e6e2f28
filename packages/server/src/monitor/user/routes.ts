import type { userApi } from '@clearway/contract/monitor/user/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { updateOwnSettings, getOwnSettings, getCallerPermissions, type UserDeps } from './service.ts'

export const userHandlers = (deps: UserDeps): Handlers<typeof userApi> => ({
  userPermissions: (_received, { caller }) => getCallerPermissions(deps, caller!),
  readOwnSettings: (_received, { caller }) => getOwnSettings(deps, caller!),
  updateOwnSettings: ({ body }, { caller }) => updateOwnSettings(deps, caller!, body),
})
