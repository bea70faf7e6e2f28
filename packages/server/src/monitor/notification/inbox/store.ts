import { type RawBuilder, sql } from 'kysely'
import { maxUnreadCount } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { createId } from '../../../kit/id.ts'
import { buildLimitClause } from '../../../kit/paging.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { inboxKind } from '../table.ts'

/** Retention of entries, whether read or not. */
const entryRetentionDays = 90

type NewInboxEntry = { scanId: string; people: readonly string[]; actorId: string | null } & (
  | { kind: 'assigned'; issueId: string | null; issues: number; undoId: string | null }
  | { kind: 'mentioned'; issueId: string; commentId: string }
)

type AssignedEntry = Extract<NewInboxEntry, { kind: 'assigned' }>

/** Adds the issues of a further batch to the entries of a bulk change. Returns false if it is the first batch. */
async function extendEntries(db: MonitorDb, { undoId, scanId, people: personIds, issues }: AssignedEntry): Promise<boolean> {
  if (undoId === null) return false
  const updateResult = await sql`update inbox_entry set issues = issues + ${issues}::int, issue_id = null
    where undo_id = ${undoId}::uuid and scan_id = ${scanId} and person_id = any(${[...personIds]}::text[])`.execute(db)
  return Number(updateResult.numAffectedRows ?? 0) > 0
}

/** Notifies people of an event, in the transaction of that event. */
export async function insertEntries(db: MonitorDb, entry: NewInboxEntry): Promise<void> {
  if (entry.people.length === 0) return
  const { kind: entryKind, scanId, issueId, actorId } = entry
  const kindColumns =
    entryKind === 'assigned'
      ? { issues: entry.issues, undo_id: entry.undoId, comment_id: null }
      : { issues: undefined, comment_id: entry.commentId, undo_id: null }
  // A repeated assignment replaces the previous entry; entries of other assigned issues stay.
  const isReplaced =
    issueId === null
      ? sql`scan_id = ${scanId} and issue_id is null and actor_id is not distinct from ${actorId} and read_at is null
          and not exists (select from issue o where o.assigned_to = inbox_entry.person_id and o.scan_id = ${scanId}
            offset ${kindColumns.issues ?? 0})`
      : sql`issue_id = ${issueId}`
  if (entryKind === 'assigned' && (await extendEntries(db, entry))) return
  if (entryKind === 'assigned')
    await sql`delete from inbox_entry where ${isReplaced} and kind = ${inboxKind.assigned}
      and person_id = any(${[...entry.people]}::text[])`.execute(db)
  await db
    .insertInto('inbox_entry')
    .values(
      entry.people.map((person) => ({
        id: createId(),
        person_id: person,
        kind: inboxKind[entryKind],
        scan_id: scanId,
        issue_id: issueId,
        actor_id: actorId,
        ...kindColumns,
      })),
    )
    .execute()
}

/** Deletes the entries of an undone bulk change, except for issues that could not be restored and are still assigned. */
export async function revertEntries(
  db: MonitorDb,
  undoId: string,
  remaining: readonly { personId: string; scanId: string; issues: number; issueId: string | null }[],
): Promise<void> {
  await sql`update inbox_entry e set issues = l.issues, issue_id = l."issueId"
    from jsonb_to_recordset(${JSON.stringify(remaining)}::jsonb)
      as l ("personId" text, "scanId" uuid, issues int, "issueId" uuid)
    where e.undo_id = ${undoId} and e.person_id = l."personId" and e.scan_id = l."scanId"`.execute(db)
  const personIds = remaining.map(({ personId }) => personId)
  const scanIds = remaining.map(({ scanId }) => scanId)
  await sql`delete from inbox_entry where undo_id = ${undoId} and (person_id, scan_id) not in
    (select * from unnest(${personIds}::text[], ${scanIds}::uuid[]))`.execute(db)
}

export async function deleteMentions(db: MonitorDb, commentId: string, mentionedIds: readonly string[]): Promise<void> {
  await sql`delete from inbox_entry where comment_id = ${commentId}
    and person_id <> all(${[...mentionedIds]}::text[])`.execute(db)
}

/**
 * Notifies subscribers and direct admins of a scan that a run ended, by one entry for its latest run; older runs create none.
 * A failed run replaces only entries of failed runs, so that it does not hide the newest result.
 */
export async function insertRunEntries(trx: MonitorDb, run: { scanId: string; number: number }): Promise<void> {
  // Otherwise two concurrent ends would not see each other's entry.
  await sql`select 1 from scan where id = ${run.scanId} for no key update`.execute(trx)
  const isRunEntry = sql`scan_id = ${run.scanId} and kind = ${inboxKind.run}`
  await sql`delete from inbox_entry e where ${isRunEntry} and run_number <= ${run.number}::int and not exists (
    select from run result, run ended where result.scan_id = e.scan_id and result.number = e.run_number
    and ended.scan_id = e.scan_id and ended.number = ${run.number}::int
    and result.status <> 'failed' and ended.status = 'failed')`.execute(trx)
  const { rows: personRows } = await sql<{ id: string }>`
    select p.id from person p where p.deactivated_at is null and p.id in (
      select person_id from subscriber where scan_id = ${run.scanId}
      union select person_id from scan_access where scan_id = ${run.scanId} and role = 'scanAdmin')
    and not exists (select from inbox_entry where ${isRunEntry} and run_number > ${run.number}::int)`.execute(trx)
  if (personRows.length === 0) return
  await trx
    .insertInto('inbox_entry')
    .values(
      personRows.map(({ id }) => ({
        id: createId(),
        person_id: id,
        kind: inboxKind.run,
        scan_id: run.scanId,
        run_number: run.number,
      })),
    )
    .execute()
}

/** The scans that a reader may currently see, as (scan_id, rank), and the maximum rank for discussing issues. */
export type Reader = { id: string; visible: RawBuilder<{ scan_id: string; rank: number }>; discusses: number }

/**
 * Checks whether an issue of the scan is assigned to the reader of the entry `e`, by comparing the next row in the index. For
 * `exists`, the planner may read all issues: if many are assigned to the reader, it expects a match among the first rows.
 */
const hasAssignedIssue = sql`(select (o.assigned_to, o.scan_id) = (e.person_id, e.scan_id) from issue o
  where o.assigned_to is not null and (o.assigned_to, o.scan_id) >= (e.person_id, e.scan_id)
  order by o.assigned_to, o.scan_id limit 1)`

/** A reader's valid entries, as `e`: visible with current permissions, not reassigned since, and of an existing run. */
const selectEntries = ({ id, visible, discusses }: Reader) => sql`
  from inbox_entry e join ${visible} v on v.scan_id = e.scan_id left join issue i on i.id = e.issue_id
  where e.person_id = ${id} and (e.kind = ${inboxKind.run} or v.rank <= ${discusses}::int)
    and (e.kind <> ${inboxKind.assigned} or i.assigned_to = e.person_id
      or (e.issue_id is null and ${hasAssignedIssue}))
    and (e.kind <> ${inboxKind.run}
      or exists (select from run r where r.scan_id = e.scan_id and r.number = e.run_number))`

export type EntryRow = {
  id: string
  kind: number
  at: Date
  read: boolean
  scan_id: string
  scan_name: string
  actor_id: string | null
  actor: string | null
  issue_id: string | null
  rule: string | null
  help: string | null
  issues: number
  run_number: number | null
  status: 'completed' | 'failed' | 'cancelled' | null
  score: number | null
  change: unknown
}

export async function listEntries(
  db: MonitorDb,
  reader: Reader,
  query: { page: number; size: number; unread?: boolean | undefined },
): Promise<{ rows: EntryRow[]; total: number }> {
  const entriesFromClause = sql`${selectEntries(reader)} ${query.unread === undefined ? sql`` : sql`and (e.read_at is null) = ${query.unread}`}`
  const { rows: entryRows } = await sql<EntryRow>`
    select e.*, s.name as scan_name, ${buildPersonName('a')} as actor, run.status, run.score, plan.change,
      (select rule.help from rule where rule.name = e.rule order by rule.id desc limit 1) as help
    from (select e.id, e.kind, e.at, e.read_at is not null as read, e.scan_id, e.actor_id, e.issue_id, i.rule, e.issues,
        e.run_number ${entriesFromClause} order by e.id desc ${buildLimitClause(query)}) e
    join scan s on s.id = e.scan_id left join person a on a.id = e.actor_id
    left join run on run.scan_id = e.scan_id and run.number = e.run_number
    left join run_plan plan on plan.run_id = run.id order by e.id desc`.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total ${entriesFromClause}`.execute(db)
  return { rows: entryRows, total: countResult.rows[0]!.total }
}

export async function countUnread(db: MonitorDb, reader: Reader): Promise<number> {
  const { rows: countRows } = await sql<{ unread: number }>`select count(*) as unread from (
    select ${selectEntries(reader)} and e.read_at is null limit ${maxUnreadCount}) e`.execute(db)
  return countRows[0]!.unread
}

/** Marks entries of a person as read: the given ones, or all up to one. */
export async function markRead(
  db: MonitorDb,
  personId: string,
  selection: { ids: readonly string[] } | { until: string },
): Promise<void> {
  const isSelected = 'ids' in selection ? sql`id = any(${[...selection.ids]}::uuid[])` : sql`id <= ${selection.until}::uuid`
  await sql`update inbox_entry set read_at = now()
    where person_id = ${personId} and read_at is null and ${isSelected}`.execute(db)
}

export async function deleteOldInboxEntries({ db }: { db: MonitorDb }): Promise<void> {
  await sql`delete from inbox_entry where at < now() - make_interval(days => ${entryRetentionDays})`.execute(db)
}
