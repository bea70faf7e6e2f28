import type { userApi } from '@clearway/contract/monitor/user/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { changeOwnSettings, ownSettingsFor, permissionsFor, type UserDeps } from './service.ts'

export const userHandlers = (deps: UserDeps): Handlers<typeof userApi> => ({
  userPermissions: (_received, { caller }) => permissionsFor(deps, caller!),
  readOwnSettings: (_received, { caller }) => ownSettingsFor(deps, caller!),
  updateOwnSettings: ({ body }, { caller }) => changeOwnSettings(deps, caller!, body),
})
