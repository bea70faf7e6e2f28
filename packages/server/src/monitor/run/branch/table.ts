import type { BranchResult } from '@clearway/contract/monitor/run/branch/schema.ts'
import type { ColumnType, Generated } from 'kysely'

export type BranchTables = {
  /** Results of gates on branches, which no run and no issue of the scan refers to. */
  branch_run: {
    id: string
    scan_id: string
    branch: string
    commit: string | null
    build_url: string | null
    result: BranchResult
    /** `BranchRunBody` without the columns above. */
    report: ColumnType<unknown, string, never>
    uploaded_by: string
    uploaded_at: Generated<Date>
  }
}
