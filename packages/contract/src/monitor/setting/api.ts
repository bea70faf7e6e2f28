import { define } from '../../kit/endpoint.ts'
import {
  QuotaBody,
  RetentionBody,
  StoredQuotas,
  StoredRetention,
  StoredSystemSettings,
  SystemSettingsBody,
} from './schema.ts'

export const settingApi = define({
  readSystemSettings: {
    method: 'GET',
    path: '/system-settings',
    permission: 'admin.see',
    summary: 'Who may create scans',
    reply: StoredSystemSettings,
  },
  updateSystemSettings: {
    method: 'PUT',
    path: '/system-settings',
    permission: 'admin',
    summary: 'Sets who may create scans',
    body: SystemSettingsBody,
    reply: StoredSystemSettings,
    problems: ['edit-conflict'],
  },
  readRetention: {
    method: 'GET',
    path: '/system-settings/retention',
    permission: 'admin.see',
    summary: 'How long runs keep what they found',
    reply: StoredRetention,
  },
  updateRetention: {
    method: 'PUT',
    path: '/system-settings/retention',
    permission: 'admin',
    summary: 'Sets how long runs keep what they found, in place of what the server was started with',
    body: RetentionBody,
    reply: StoredRetention,
    problems: ['edit-conflict'],
  },
  readQuotas: {
    method: 'GET',
    path: '/system-settings/quotas',
    permission: 'admin.see',
    summary: 'What one person may have or do at the most',
    reply: StoredQuotas,
  },
  updateQuotas: {
    method: 'PUT',
    path: '/system-settings/quotas',
    permission: 'admin',
    summary: 'Sets what one person may have or do at the most',
    body: QuotaBody,
    reply: StoredQuotas,
    problems: ['edit-conflict'],
  },
})
