import type { ScanType } from '@clearway/contract/monitor/scan/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'

export type ScanTables = {
  scan: {
    id: string
    name: string
    type: ScanType
    urls: string[]
    /** 0 high, 1 medium, 2 low. */
    priority: number
    /** `ScanSettings` in the format at the time of saving. */
    settings: ColumnType<unknown, string, string>
    version: Generated<number>
    owner_id: string
    created_at: Generated<Date>
    updated_at: ColumnType<Date, Date | undefined, Date>
    /** Hides the scan at once; its rows are deleted in the background. */
    deleted_at: Date | null
    run_count: Generated<number>
    last_run_id: string | null
    last_completed_run_id: string | null
    /** The run in which an audited page had other findings; null while reuse of unchanged pages is enabled. */
    reuse_stopped_in: Generated<number | null>
    tags: Generated<string[]>
    sign_out_urls: Generated<string[]>
    /** True until a scan from before driven pages begins to drive them, or its admins decline. */
    offers_driving: Generated<boolean>
    /** Computed from the settings. */
    preset_id: ColumnType<string | null, never, never>
  }
  /** Unsaved input of a person for a new or existing scan. */
  scan_draft: {
    id: string
    person_id: string
    /** Null for a new scan. */
    scan_id: string | null
    /** Hash of the URL or the scan that a new scan was started from; empty for neither. */
    begun_with: string
    content: ColumnType<unknown, string, string>
    saved_at: Generated<Date>
  }
  scan_favorite: { person_id: string; scan_id: string }
}

/** Number of scans that lists of other objects name. */
export const maxNamedScans = 3

/** Names of the first of the scans that match a condition on `scan`, in alphabetical order, as a JSON array. */
export const selectFirstScanNames = (condition: RawBuilder<unknown>): RawBuilder<string[]> => sql`(
  select coalesce(jsonb_agg(named.name), '[]') from (
    select scan.name from scan where scan.deleted_at is null and ${condition} order by lower(scan.name), scan.id limit ${sql.lit(maxNamedScans)}) named)`
