import type { settingApi } from '@clearway/contract/monitor/setting/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import { type SettingDeps, systemSettings, updateSystemSettings } from './service.ts'

/** The permissions page over HTTP. */
export const settingHandlers = (deps: SettingDeps): Handlers<typeof settingApi> => ({
  readSystemSettings: () => systemSettings(deps),
  updateSystemSettings: ({ body }) => updateSystemSettings(deps, body),
})
