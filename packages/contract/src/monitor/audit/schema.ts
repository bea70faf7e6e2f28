import * as z from 'zod/mini'
import { pagingQuery } from '../../kit/paging.ts'
import { Instant } from '../../kit/time.ts'

const auditNouns = [
  'access',
  'annotation',
  'api-key',
  'branch-run',
  'group',
  'group-admin',
  'group-scan',
  'ignore',
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
  /** Position in the hash chain. */
  number: z.number(),
  at: Instant,
  /** Id of the acting person; null for anonymous calls. */
  actor: z.nullable(z.string()),
  actorName: z.nullable(z.string()),
  /** API key by which a program acted for the person; null without one. */
  keyId: z.nullable(z.string()),
  keyName: z.nullable(z.string()),
  address: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  action: z.enum(auditActions),
  noun: z.enum(auditNouns),
  subject: z.string(),
  scanId: z.nullable(z.string()),
  /** Changed values before and after; never contains secrets. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** Rules of a listed decision to ignore that still exists, at most three. */
  rules: z.optional(z.array(z.string())),
  /** Hexadecimal hash of the entry and the previous hash. */
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

const auditFilterFields = {
  noun: z.optional(z.enum(auditNouns)),
  action: z.optional(z.enum(auditActions)),
  actor: z.optional(z.string().check(z.maxLength(255))),
  scanId: z.optional(z.uuid()),
  from: z.optional(Instant),
  until: z.optional(Instant),
}
export const AuditFilter = z.object(auditFilterFields)
export const AuditQuery = z.object({ ...pagingQuery, ...auditFilterFields })
