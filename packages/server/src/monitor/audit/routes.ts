import type { auditApi } from '@clearway/contract/monitor/audit/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { exportAuditCsv, exportAuditLines, getAuditPage } from './service.ts'

export const auditHandlers = (deps: { db: MonitorDb }): Handlers<typeof auditApi> => ({
  listAudit: ({ query }) => getAuditPage(deps, query),
  exportAuditCsv: ({ query }) => Promise.resolve(exportAuditCsv(deps, query)),
  exportAuditLines: ({ query }) => Promise.resolve(exportAuditLines(deps, query)),
})
