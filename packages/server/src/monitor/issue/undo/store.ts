import { type RawBuilder, sql } from 'kysely'
import { createId } from '../../../kit/id.ts'
import type { MonitorDb } from '../../database.ts'
import { updateChosenFindings, selectNewestFinding } from '../chosen/store.ts'
import { reopenCovered } from '../ignore/store.ts'
import { storedLiterals } from '../table.ts'

/** Maximum size of an undoable change: restoring looks up issue by issue while the user waits. */
const maxUndoableIssues = 200_000
/** Maximum number of issues in all undoable changes of one author; the oldest changes are given up. */
const maxStoredIssues = 1_000_000
/** Number of issues in one stored part: a JSON document of about two megabytes. */
const issuesPerPart = 10_000
/** Time during which a change can be undone. */
const undoPeriod = sql`interval '24 hours'`
/** Maximum number of unrestored issues to list. */
const maxNamedIssues = 10

/** Deletes expired undo data, and the author's oldest beyond the maximum. */
async function deleteOldUndo(db: MonitorDb, authorId: string): Promise<void> {
  await sql`delete from issue_undo where made_at < now() - ${undoPeriod} or id in (
    select id from (select id, sum(issues) over (order by made_at desc, id desc) as total
      from issue_undo where author_id = ${authorId}) newest where total > ${maxStoredIssues}::int)`.execute(db)
}

/**
 * Stores the chosen issues as they are before a change, and deletes old undo data.
 * @param edit.rank required for restoring as well
 * @param edit.ignores SQL array of the ids of ignores that the change created
 * @returns null for too many issues, or none
 */
export async function storeUndo(
  db: MonitorDb,
  edit: { authorId: string; rank: number; ignores: RawBuilder<string[]> },
): Promise<string | null> {
  const { rows: undoRows } = await sql<{ id: string }>`
    insert into issue_undo (id, author_id, rank, ignores, issues)
    select ${createId()}::uuid, ${edit.authorId}, ${edit.rank}::int, ${edit.ignores}, count(*) from chosen
    having count(*) between 1 and ${maxUndoableIssues}::int returning id`.execute(db)
  const undoId = undoRows[0]?.id ?? null
  if (undoId === null) return null
  await sql`insert into issue_undo_part (undo_id, part, before)
    select ${undoId}::uuid, part, jsonb_agg(value) from (
      select (row_number() over (order by i.id) - 1) / ${issuesPerPart}::int as part,
        jsonb_build_object('id', i.id, 'version', i.version + 1, 'status', i.status, 'marked', i.marked,
          'assigned_to', i.assigned_to, 'remediation', i.remediation, 'ticket_url', i.ticket_url, 'labels', i.labels,
          'ignore_id', i.ignore_id) as value
      from chosen c join issue i on i.id = c.issue_id) numbered
    group by part`.execute(db)
  await deleteOldUndo(db, edit.authorId)
  return undoId
}

/** Loads undo data into a table of this transaction, `undone`: (id, version after the change, previous values). */
async function loadUndone(trx: MonitorDb, undoId: string): Promise<void> {
  await sql`create temporary table undone on commit drop as
    select b.* from issue_undo_part u cross join lateral jsonb_to_recordset(u.before) as b
    (id uuid, version int, status int, marked boolean, assigned_to text, remediation text, ticket_url text, labels text[], ignore_id uuid)
    where u.undo_id = ${undoId}::uuid`.execute(trx)
  await sql`create unique index on undone (id)`.execute(trx)
  await sql`analyze undone`.execute(trx)
}

/**
 * Deletes the ignores that the change created, except those of single issues that are still in use. Broader ignores would
 * continue to cover new findings; issues that they covered since are reopened.
 */
async function deleteCreatedIgnores(trx: MonitorDb, undoId: string): Promise<void> {
  await sql`delete from issue_ignore n using issue_undo u where u.id = ${undoId}::uuid and n.id = any(u.ignores)
    and n.scope = 'issue' and not exists (select from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id)`.execute(trx)
  const { rows: ignoreRows } = await sql<{ id: string; scan_id: string }>`
    delete from issue_ignore n using issue_undo u where u.id = ${undoId}::uuid and n.id = any(u.ignores)
    and n.scope <> 'issue' returning n.id, n.scan_id`.execute(trx)
  if (ignoreRows.length > 0) await reopenCovered(trx, ignoreRows)
}

export type RestoreResult = { restored: number; left: number; named: { id: string; rule: string }[] }

/** Remaining assignments of the change to one person on one scan; `issueId` is set for a single issue. */
export type RemainingAssignment = { personId: string; scanId: string; issues: number; issueId: string | null }

async function findRemainingAssignments(trx: MonitorDb): Promise<RemainingAssignment[]> {
  const { rows: assignmentRows } = await sql<RemainingAssignment>`
    select i.assigned_to as "personId", i.scan_id as "scanId", count(*) as issues,
      case when count(*) = 1 then min(i.id::text) end as "issueId"
    from undone b join issue i on i.id = b.id
    where i.assigned_to is not null and i.assigned_to is distinct from b.assigned_to
      and not exists (select from chosen c where c.issue_id = i.id)
    group by i.assigned_to, i.scan_id`.execute(trx)
  return assignmentRows
}

/**
 * Restores the previous values of a bulk change, for issues unchanged since that the author may still change.
 * @param trx a transaction
 * @param undo.visible `visibleScans` of the access store
 * @returns null when the caller has no undo data with this id
 */
export async function restoreIssues(
  trx: MonitorDb,
  undo: { id: string; authorId: string; visible: RawBuilder<{ scan_id: string; rank: number }> },
): Promise<{ restored: RestoreResult; assigned: RemainingAssignment[] } | null> {
  const undoResult = await sql<{ rank: number; issues: number }>`
    select rank, issues from issue_undo
    where id = ${undo.id}::uuid and author_id = ${undo.authorId}
      and made_at > now() - ${undoPeriod} for update`.execute(trx)
  const [undoRow] = undoResult.rows
  if (!undoRow) return null
  await loadUndone(trx, undo.id)
  await sql`select 1 from issue i join undone b on b.id = i.id order by i.id for update of i`.execute(trx)
  await sql`create temporary table chosen on commit drop as
    select i.id as issue_id, i.scan_id, f.run_id, f.page_id, f.severity, coalesce(i.marked, false) as was_marked
    from undone b join issue i on i.id = b.id and i.version = b.version
    join ${undo.visible} v on v.scan_id = i.scan_id and v.rank <= ${undoRow.rank}::int
    join lateral (${selectNewestFinding(undefined)}) f on true`.execute(trx)
  await sql`create unique index on chosen (issue_id)`.execute(trx)
  await sql`analyze chosen`.execute(trx)
  const updateResult = await sql`update issue i set version = i.version + 1, status = case
        when b.status = ${storedLiterals.status.ignored} and not exists (select from issue_ignore n where n.id = b.ignore_id)
        then ${storedLiterals.status.open} else b.status end, marked = b.marked,
      assigned_to = b.assigned_to, remediation = b.remediation, ticket_url = b.ticket_url, labels = b.labels,
      ignore_id = (select n.id from issue_ignore n where n.id = b.ignore_id)
    from chosen c join undone b on b.id = c.issue_id where i.id = c.issue_id`.execute(trx)
  await updateChosenFindings(trx)
  await deleteCreatedIgnores(trx, undo.id)
  const { rows: namedIssues } = await sql<{ id: string; rule: string }>`
    select i.id, i.rule from undone b join issue i on i.id = b.id
    join ${undo.visible} v on v.scan_id = i.scan_id
    where not exists (select from chosen c where c.issue_id = i.id) order by i.id limit ${maxNamedIssues}::int`.execute(trx)
  const remainingAssignments = await findRemainingAssignments(trx)
  await sql`delete from issue_undo where id = ${undo.id}::uuid`.execute(trx)
  const restoredCount = Number(updateResult.numAffectedRows ?? 0)
  return {
    restored: { restored: restoredCount, left: undoRow.issues - restoredCount, named: namedIssues },
    assigned: remainingAssignments,
  }
}
