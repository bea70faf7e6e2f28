import type { AuditEntry } from '@clearway/contract/monitor/audit/schema.ts'
import type { ColumnType, Generated } from 'kysely'

type AuditedValues = Record<string, unknown>
export type AuditTables = {
  /** Written by triggers of the audited tables and for other services; chained at the end of each transaction. */
  audit: {
    id: Generated<number>
    number: Generated<number | null>
    at: ColumnType<Date, Date | undefined, Date>
    actor: string | null
    address: string | null
    request_id: string | null
    /** API key of the program that acted for the person; set by a trigger. */
    key_id: Generated<string | null>
    key_name: Generated<string | null>
    action: AuditEntry['action']
    noun: AuditEntry['noun']
    subject: string
    scan_id: Generated<string | null>
    before: ColumnType<AuditedValues | null, string | null | undefined, never>
    after: ColumnType<AuditedValues | null, string | null, never>
    previous: Generated<Buffer | null>
    hash: Generated<Buffer | null>
  }
  /** One row: the last link of the chain, and a link sealed with the secret key, null before the first seal. */
  audit_chain: { id: Generated<boolean>; number: number; hash: Buffer; seal: Generated<Buffer | null> }
}
