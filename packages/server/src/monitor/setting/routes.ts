import type { settingApi } from '@clearway/contract/monitor/setting/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { RetentionSettings } from '@clearway/contract/monitor/setting/schema.ts'
import {
  type SettingDeps,
  getStoredQuotas,
  getStoredRetention,
  getSystemSettings,
  getQuotaUse,
  updateQuotas,
  updateRetention,
  updateSystemSettings,
} from './service.ts'

/** HTTP handlers for administrators' settings. `retention` is the configured default. */
export const settingHandlers = (deps: SettingDeps & { retention: RetentionSettings }): Handlers<typeof settingApi> => ({
  readSystemSettings: () => getSystemSettings(deps),
  updateSystemSettings: ({ body }) => updateSystemSettings(deps, body),
  readRetention: () => getStoredRetention(deps, deps.retention),
  updateRetention: ({ body }) => updateRetention(deps, deps.retention, body),
  readQuotas: () => getStoredQuotas(deps),
  readQuotaUse: () => getQuotaUse(deps),
  updateQuotas: ({ body }) => updateQuotas(deps, body),
})
