import { define } from '../../kit/endpoint.ts'
import { RetentionSettings, SystemSettings } from './schema.ts'

export const settingApi = define({
  readSystemSettings: {
    method: 'GET',
    path: '/system-settings',
    permission: 'admin',
    summary: 'Who may create scans',
    reply: SystemSettings,
  },
  updateSystemSettings: {
    method: 'PUT',
    path: '/system-settings',
    permission: 'admin',
    summary: 'Sets who may create scans',
    body: SystemSettings,
    reply: SystemSettings,
  },
  readRetention: {
    method: 'GET',
    path: '/system-settings/retention',
    permission: 'admin',
    summary: 'How long runs keep what they found',
    reply: RetentionSettings,
  },
  updateRetention: {
    method: 'PUT',
    path: '/system-settings/retention',
    permission: 'admin',
    summary: 'Sets how long runs keep what they found, in place of what the server was started with',
    body: RetentionSettings,
    reply: RetentionSettings,
  },
})
