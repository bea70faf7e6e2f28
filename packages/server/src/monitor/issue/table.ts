import { Fix, type IgnoreScope, type ReviewAnswer, Target } from '@clearway/contract/monitor/issue/schema.ts'
import {
  anyOpenedState,
  DriveLevel,
  openedStatePrefix,
  type FindingEngine,
} from '@clearway/contract/monitor/ruleset/drive/schema.ts'
import { type ColumnType, type Generated, type RawBuilder, sql } from 'kysely'
import { toIndexLiterals } from '../../kit/database.ts'
import { parseStored } from '../../kit/stored.ts'
import { changes, issueStatuses, lastPresentChange, pdfRulePrefix, presences, severities } from './model.ts'

export type IssueTables = {
  rule: { id: Generated<number>; hash: Buffer; name: string; help: string; description: string; help_url: string; tags: string[] }
  issue_group: {
    id: string
    scan_id: string
    pattern_hash: Buffer
    rule: string
    /** Worst severity of its open findings in the listed run of its scan: `listed_run`; null for none. */
    open_severity: number | null
    open_issues: Generated<number>
    /** Open results to review. */
    open_reviews: Generated<number>
    /** Pages with open issues, or else with results to review. */
    open_pages: Generated<number>
    open_rule_id: number | null
  }
  issue: {
    id: string
    scan_id: string
    identity_hash: Buffer
    group_id: string
    page_key: Buffer
    rule: string
    /** Index in `issueStatuses` of the model. */
    status: Generated<number>
    /** Severity of its newest finding. */
    severity: Generated<number>
    /** Index in `presences` of the model. */
    presence: Generated<number>
    assigned_to: string | null
    version: Generated<number>
    /** Version of the method that computed `identity_hash`. */
    key_version: Generated<number>
    matched_by: Generated<'key' | 'alike' | 'moved' | 'group'>
    element_key: Generated<string>
    /** Null until a person decides whether it counts as an issue. */
    marked: boolean | null
    /** Answer to a result that needs review, with its reason, author and time. */
    review: ReviewAnswer | null
    review_reason: string | null
    reviewed_by: string | null
    reviewed_at: Date | null
    labels: Generated<string[]>
    remediation: string | null
    component: string | null
    ticket_url: string | null
    /** The ignore that covers it while its status is ignored; the lost one if it is asked again whether to ignore it. */
    ignore_id: string | null
    first_run: number
    last_run: number
    fixed_in_run: number | null
    first_seen_at: Date
    last_seen_at: Date
    /** Last change of the columns that users see: `setUpdatedNow`. */
    updated_at: Generated<Date>
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
    /** Null for no end. */
    until: Date | null
    /** Set when the end has reopened the issues. */
    expired_at: Date | null
  }
  /** Bulk changes of the last day. */
  issue_undo: {
    id: string
    author_id: string
    /** Maximum rank on a scan that permits the change. */
    rank: number
    /** Ignores created by the change. */
    ignores: string[]
    issues: Generated<number>
    fields: Generated<string[]>
    status: string | null
    scans: Generated<string[]>
    made_at: Generated<Date>
  }
  /** Previous values of a bulk change: once for the issues of a part that had the same, read only in SQL. */
  issue_undo_part: {
    undo_id: string
    part: number
    place: number
    /** One of the scans of these issues; null in parts of earlier versions. */
    scan_id: string | null
    issue_ids: string[]
    /** Versions of the issues after the change. */
    versions: number[]
    before: ColumnType<unknown, string, string>
    restored_at: Date | null
  }
  issue_comment: {
    id: string
    issue_id: string
    author_id: string
    text: string
    /** Ids of people who could be mentioned at the time of writing. */
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
  /** A finding in the runs from `first_run` to `until_run`, in which nothing of it differs. */
  finding_span: FindingColumns & {
    /** For a finding that is not present: the page on which it was last seen, for runs without that page. */
    last_page_id: string | null
    first_run: number
    /** `openEnd` until a run differs. */
    until_run: number
  }
  /** Status of an issue in the runs from `first_run` to `until_run`, where its finding does not imply it: `impliedStatus`. */
  status_span: { scan_id: string; issue_id: string; first_run: number; until_run: Generated<number>; status: number }
  /** Findings by run: a view of both. A present finding is new or back in the first run of its span alone. */
  finding: FindingColumns & { run_id: string; run_number: number; first_run: number; page_id: string; status: number }
}

type FindingColumns = {
  issue_id: string
  scan_id: string
  /** Key of its page, which is the same in each run. */
  page_key: Buffer
  group_id: string
  rule_id: number
  /** Index in `severities` of the model: 0 critical … 3 minor, 4 needs review. */
  severity: number
  impact: number | null
  /** Index in `changes` of the model; up to 2 the element was present. */
  change: number
  evidence: Buffer
  picture: Buffer | null
  picture_box: number[] | null
  /** Index in the levels of a drive that shows it; null for axe and PDFs. */
  drive_level: number | null
  states: string[] | null
}

/** End of a span that lasts until a later run differs. */
export const openEnd = sql.lit(2147483647)

/** Parsers for the JSON columns of evidence. @param issueId for the error message @throws StoredDataError */
export const parseTarget = (issueId: string, target: unknown): Target =>
  parseStored(Target, target, `The element of the issue ${issueId}`)
export const parseFix = (issueId: string, fix: unknown): Fix => parseStored(Fix, fix, `How to fix the issue ${issueId}`)

/** Condition for findings of one of these checks, as `f`. */
export function isOfEngine(engines: readonly FindingEngine[]): RawBuilder<boolean> {
  const isPdf = sql`f.rule_id in (select id from rule where starts_with(name, ${pdfRulePrefix}))`
  const conditions: Record<FindingEngine, RawBuilder<unknown>> = {
    driven: sql`f.drive_level is not null`,
    pdf: sql`(f.drive_level is null and ${isPdf})`,
    axe: sql`(f.drive_level is null and not ${isPdf})`,
  }
  return sql`(${sql.join(
    [...new Set(engines)].map((engine) => conditions[engine]),
    sql` or `,
  )})`
}
/** Condition for findings that were seen in one of these states, as `f`. */
export function isInState(states: readonly string[]): RawBuilder<boolean> {
  const isListed = sql`f.states && ${[...states]}::text[]`
  if (!states.includes(anyOpenedState)) return sql`${isListed}`
  return sql`(${isListed} or exists (select from unnest(f.states) state where starts_with(state, ${openedStatePrefix})))`
}

/** Levels of a drive; their positions are stored. */
export const driveLevels = DriveLevel.options
/** Index of how far a page was driven; -1 if it was not, or only in part. */
export const selectDriveLevel = (page: string): RawBuilder<number> =>
  sql`coalesce(case when (${sql.ref(`${page}.driven`)} ->> 'isPartial')::boolean then -1
    else array_position(${[...driveLevels]}::text[], ${sql.ref(`${page}.driven`)} ->> 'level') - 1 end, -1)`
/** Condition for a finding that the drive of a page, or its lack of one, could not see. */
export const isUndriven = (finding: string, page: string) => sql`(${sql.ref(`${finding}.drive_level`)} is not null
  and ${selectDriveLevel(page)} < ${sql.ref(`${finding}.drive_level`)})`

/** Assignment of the time of a change that users see, for each update of such a column of `issue`. */
export const setUpdatedNow = sql`updated_at = clock_timestamp()`

/** Condition for an issue `i` with data from people, which is kept. */
export const isEdited: RawBuilder<boolean> = sql`(i.labels <> '{}' or i.assigned_to is not null or i.remediation is not null
  or i.ticket_url is not null or i.marked is not null or i.review is not null
  or exists (select from issue_comment c where c.issue_id = i.id))`

const severityLiterals = toIndexLiterals(severities)
/** Stored numbers of issues and findings as SQL literals; partial indexes match only literals. */
export const storedLiterals = {
  status: toIndexLiterals(issueStatuses),
  severity: { ...severityLiterals, review: severityLiterals['needs review'] },
  change: toIndexLiterals(changes),
  presence: toIndexLiterals(presences),
}

const buildColumnRef = (columnName: string, alias?: string) =>
  sql.ref(alias === undefined ? columnName : `${alias}.${columnName}`)

/** The picture of the finding `f`; null once the contents of its run were removed, because the hash is kept. @param run alias */
export const storedPicture = (run: string): RawBuilder<Buffer | null> =>
  sql`(case when ${sql.ref(`${run}.contents_cleared_at`)} is null then f.picture end)`

/** Severity by which a result counts: a result to review that a person marked as an issue counts by its impact. */
export const countedSeverity = (isMarked: RawBuilder<unknown>, alias: string): RawBuilder<number> => {
  const severity = sql.ref(`${alias}.severity`)
  return sql`(case when ${isMarked} and ${severity} = ${storedLiterals.severity.review}
    then coalesce(${sql.ref(`${alias}.impact`)}, ${storedLiterals.severity.moderate}) else ${severity} end)::smallint`
}

/** Condition for findings whose element was present in their run. */
export const isPresent = (alias?: string): RawBuilder<boolean> =>
  sql`${buildColumnRef('change', alias)} <= ${sql.lit(lastPresentChange)}`

/** Status that a finding implies while no other one is stored: fixed, or open. */
export const impliedStatus = (change: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(case when ${change} = ${storedLiterals.change.fixed} then ${storedLiterals.status.fixed} else ${storedLiterals.status.open} end)::smallint`

/** The same as `isOpen` for statements over the findings of many scans: statuses are read in one pass, and not one by one. */
export const isOpenAmongMany = (alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${isPresent(alias)} and not exists (select from status_span t
    where t.scan_id = ${column('scan_id')} and t.issue_id = ${column('issue_id')} and t.first_run <= ${column('run_number')}
      and t.until_run >= ${column('run_number')} and t.status <> ${storedLiterals.status.open}))`
}

/** Condition for findings of issues with one of these statuses, which no finding implies: decided issues are read, and not all findings. */
export const hasStoredStatus = (alias: string, statuses: readonly number[]): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`exists (select from status_span t where t.scan_id = ${column('scan_id')} and t.issue_id = ${column('issue_id')}
    and t.first_run <= ${column('run_number')} and t.until_run >= ${column('run_number')} and t.status = any(${[...statuses]}::int[]))`
}

/** Condition for present findings of open issues, which lists and sums count. */
export const isOpen = (alias?: string): RawBuilder<boolean> =>
  sql`${buildColumnRef('status', alias)} = ${storedLiterals.status.open} and ${isPresent(alias)}`

/** Condition for present findings that do not count because of a decision: ignored, marked as fixed, or as no issue. */
export const isDecided = (alias?: string): RawBuilder<boolean> =>
  sql`(${buildColumnRef('status', alias)} <> ${storedLiterals.status.open} and ${isPresent(alias)})`

/** Condition for present findings of ignored issues, without needs-review results. */
export const isIgnored = (alias: string): RawBuilder<boolean> =>
  sql`(${buildColumnRef('status', alias)} = ${storedLiterals.status.ignored} and ${isPresent(alias)}
    and ${buildColumnRef('severity', alias)} < ${storedLiterals.severity.review})`

/** Condition for findings of open issues that their run neither found nor proved fixed. */
export const isUnchecked = (alias?: string): RawBuilder<boolean> =>
  sql`(${buildColumnRef('status', alias)} = ${storedLiterals.status.open}
    and ${buildColumnRef('change', alias)} = ${storedLiterals.change['not-rechecked']})`

/** The same without needs-review results, as sums count them. */
export const isCountedUnchecked = (alias?: string): RawBuilder<boolean> =>
  sql`${isUnchecked(alias)} and ${buildColumnRef('severity', alias)} < ${storedLiterals.severity.review}`

/** Number of open issues from the counters of a page or run, without needs-review results. */
export const sumOpenIssues = (alias: string) => {
  const buildColumnRef = (columnName: string) => sql.ref(`${alias}.${columnName}`)
  return sql<number>`(${buildColumnRef('critical')} + ${buildColumnRef('serious')} + ${buildColumnRef('moderate')} + ${buildColumnRef('minor')})`
}

/** Condition for an ignore that covers issues: it has not reached its end. */
export const isInForce = (alias: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.expired_at`)} is null and coalesce(${sql.ref(`${alias}.until`)} > now(), true))`
