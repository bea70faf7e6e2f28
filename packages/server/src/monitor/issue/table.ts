import type { Fix, Target } from '@clearway/contract/monitor/issue/schema.ts'
import type { Generated, JSONColumnType } from 'kysely'

export type IssueTables = {
  rule: {
    id: Generated<number>
    hash: Buffer
    name: string
    help: string
    description: string
    help_url: string
    tags: string[]
  }
  issue_group: { id: string; scan_id: string; pattern_hash: Buffer; rule: string }
  issue: {
    id: string
    scan_id: string
    identity_hash: Buffer
    group_id: string
    page_key: Buffer
    rule: string
    /** Place in `issueStatuses` of the model. */
    status: Generated<number>
    /** 0 there, 1 fixed, 2 page gone, 3 not re-checked. */
    presence: Generated<number>
    assigned_to: string | null
    version: Generated<number>
    /** Which method made `identity_hash`. */
    key_version: Generated<number>
    matched_by: Generated<string>
    first_run: number
    last_run: number
    fixed_in_run: number | null
    first_seen_at: Date
    last_seen_at: Date
  }
  evidence: {
    hash: Buffer
    scan_id: string
    selector: string
    target: JSONColumnType<Target, string, string>
    html: string
    fix: JSONColumnType<Fix, string, string>
  }
  finding: {
    run_id: string
    issue_id: string
    page_id: string
    group_id: string
    rule_id: number
    /** Place in `severities` of the model: 0 critical … 3 minor, 4 needs review. */
    severity: number
    impact: number | null
    status: number
    /** Place in `changes` of the model; up to 2 the element was there. */
    change: number
    evidence: Buffer
    picture: Buffer | null
    picture_box: number[] | null
  }
}
