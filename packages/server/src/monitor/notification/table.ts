import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import type { InboxKind } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import type { ColumnType, Generated } from 'kysely'
import type * as z from 'zod/mini'
import { toIndexLiterals } from '../../kit/database.ts'
import { defineStoredWords } from '../../kit/stored-word.ts'

type RunEvent = z.output<typeof NotificationEvent>

/** Kinds of inbox entries, stored as their index. Never reorder. */
export const inboxKinds = defineStoredWords<InboxKind>()(['assigned', 'mentioned', 'run'])
export const inboxKind = toIndexLiterals(inboxKinds)

export type NotificationTables = {
  ended_run: { run_id: string; at: Generated<Date> }
  subscriber: { scan_id: string; person_id: string }
  /** Notification of one person; deleted together with its subject. */
  inbox_entry: {
    id: string
    person_id: string
    /** Index in `inboxKinds`. */
    kind: number
    scan_id: string
    issue_id: string | null
    comment_id: string | null
    run_number: number | null
    issues: Generated<number>
    actor_id: string | null
    /** The bulk change that created it; its undo deletes the entry. */
    undo_id: string | null
    at: Generated<Date>
    read_at: Date | null
  }
  webhook: {
    id: string
    scan_id: string
    /** Sealed, as it often contains a token. Plain text in rows that no server has sealed yet. */
    url: Buffer
    secret: Buffer
    events: RunEvent[]
    active: boolean
    created_at: Generated<Date>
  }
  delivery: {
    id: string
    kind: 'mail' | 'webhook'
    scan_id: string
    webhook_id: string | null
    run_number: number | null
    /** Set for a mail about a comment that mentions its receiver. */
    comment_id: string | null
    event: RunEvent | 'test' | 'mentioned'
    receiver: string
    /** `Payload` */
    payload: ColumnType<unknown, string, string>
    state: Generated<'waiting' | 'delivered' | 'failed'>
    attempts: Generated<number>
    next_at: ColumnType<Date | null, Date | null, Date | null>
    lease_until: Date | null
    last_status: number | null
    last_error: string | null
    created_at: Generated<Date>
    delivered_at: Date | null
  }
}
