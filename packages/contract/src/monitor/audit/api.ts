import { defineEndpoints } from '../../kit/endpoint.ts'
import { createPageSchema } from '../../kit/paging.ts'
import { AuditEntry, AuditFilter, AuditQuery } from './schema.ts'

export const auditApi = defineEndpoints({
  listAudit: {
    method: 'GET',
    path: '/audit',
    permission: 'admin.see',
    summary: 'Audit log entries, newest first',
    query: AuditQuery,
    reply: createPageSchema(AuditEntry),
  },
  exportAuditCsv: {
    method: 'GET',
    path: '/audit/export/csv',
    permission: 'admin.see',
    summary: 'Audit log as CSV, oldest first',
    query: AuditFilter,
    reply: { blob: 'text/csv' },
  },
  exportAuditLines: {
    method: 'GET',
    path: '/audit/export/jsonl',
    permission: 'admin.see',
    summary: 'Audit log as JSON lines, oldest first, each entry with its hash',
    query: AuditFilter,
    reply: { blob: 'application/jsonl' },
  },
})
