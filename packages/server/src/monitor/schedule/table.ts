import type { ColumnType, Generated } from 'kysely'

export type ScheduleTables = {
  schedule: {
    scan_id: string
    /** `Recurrence` as of when it was saved. */
    recurrence: ColumnType<unknown, string, string>
    /** Runs that it has started since it was set. */
    started: Generated<number>
    next_run_at: Date | null
    last_started_at: Date | null
  }
}
