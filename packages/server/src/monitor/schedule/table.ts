import type { ColumnType, Generated } from 'kysely'

export type ScheduleTables = {
  schedule: {
    scan_id: string
    /** `Recurrence` in the format at the time of saving. */
    recurrence: ColumnType<unknown, string, string>
    /** Number of runs started since it was set. */
    started: Generated<number>
    next_run_at: Date | null
    last_started_at: Date | null
  }
}
