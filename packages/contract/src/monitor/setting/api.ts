import { define } from '../../kit/endpoint.ts'
import { SystemSettings } from './schema.ts'

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
})
