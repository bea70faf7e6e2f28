import { type RawBuilder, sql } from 'kysely'
import { raiseWorkMemory } from '../../../kit/database.ts'
import { createId } from '../../../kit/id.ts'
import { maxBatchSize, maxNamedScans, type UndoableIssueBatch } from '@clearway/contract/monitor/issue/bulk/schema.ts'
import type { IssueFields, SettableStatus } from '@clearway/contract/monitor/issue/schema.ts'
import type { MonitorDb } from '../../database.ts'
import { analyzeTable, lockScans, restoredColumns, updateChosenIssues } from '../chosen/store.ts'
import { reopenCovered } from '../ignore/store.ts'
import { selectNewestRun } from '../span/store.ts'
import { isInForce, openEnd, storedLiterals } from '../table.ts'

/** Maximum number of issues in all undoable changes of one author; the oldest changes are given up. */
const maxStoredIssues = 1_000_000
/** Number of issues in one stored part: a JSON document of about two megabytes. */
const issuesPerPart = maxBatchSize
/** Maximum number of parts that one call restores: restoring looks up issue by issue while the user waits. */
const maxRestoredParts = 20
const undoPeriod = sql`interval '24 hours'`
const undoLockId = 7265504
const maxNamedIssues = 10
const maxListedChanges = 200

/** Deletes expired undo data, and the author's oldest beyond the maximum. */
async function deleteOldUndo(db: MonitorDb, authorId: string): Promise<void> {
  // An undo in progress would wait for the scans of this change.
  await sql`delete from issue_undo where id in (select id from issue_undo where made_at < now() - ${undoPeriod} or id in (
    select id from (select id, sum(issues) over (order by made_at desc, id desc) as total
      from issue_undo where author_id = ${authorId}) newest where total > ${maxStoredIssues}::int) for update skip locked)`.execute(
    db,
  )
}

type UndoableEdit = {
  authorId: string
  fields: IssueFields
  /** Required for restoring as well. */
  rank: number
  ignores: RawBuilder<string[]>
  /** The change that this batch continues. */
  undo: UndoableIssueBatch['undo']
}

const chosenScans = sql`array(select distinct scan_id from chosen)`

/** Creates the undo data of a change, or extends that of its previous batches. Returns null for too many issues, or none. */
async function saveUndo(db: MonitorDb, { authorId, fields, rank, ignores, undo: previousId }: UndoableEdit) {
  const { rows: undoRows } =
    previousId === undefined
      ? await sql<{ id: string }>`
          insert into issue_undo (id, author_id, rank, ignores, issues, fields, status, scans)
          select ${createId()}::uuid, ${authorId}, ${rank}::int, ${ignores}, count(*), ${Object.keys(fields)}::text[],
            ${fields.status ?? null}, ${chosenScans} from chosen
          having count(*) between 1 and ${maxStoredIssues}::int returning id`.execute(db)
      : await sql<{ id: string }>`
          update issue_undo u set issues = u.issues + c.issues, ignores = u.ignores || ${ignores},
            scans = array(select distinct unnest(u.scans || ${chosenScans}))
          from (select count(*) as issues from chosen) c
          where u.id = ${previousId}::uuid and u.author_id = ${authorId} and u.rank = ${rank}::int
            and u.fields = ${Object.keys(fields)}::text[] and u.issues + c.issues <= ${maxStoredIssues}::int
            and not exists (select from issue_undo_part p where p.undo_id = u.id and p.restored_at is not null)
          returning u.id`.execute(db)
  return undoRows[0]?.id ?? null
}

/** Stores the chosen issues as they are before a change, and deletes old undo data. Returns null for too many issues, or none. */
export async function storeUndo(db: MonitorDb, edit: UndoableEdit): Promise<string | null> {
  const undoId = await saveUndo(db, edit)
  if (undoId === null) return null
  await sql`insert into issue_undo_part (undo_id, part, place, scan_id, issue_ids, versions, before)
    select ${undoId}::uuid, part, row_number() over (partition by part), (array_agg(scan_id))[1], array_agg(id), array_agg(version),
      jsonb_strip_nulls(jsonb_build_object(${sql.join(restoredColumns.map((name) => sql`${sql.lit(name)}, ${sql.ref(name)}`))}))
    from (
      select (select coalesce(max(part) + 1, 0) from issue_undo_part where undo_id = ${undoId}::uuid)
          + (row_number() over () - 1) / ${issuesPerPart}::int as part,
        c.issue_id as id, c.scan_id, c.version + 1 as version, ${sql.join(restoredColumns.map((name) => sql.ref(`c.${name}`)))}
      from chosen c) numbered
    group by part, ${sql.join(restoredColumns.map((name) => sql.ref(name)))}`.execute(db)
  await deleteOldUndo(db, edit.authorId)
  return undoId
}

/** The issues of the parts `u`, as `b`: (id, version after, previous values). */
const joinPartIssues = sql`cross join lateral (select part_issue.id, part_issue.version, was.*
  from unnest(u.issue_ids, u.versions) part_issue (id, version), jsonb_to_record(u.before)
    as was (status int, marked boolean, assigned_to text, remediation text, ticket_url text, labels text[], ignore_id uuid,
      review text, review_reason text, reviewed_by text, reviewed_at timestamptz)) b`

type UndoRange = {
  inBatches: boolean
  /** Takes parts of the first scans, and none once one scan remains. */
  fromStart: boolean
}

/** Number of issues in the parts of a change that were not restored. */
const countRemaining = (undoId: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select coalesce(sum(cardinality(remaining.versions)), 0)::int from issue_undo_part remaining
  where remaining.undo_id = ${undoId} and remaining.restored_at is null)`

/**
 * Claims parts to restore, those of the last scans first, and waits for other claims of these. Parts of one scan: the newest first.
 * A call from the start takes what no other call claims: one from the end, which then waits for it, may claim all parts.
 */
async function claimParts(trx: MonitorDb, undoId: string, { inBatches, fromStart }: UndoRange): Promise<number[]> {
  const hasSeveralScans = sql`(select count(distinct scan_id) > 1 from issue_undo_part
    where undo_id = ${undoId}::uuid and restored_at is null)`
  const { rows: partRows } = await sql<{ part: number }>`
    select part from issue_undo_part where undo_id = ${undoId}::uuid and place = 1 and restored_at is null
      and ${fromStart ? hasSeveralScans : sql`true`}
    order by ${fromStart ? sql`scan_id` : sql`scan_id desc nulls last`}, part desc
    limit ${inBatches ? 1 : maxRestoredParts}::int for update ${fromStart ? sql`skip locked` : sql``}`.execute(trx)
  const parts = partRows.map(({ part }) => part)
  await sql`update issue_undo_part set restored_at = now() where undo_id = ${undoId}::uuid and part = any(${parts}::int[])`.execute(
    trx,
  )
  return parts
}

/**
 * Loads parts not yet restored into a table of this transaction, `undone`: (id, version after, previous values).
 * @returns their number
 */
async function loadUndone(trx: MonitorDb, undoId: string, range: UndoRange): Promise<number> {
  const parts = await claimParts(trx, undoId, range)
  await sql`create temporary table undone on commit drop as
    select distinct on (b.id) b.* from issue_undo_part u ${joinPartIssues}
    where u.undo_id = ${undoId}::uuid and u.part = any(${parts}::int[])
    order by b.id, b.version desc`.execute(trx)
  await analyzeTable(trx, 'undone')
  const { rows: countRows } = await sql<{ issues: number }>`select count(*)::int as issues from undone`.execute(trx)
  return countRows[0]!.issues
}

async function countUnrestored(trx: MonitorDb, undoId: string): Promise<number> {
  const { rows: countRows } = await sql<{ issues: number }>`select ${countRemaining(sql`${undoId}::uuid`)} as issues`.execute(trx)
  return countRows[0]!.issues
}

/**
 * Waits until no batch of the same change adds a part. A call from the start does not wait, because one from the end does, and returns
 * false then.
 */
async function lockUndo(trx: MonitorDb, undoId: string, fromStart: boolean): Promise<boolean> {
  const { rows: lockedRows } =
    await sql`select 1 from issue_undo where id = ${undoId}::uuid for update ${fromStart ? sql`skip locked` : sql``}`.execute(trx)
  return lockedRows.length > 0
}

/** Deletes the ignores that the change created, except those of single issues in use. Issues of broad ones are reopened. */
async function deleteCreatedIgnores(trx: MonitorDb, undoId: string): Promise<void> {
  await sql`delete from issue_ignore n using issue_undo u where u.id = ${undoId}::uuid and n.id = any(u.ignores)
    and n.scope = 'issue' and not exists (select from issue i where i.scan_id = n.scan_id and i.ignore_id = n.id)`.execute(trx)
  const { rows: ignoreRows } = await sql<{ id: string; scanId: string }>`
    delete from issue_ignore n using issue_undo u where u.id = ${undoId}::uuid and n.id = any(u.ignores)
    and n.scope <> 'issue' returning n.id, n.scan_id as "scanId"`.execute(trx)
  if (ignoreRows.length === 0) return
  const scanIds = ignoreRows.map(({ scanId }) => scanId)
  await lockScans(trx, sql`(select unnest(${scanIds}::uuid[]) as scan_id)`)
  await reopenCovered(trx, { scanIds, ignoreIds: ignoreRows.map(({ id }) => id) })
}

export type RestoreResult = { restored: number; left: number; named: { id: string; rule: string }[]; remaining: number }

/** Remaining assignments of the change to one person on one scan; `issueId` is set for a single issue. */
export type RemainingAssignment = { personId: string; scanId: string; issues: number; issueId: string | null }

async function findRemainingAssignments(trx: MonitorDb, undoId: string): Promise<RemainingAssignment[]> {
  const { rows: assignmentRows } = await sql<RemainingAssignment>`
    select i.assigned_to as "personId", i.scan_id as "scanId", count(*) as issues,
      case when count(*) = 1 then min(i.id::text) end as "issueId"
    from issue_undo_part u ${joinPartIssues} join issue i on i.id = b.id
    where u.undo_id = ${undoId}::uuid and i.assigned_to is not null and i.assigned_to is distinct from b.assigned_to
    group by i.assigned_to, i.scan_id`.execute(trx)
  return assignmentRows
}

type Restoration = {
  restored: RestoreResult
  /** Assignments that could not be undone; null while parts remain, and if the change assigned no one. */
  assigned: RemainingAssignment[] | null
}

/** `visibleScans` of the access store */
type VisibleScans = RawBuilder<{ scan_id: string; rank: number }>

/** Restores the issues in `undone` that did not change since, on scans where the author may. @returns their number */
async function restoreLoaded(
  trx: MonitorDb,
  { visible, maxRank, scanIds }: { visible: VisibleScans; maxRank: number; scanIds: readonly string[] },
): Promise<number> {
  await sql`select 1 from issue i join undone b on b.id = i.id order by i.id for update of i`.execute(trx)
  // Most issues were last seen by the newest run of their scan, which is read once per scan.
  await sql`create temporary table chosen on commit drop as
    with newest as materialized (
      select newest.* from unnest(${scanIds}::uuid[]) u (scan_id) cross join lateral (
        select id, scan_id, number, judged from run
        where run.scan_id = u.scan_id and archived_at is null order by number desc limit 1) newest
      where newest.judged)
    select * from (
      select i.id as issue_id, i.scan_id, s.severity, s.change, coalesce(i.marked, false) as was_marked,
        case when s.until_run = ${openEnd} and s.first_run <= newest.number then newest.id
          else (select id from ${selectNewestRun('s')} seen) end as run_id
      from undone b join issue i on i.id = b.id and i.version = b.version
      join ${visible} v on v.scan_id = i.scan_id and v.rank <= ${maxRank}::int
      join lateral (
        select * from finding_span s where s.issue_id = i.id and s.scan_id = i.scan_id order by s.until_run desc limit 1) s on true
      left join newest on newest.scan_id = i.scan_id offset 0) found
    where run_id is not null`.execute(trx)
  await analyzeTable(trx, 'chosen')
  const restoredStatus = sql`status = case
    when b.status = ${storedLiterals.status.ignored}
      and not exists (select from issue_ignore n where n.id = b.ignore_id and ${isInForce('n')})
    then ${storedLiterals.status.open} else b.status end`
  const restoredIgnore = sql`ignore_id = (select n.id from issue_ignore n where n.id = b.ignore_id)`
  const otherColumns = restoredColumns.filter((name) => name !== 'status' && name !== 'ignore_id')
  const assignments = [
    restoredStatus,
    restoredIgnore,
    ...otherColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`b.${name}`)}`),
  ]
  await updateChosenIssues(trx, { assignments, join: sql`join undone b on b.id = c.issue_id` })
  const { rows: countRows } = await sql<{ issues: number }>`select count(*) as issues from chosen`.execute(trx)
  return countRows[0]!.issues
}

/** Some of the loaded issues that were not restored. */
async function findLeft(trx: MonitorDb, visible: VisibleScans): Promise<{ id: string; rule: string }[]> {
  const { rows: namedIssues } = await sql<{ id: string; rule: string }>`
    select i.id, i.rule from undone b join issue i on i.id = b.id
    join ${visible} v on v.scan_id = i.scan_id
    where not exists (select from chosen c where c.issue_id = i.id) order by i.id limit ${maxNamedIssues}::int`.execute(trx)
  return namedIssues
}

/**
 * Restores the previous values of a bulk change, for issues unchanged since that the author may still change.
 * Calls may run at once, from the start and from the end. The one that restores the last part deletes the ignores of the change;
 * the last one from the end deletes the undo data.
 * @param undo.inBatches restores one part only
 * @returns null when the caller has no undo data with this id
 */
export async function restoreIssues(
  trx: MonitorDb,
  undo: UndoRange & { id: string; authorId: string; visible: VisibleScans },
): Promise<Restoration | null> {
  // One call from each end.
  await sql`select pg_advisory_xact_lock(${sql.lit(undoLockId)}, hashtext(${`${undo.id} ${undo.fromStart}`}))`.execute(trx)
  const undoResult = await sql<{ rank: number; hasAssigned: boolean }>`
    select rank, cardinality(fields) = 0 or 'assignedTo' = any(fields) as "hasAssigned" from issue_undo
    where id = ${undo.id}::uuid and author_id = ${undo.authorId}
      and made_at > now() - ${undoPeriod} for key share`.execute(trx)
  const [undoRow] = undoResult.rows
  if (!undoRow) return null
  // Sorts and hashes of all issues of the parts.
  await raiseWorkMemory(trx, 32)
  const loadedCount = await loadUndone(trx, undo.id, undo)
  const scanIds = await lockScans(trx, sql`(select i.scan_id from undone b join issue i on i.id = b.id)`)
  const restoredCount = await restoreLoaded(trx, { visible: undo.visible, maxRank: undoRow.rank, scanIds })
  let remainingCount = await countUnrestored(trx, undo.id)
  const isLast = remainingCount === 0 && (await lockUndo(trx, undo.id, undo.fromStart))
  if (isLast) remainingCount = await countUnrestored(trx, undo.id)
  const isComplete = isLast && remainingCount === 0
  const leftCount = loadedCount - restoredCount
  const namedIssues = leftCount > 0 ? await findLeft(trx, undo.visible) : []
  // Replaces the table `chosen`.
  if (isComplete) await deleteCreatedIgnores(trx, undo.id)
  const remainingAssignments = isComplete && undoRow.hasAssigned ? await findRemainingAssignments(trx, undo.id) : null
  // The next call from the end finds the change, and that nothing remains.
  if (isComplete && !undo.fromStart) await sql`delete from issue_undo where id = ${undo.id}::uuid`.execute(trx)
  return {
    restored: { restored: restoredCount, left: leftCount, named: namedIssues, remaining: remainingCount },
    assigned: remainingAssignments,
  }
}

/** Undoable changes of the author, the newest first. Names scans that the author can still see. */
export async function listUndoable(db: MonitorDb, { authorId, visible }: { authorId: string; visible: VisibleScans }) {
  const { rows: changeRows } = await sql<{
    undo: string
    madeAt: Date
    issues: number
    fields: string[]
    status: SettableStatus | null
    scans: number
    scanNames: string[]
  }>`
    select u.id as undo, u.made_at as "madeAt", u.fields, u.status, cardinality(u.scans) as scans,
      ${countRemaining(sql`u.id`)} as issues,
      array(select scan.name from scan join ${visible} v on v.scan_id = scan.id where scan.id = any(u.scans)
        order by scan.name limit ${maxNamedScans}::int) as "scanNames"
    from issue_undo u where u.author_id = ${authorId} and u.made_at > now() - ${undoPeriod}
      and exists (select from issue_undo_part p where p.undo_id = u.id and p.restored_at is null)
    order by u.made_at desc, u.id desc limit ${maxListedChanges}::int`.execute(db)
  return changeRows.map(({ madeAt, ...row }) => ({ ...row, madeAt: madeAt.toISOString() }))
}
