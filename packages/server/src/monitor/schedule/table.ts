import type { Recurrence } from '@clearway/contract/monitor/schedule/schema.ts'
import type { Generated, JSONColumnType } from 'kysely'

export type ScheduleTables = {
  schedule: {
    scan_id: string
    recurrence: JSONColumnType<Recurrence, string, string>
    /** Runs that it has started since it was set. */
    started: Generated<number>
    next_run_at: Date | null
    last_started_at: Date | null
  }
}
