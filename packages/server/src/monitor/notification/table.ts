import type { NotificationEvent } from '@clearway/contract/monitor/notification/schema.ts'
import type { ColumnType, Generated } from 'kysely'
import type * as z from 'zod/mini'

type Event = z.output<typeof NotificationEvent>

export type NotificationTables = {
  ended_run: { run_id: string; at: Generated<Date> }
  subscriber: { scan_id: string; person_id: string }
  webhook: {
    id: string
    scan_id: string
    url: string
    secret: Buffer
    events: Event[]
    active: boolean
    created_at: Generated<Date>
  }
  delivery: {
    id: string
    kind: 'mail' | 'webhook'
    scan_id: string
    webhook_id: string | null
    run_number: number | null
    event: Event | 'test'
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
