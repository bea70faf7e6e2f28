import type { userApi } from '@clearway/contract/monitor/user/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { permissionsFor } from './service.ts'
import type { MonitorDb } from '../database.ts'

export const userHandlers = (deps: { db: MonitorDb }): Handlers<typeof userApi> => ({
  userPermissions: (_received, { caller }) => permissionsFor(deps, caller!),
})
