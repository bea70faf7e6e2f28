import { defineEndpoints } from '../../kit/endpoint.ts'
import {
  QuotaBody,
  QuotaUse,
  RetentionBody,
  StoredQuotas,
  StoredRetention,
  StoredSystemSettings,
  SystemSettingsBody,
} from './schema.ts'

export const settingApi = defineEndpoints({
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
    summary: 'Retention settings',
    reply: StoredRetention,
  },
  updateRetention: {
    method: 'PUT',
    path: '/system-settings/retention',
    permission: 'admin',
    summary: "Sets the retention, in place of the settings of the server's start",
    body: RetentionBody,
    reply: StoredRetention,
    problems: ['edit-conflict'],
  },
  readQuotas: {
    method: 'GET',
    path: '/system-settings/quotas',
    permission: 'admin.see',
    summary: 'Quotas of each person',
    reply: StoredQuotas,
  },
  readQuotaUse: {
    method: 'GET',
    path: '/system-settings/quotas/use',
    permission: 'admin.see',
    summary: 'The highest current use of each quota',
    reply: QuotaUse,
  },
  updateQuotas: {
    method: 'PUT',
    path: '/system-settings/quotas',
    permission: 'admin',
    summary: 'Sets the quotas of each person',
    body: QuotaBody,
    reply: StoredQuotas,
    problems: ['edit-conflict'],
  },
})
