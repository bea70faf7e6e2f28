import { type RawBuilder, sql } from 'kysely'
import type { UndoableIssueBatch } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { MonitorDb } from '../../database.ts'
import type { IgnoreScope, IssueFields, ReviewAnswer } from '@clearway/contract/monitor/issue/schema.ts'
import { inTransaction } from '../../../kit/database.ts'
import { getStatusNumber } from '../model.ts'
import {
  analyzeTable,
  buildAmongChosen,
  buildIssueUpdate,
  type IssueUpdate,
  selectIssueColumns,
  selectNewestFinding,
  updateChosenIssues,
} from '../chosen/store.ts'
import { recountTouched } from '../recount/store.ts'
import { createChosenTable, type SelectedIssues, type SelectedRange } from '../selection/store.ts'
import { storeUndo } from '../undo/store.ts'
import { isPresent, setUpdatedNow, storedLiterals } from '../table.ts'

export type IssueEdit = { fields: IssueFields; authorId: string }
/** Issues of one scan with a new assignee; `issueId` is set when there is only one. */
export type NewAssignment = { scanId: string; issueId: string | null; issues: number }
export type EditResult =
  | { kind: 'done'; changed: number; skipped: number; undo: string | null; next: string | null; assigned: NewAssignment[] }
  | { kind: 'edit-conflict' }
  | { kind: 'not-assignable' }

/**
 * Stores an ignore for each distinct element, rule or page of the chosen issues, and adds all other issues that it covers to
 * `chosen`. Single issues of a scan share one ignore, which stores the reason, also across the batches of one change.
 */
async function ignoreChosen(db: MonitorDb, { fields, authorId }: IssueEdit, continuedUndo: string | null): Promise<void> {
  const { scope: ignoreScope, reason: ignoreReason, until } = fields.ignore ?? { scope: 'issue', reason: '', until: null }
  const ignoreKeys: Record<typeof ignoreScope, RawBuilder<unknown>> = {
    issue: sql`'' as rule, null::uuid as group_id, null::bytea as page_key`,
    group: sql`rule, group_id, null::bytea as page_key`,
    'rule-on-page': sql`rule, null::uuid as group_id, page_key`,
    rule: sql`rule, null::uuid as group_id, null::bytea as page_key`,
  }
  await sql`
    create temporary table ignore_made on commit drop as
    select coalesce(continued.id, new_id()) as id, continued.id is null as is_new, d.*
    from (select distinct scan_id, ${ignoreKeys[ignoreScope]} from chosen) d
    left join lateral (
      select n.id from issue_undo u join issue_ignore n on n.id = any(u.ignores)
      where u.id = ${continuedUndo}::uuid and u.author_id = ${authorId} and n.scan_id = d.scan_id and n.scope = 'issue'
        and ${ignoreScope} = 'issue' and n.reason = ${ignoreReason} and n.until is not distinct from ${until}::timestamptz
      limit 1) continued on true`.execute(db)
  await sql`insert into issue_ignore (id, scan_id, scope, rule, group_id, page_key, reason, author_id, until)
    select id, scan_id, ${ignoreScope}, rule, group_id, page_key, ${ignoreReason}, ${authorId}, ${until}::timestamptz
    from ignore_made where is_new`.execute(db)
  if (ignoreScope === 'issue') return
  await sql`
    insert into chosen
    select i.id, i.scan_id, f.run_id, f.severity, f.change, ${selectIssueColumns}
    from ignore_made n join issue i on i.scan_id = n.scan_id and i.rule = n.rule
      and (n.group_id is null or i.group_id = n.group_id) and (n.page_key is null or i.page_key = n.page_key)
    join lateral (${selectNewestFinding(undefined)}) f on true
    where i.status = ${storedLiterals.status.open} and not exists (select from chosen c where c.issue_id = i.id)`.execute(db)
  await analyzeTable(db, 'chosen')
}

/** Condition for the new ignore `n` that covers a chosen issue `c`, in its scan, by scope: an exact one, which a planner can estimate. */
const isCoveredBy: Record<IgnoreScope, RawBuilder<unknown>> = {
  issue: sql`n.scan_id = c.scan_id`,
  group: sql`n.scan_id = c.scan_id and n.rule = c.rule and n.group_id = c.group_id`,
  'rule-on-page': sql`n.scan_id = c.scan_id and n.rule = c.rule and n.page_key = c.page_key`,
  rule: sql`n.scan_id = c.scan_id and n.rule = c.rule`,
}
const emptyIgnoreFragments = { id: sql`null`, join: sql``, made: sql<string[]>`'{}'` }
/** Joins each chosen issue with the new ignore that covers it; `made` selects the ids of all new ignores. */
const getIgnoreFragments = ({ status, ignore }: IssueFields) =>
  status === 'ignored'
    ? {
        id: sql`n.id`,
        join: sql`join ignore_made n on ${isCoveredBy[ignore?.scope ?? 'issue']}`,
        made: sql<string[]>`array(select id from ignore_made)`,
      }
    : emptyIgnoreFragments

/**
 * Effect of "counts as an issue" on a result. A marked needs-review result counts by its impact, and reverts when
 * unmarked; any other unmarked result gets the status none.
 */
const markingColumns = {
  true: {
    marked: sql`case when c.severity = ${storedLiterals.severity.review} then true when i.marked = false then null else i.marked end`,
    status: sql`case when i.status = ${storedLiterals.status.none} then ${storedLiterals.status.open} else i.status end`,
  },
  false: {
    marked: sql`case when i.marked then null when c.severity = ${storedLiterals.severity.review} then i.marked else false end`,
    status: sql`case when i.marked or c.severity = ${storedLiterals.severity.review} then i.status else ${storedLiterals.status.none} end`,
  },
}

/** Results that were not decided by the engine: unanswered, or answered. */
const isReviewable = sql`(c.severity = ${storedLiterals.severity.review} or i.review is not null)`
/** An ignored result stays ignored. */
const reviewStatus = (answer: ReviewAnswer | null) =>
  answer === 'not-issue'
    ? sql`case when i.status = ${storedLiterals.status.open} then ${storedLiterals.status.none} else i.status end`
    : sql`case when i.status = ${storedLiterals.status.none} then ${storedLiterals.status.open} else i.status end`
const verdicts: Readonly<Record<ReviewAnswer, RawBuilder<unknown>>> = {
  issue: sql`true`,
  'not-issue': sql`false`,
  unsure: sql`null::boolean`,
}

type Columns = Readonly<Record<string, RawBuilder<unknown>>>
/** Assignments to the issues `i` for which a condition holds; others keep their values. */
const assignWhere = (condition: RawBuilder<unknown>, columns: Columns): RawBuilder<unknown>[] =>
  Object.entries(columns).map(
    ([column, value]) => sql`${sql.ref(column)} = case when ${condition} then ${value} else ${sql.ref(`i.${column}`)} end`,
  )

/** Columns of an answer with its reason and author; null removes all of them. */
const buildAnswer = (answer: ReviewAnswer | null, reason: string | null, authorId: string): Columns => ({
  review: sql`${answer}::text`,
  review_reason: sql`${answer === null ? null : reason}::text`,
  reviewed_by: sql`${answer === null ? null : authorId}::text`,
  reviewed_at: answer === null ? sql`null` : sql`now()`,
})

/** Assignments of an answer; other results keep their values. */
function buildReviewAssignments({ fields: { review }, authorId }: IssueEdit): RawBuilder<unknown>[] {
  if (!review) return []
  const { answer, reason } = review
  return assignWhere(isReviewable, {
    ...buildAnswer(answer, reason, authorId),
    marked: answer === null ? sql`null::boolean` : verdicts[answer],
    status: reviewStatus(answer),
  })
}

/** Results whose answer a mark, or its removal, changes: marked results count as reviewed. */
const isReviewByMark = {
  true: sql`c.severity = ${storedLiterals.severity.review} and i.review is distinct from 'issue'`,
  false: sql`i.marked and i.review is not null`,
}

/** The author of the mark becomes the author of the answer. The reason of an earlier answer is removed. */
const buildMarkedReview = (isMarked: boolean, authorId: string): RawBuilder<unknown>[] =>
  assignWhere(isReviewByMark[`${isMarked}`], buildAnswer(isMarked ? 'issue' : null, null, authorId))

/** The update of the chosen issues by an edit. */
function buildEditUpdate({ fields, authorId }: IssueEdit): IssueUpdate {
  const { status, assignedTo, markAsIssue, remediationComment, ticketUrl, addLabels } = fields
  const markColumns = markAsIssue === undefined ? null : markingColumns[`${markAsIssue}`]
  const ignoreFragments = getIgnoreFragments(fields)
  const assignments = [
    ...(status ? [sql`status = ${getStatusNumber(status)}::int`, sql`ignore_id = ${ignoreFragments.id}`] : []),
    ...(!status && markColumns ? [sql`status = ${markColumns.status}`] : []),
    ...(markColumns ? [sql`marked = ${markColumns.marked}`, ...buildMarkedReview(markAsIssue!, authorId)] : []),
    ...buildReviewAssignments({ fields, authorId }),
    ...(assignedTo === undefined ? [] : [sql`assigned_to = ${assignedTo}`]),
    ...(remediationComment === undefined ? [] : [sql`remediation = ${remediationComment}`]),
    ...(ticketUrl === undefined ? [] : [sql`ticket_url = ${ticketUrl}`]),
    ...(addLabels
      ? [
          sql`labels = (select array_agg(distinct label order by label)
            from unnest(i.labels || ${addLabels}::text[]) label)`,
        ]
      : []),
  ]
  return { assignments, join: ignoreFragments.join }
}

/** The chosen issues that were not yet assigned to the new assignee, by scan. */
async function findNewAssignments(db: MonitorDb, assignee: string): Promise<NewAssignment[]> {
  const isAmongChosenScans = await buildAmongChosen(db, 'scan_id')
  const { rows: assignmentRows } = await sql<NewAssignment>`
    select i.scan_id as "scanId", count(*) as issues,
      case when count(*) = 1 then min(i.id::text) end as "issueId"
    from chosen c join issue i on i.id = c.issue_id and ${isAmongChosenScans(sql`i.scan_id`)}
    where i.assigned_to is distinct from ${assignee} group by i.scan_id`.execute(db)
  return assignmentRows
}

type BulkEdit = IssueEdit & {
  rank: number
  version?: number | undefined
  canUndo: boolean
  batch?: UndoableIssueBatch | undefined
  assignable: RawBuilder<{ scan_id: string; rank: number }> | null
}

/**
 * Changes the selected issues, in any number, with their newest findings and the counts derived from them.
 * @param trx a transaction
 * @param edit.version for a single issue: the version on which the change is based
 * @param edit.canUndo stores the previous values, so that the author can restore them
 * @param edit.batch limits the change to a part of the selection, whose previous values join those of `batch.undo`
 * @param edit.assignable scans on which the new assignee has a role; null without an assignee
 */
export async function editIssues(trx: MonitorDb, selected: SelectedIssues, edit: BulkEdit): Promise<EditResult> {
  const affectsCounts = [edit.fields.status, edit.fields.markAsIssue, edit.fields.review].some((field) => field !== undefined)
  const {
    taken: chosenCount,
    skipped: skippedCount,
    next: nextPosition,
  } = await createChosenTable(trx, selected, edit, { isLocked: affectsCounts })
  if (edit.version !== undefined) {
    const unchangedResult = await sql`select 1 from issue join chosen c on c.issue_id = issue.id
      where issue.version = ${edit.version}::int for update of issue`.execute(trx)
    if (unchangedResult.rows.length === 0) return { kind: 'edit-conflict' }
  }
  if (edit.assignable) {
    const unassignableResult = await sql`select 1 from chosen c
      where not exists (select from ${edit.assignable} v where v.scan_id = c.scan_id) limit 1`.execute(trx)
    if (unassignableResult.rows.length > 0) return { kind: 'not-assignable' }
  }
  const { assignedTo } = edit.fields
  // People are not notified of their own changes.
  const newAssignments = assignedTo && assignedTo !== edit.authorId ? await findNewAssignments(trx, assignedTo) : []
  if (edit.fields.status === 'ignored') await ignoreChosen(trx, edit, edit.batch?.undo ?? null)
  const issueUpdate = buildEditUpdate(edit)
  if (affectsCounts) await updateChosenIssues(trx, issueUpdate)
  else await buildIssueUpdate(issueUpdate, await buildAmongChosen(trx, 'scan_id')).execute(trx)
  const newIgnoreIds = getIgnoreFragments(edit.fields).made
  // Last: other batches of the change wait for this one from here on.
  const undoId =
    edit.canUndo && edit.batch?.undo !== null
      ? await storeUndo(trx, { ...edit, ignores: newIgnoreIds, undo: edit.batch?.undo })
      : null
  return { kind: 'done', changed: chosenCount, skipped: skippedCount, undo: undoId, next: nextPosition, assigned: newAssignments }
}

/** Deletes the selected issues from all runs, and updates the counts. */
export async function deleteIssues(
  db: MonitorDb,
  selected: SelectedIssues,
  range: SelectedRange,
): Promise<{ changed: number; skipped: number; next: string | null }> {
  return inTransaction(db, async (trx) => {
    const { skipped: skippedCount, next: nextPosition } = await createChosenTable(trx, selected, range, { isLocked: true })
    await sql`select 1 from issue join chosen c on c.issue_id = issue.id order by issue.id for update of issue`.execute(trx)
    await sql`create temporary table touched on commit drop as
      select f.run_id, f.page_id, count(*) filter (where ${isPresent('f')})::int as present
      from chosen c join finding f on f.issue_id = c.issue_id group by f.run_id, f.page_id`.execute(trx)
    await sql`select 1 from run where id = any(array(select distinct run_id from touched)) order by id for no key update`.execute(
      trx,
    )
    await sql`delete from finding_span s using chosen c where s.issue_id = c.issue_id`.execute(trx)
    await sql`update run set total_issues = greatest(0, total_issues - t.present)
      from (select run_id, sum(present)::int as present from touched group by run_id) t where run.id = t.run_id`.execute(trx)
    // Another call may have deleted some of them in the meantime.
    const deletion = await sql`delete from issue using chosen c where issue.id = c.issue_id`.execute(trx)
    await sql`analyze touched`.execute(trx)
    await recountTouched(trx)
    return { changed: Number(deletion.numAffectedRows ?? 0), skipped: skippedCount, next: nextPosition }
  })
}

export async function removeLabel({ db }: { db: MonitorDb }, issueId: string, label: string): Promise<void> {
  await sql`update issue set labels = array_remove(labels, ${label}), version = version + 1, ${setUpdatedNow}
    where id = ${issueId} and ${label} = any(labels)`.execute(db)
}
