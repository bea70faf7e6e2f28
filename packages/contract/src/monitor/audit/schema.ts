import * as z from 'zod/mini'
import { paging } from '../../kit/paging.ts'
import { Instant } from '../../kit/time.ts'

/** What an entry can be about. */
const auditNouns = [
  'access',
  'api-key',
  'group',
  'group-admin',
  'group-scan',
  'issues',
  'pages',
  'person',
  'preset',
  'scan',
  'script',
  'secret',
  'setting',
  'share',
  'sign-in',
  'team',
  'terms',
  'upload',
  'view',
  'webhook',
] as const
const auditActions = ['created', 'changed', 'deleted', 'agreed', 'signed-in', 'refused'] as const

export const AuditEntry = z.object({
  /** Its place in the chain. */
  number: z.number(),
  at: Instant,
  /** Id of the person who did it; null for nobody's call. */
  actor: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  address: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  action: z.enum(auditActions),
  noun: z.enum(auditNouns),
  subject: z.string(),
  scanId: z.nullable(z.string()),
  /** What of it was different before and after; never a secret. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** In hexadecimal; made of the entry and the hash before. */
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

const auditFilter = {
  noun: z.optional(z.enum(auditNouns)),
  action: z.optional(z.enum(auditActions)),
  actor: z.optional(z.string().check(z.maxLength(255))),
  scanId: z.optional(z.uuid()),
  from: z.optional(Instant),
  until: z.optional(Instant),
}
export const AuditFilter = z.object(auditFilter)
export const AuditQuery = z.object({ ...paging, ...auditFilter })
