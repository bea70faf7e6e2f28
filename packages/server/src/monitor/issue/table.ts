import { Fix, type IgnoreScope, Target } from '@clearway/contract/monitor/issue/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'
import { numbered } from '../../kit/database.ts'
import { readStored } from '../../kit/stored.ts'
import { changes, issueStatuses, lastPresentChange, presences, severities } from './model.ts'

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
    /** Index in `issueStatuses` of the model. */
    status: Generated<number>
    /** Of its newest finding. */
    severity: Generated<number>
    /** Index in `presences` of the model. */
    presence: Generated<number>
    assigned_to: string | null
    version: Generated<number>
    /** Which method made `identity_hash`. */
    key_version: Generated<number>
    matched_by: Generated<'key' | 'alike' | 'moved' | 'group'>
    element_key: Generated<string>
    /** Null until a person says whether it counts as an issue. */
    marked: boolean | null
    labels: Generated<string[]>
    remediation: string | null
    component: string | null
    ticket_url: string | null
    /** The ignore that covers it, while its status is ignored. */
    ignore_id: string | null
    first_run: number
    last_run: number
    fixed_in_run: number | null
    first_seen_at: Date
    last_seen_at: Date
  }
  issue_ignore: {
    id: string
    scan_id: string
    scope: IgnoreScope
    rule: string
    group_id: string | null
    page_key: Buffer | null
    reason: string
    author_id: string
    created_at: Generated<Date>
  }
  /** What the last change of many issues by a person replaced. */
  issue_undo: {
    id: string
    author_id: string
    /** The rank on a scan that the change needed. */
    rank: number
    /** Ignores that it made. */
    ignores: string[]
    /** A row for each issue, read in SQL only. */
    before: ColumnType<unknown, string, string>
    made_at: Generated<Date>
  }
  issue_comment: {
    id: string
    issue_id: string
    author_id: string
    text: string
    /** Ids of those who could be mentioned when it was written. */
    mentions: Generated<string[]>
    created_at: Generated<Date>
    edited_at: Date | null
  }
  evidence: {
    hash: Buffer
    scan_id: string
    selector: string
    /** `Target` */
    target: ColumnType<unknown, string, string>
    html: string
    /** `Fix` */
    fix: ColumnType<unknown, string, string>
  }
  finding: {
    run_id: string
    issue_id: string
    page_id: string
    group_id: string
    rule_id: number
    /** Index in `severities` of the model: 0 critical … 3 minor, 4 needs review. */
    severity: number
    impact: number | null
    status: number
    /** Index in `changes` of the model; up to 2 the element was there. */
    change: number
    evidence: Buffer
    picture: Buffer | null
    picture_box: number[] | null
  }
}

/** The parts of a row of evidence that are JSON. @param issueId for the message @throws StoredDataError */
export const targetOf = (issueId: string, target: unknown): Target =>
  readStored(Target, target, `The element of the issue ${issueId}`)
export const fixOf = (issueId: string, fix: unknown): Fix =>
  readStored(Fix, fix, `How to fix the issue ${issueId}`)

const severity = numbered(severities)
/** The words of issues and findings as SQL: literals, which partial indexes need to be found. */
export const stored = {
  status: numbered(issueStatuses),
  severity: { ...severity, review: severity['needs review'] },
  change: numbered(changes),
  presence: numbered(presences),
}

const column = (name: string, alias?: string) => sql.ref(alias === undefined ? name : `${alias}.${name}`)

/** A finding whose element was there in its run. */
export const isPresent = (alias?: string): RawBuilder<boolean> =>
  sql`${column('change', alias)} <= ${sql.lit(lastPresentChange)}`

/** A finding that was there, of an issue that is open: what lists and sums count. */
export const isOpen = (alias?: string): RawBuilder<boolean> =>
  sql`${column('status', alias)} = ${stored.status.open} and ${isPresent(alias)}`

/** How much is open by the counts that a page or a run carries, without what is to be reviewed. */
export const openIssuesOf = (alias: string) => {
  const count = (key: string) => sql.ref(`${alias}.${key}`)
  return sql<number>`(${count('critical')} + ${count('serious')} + ${count('moderate')} + ${count('minor')})`
}
