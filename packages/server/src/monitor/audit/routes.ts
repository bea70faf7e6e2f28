import type { auditApi } from '@clearway/contract/monitor/audit/api.ts'
import type { Handlers } from '../../kit/http/answer.ts'
import type { MonitorDb } from '../database.ts'
import { auditCsv, auditLines, auditPage } from './service.ts'

/** The audit log, for those who may see the administration. */
export const auditHandlers = (deps: { db: MonitorDb }): Handlers<typeof auditApi> => ({
  listAudit: ({ query }) => auditPage(deps, query),
  exportAuditCsv: ({ query }) => Promise.resolve(auditCsv(deps, query)),
  exportAuditLines: ({ query }) => Promise.resolve(auditLines(deps, query)),
})
