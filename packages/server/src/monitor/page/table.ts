import type {
  ExclusionReason,
  FailureReason,
  PageNotice,
  PageStatus,
} from '@clearway/contract/monitor/page/schema.ts'
import type { Generated } from 'kysely'

type Counter = Generated<number>

export type PageTables = {
  page: {
    id: string
    run_id: string
    scan_id: string
    key_hash: Buffer
    url: string
    final_url: string | null
    title: string | null
    status: PageStatus
    source: Generated<'automated' | 'uploaded'>
    /** 0 critical, 1 serious, 2 moderate, 3 good. */
    health: number | null
    failure: FailureReason | null
    exclusion: ExclusionReason | null
    detail: string | null
    http_status: number | null
    mime_type: string | null
    leads_to: string | null
    found_on: string | null
    depth: number
    attempts: number
    duration_ms: number | null
    notices: PageNotice[]
    critical: Counter
    serious: Counter
    moderate: Counter
    minor: Counter
    needs_review: Counter
    fixed: Counter
    not_stored: Counter
    content_hash: Buffer | null
    /** Photographs of the page, from its top down: hashes of `blob`. */
    views: Generated<Buffer[]>
    analysed_at: Date | null
  }
  blob: { hash: Buffer; scan_id: string; media_type: string; encoding: string | null; bytes: Buffer }
}
