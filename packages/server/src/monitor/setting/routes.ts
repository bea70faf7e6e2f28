import type { settingApi } from '@clearway/contract/monitor/setting/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { RetentionSettings } from '@clearway/contract/monitor/setting/schema.ts'
import {
  type SettingDeps,
  storedQuotas,
  storedRetention,
  systemSettings,
  updateQuotas,
  updateRetention,
  updateSystemSettings,
} from './service.ts'

/** What administrators set, over HTTP. `retention` is what the server was started with. */
export const settingHandlers = (
  deps: SettingDeps & { retention: RetentionSettings },
): Handlers<typeof settingApi> => ({
  readSystemSettings: () => systemSettings(deps),
  updateSystemSettings: ({ body }) => updateSystemSettings(deps, body),
  readRetention: () => storedRetention(deps, deps.retention),
  updateRetention: ({ body }) => updateRetention(deps, deps.retention, body),
  readQuotas: () => storedQuotas(deps),
  updateQuotas: ({ body }) => updateQuotas(deps, body),
})
