import type { ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import type { ColumnType, Generated } from 'kysely'

export type ScanTables = {
  scan: {
    id: string
    name: string
    type: ScanType
    urls: string[]
    /** 0 high, 1 medium, 2 low. */
    priority: number
    /** `ScanSettings` as of when it was saved. */
    settings: ColumnType<unknown, string, string>
    version: Generated<number>
    owner_id: string
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
    /** Hidden at once; its rows are cleared away in the background. */
    deleted_at: Date | null
    run_count: Generated<number>
    last_run_id: string | null
    last_completed_run_id: string | null
    /** The number of the run in which an unchanged page had other findings; null while unchanged pages are relied on. */
    reuse_stopped_in: Generated<number | null>
    tags: Generated<string[]>
    /** Computed from the settings. */
    preset_id: ColumnType<string | null, never, never>
  }
  /** What a person entered for a scan, new or not, and has not saved. */
  scan_draft: {
    id: string
    person_id: string
    /** Null for a new one. */
    scan_id: string | null
    /** A hash of the URL or the scan that the person started a new one from; empty for neither. */
    begun_with: string
    content: ColumnType<unknown, string, string>
    saved_at: Generated<Date>
  }
  scan_favorite: { person_id: string; scan_id: string }
}
