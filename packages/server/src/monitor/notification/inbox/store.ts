import { type RawBuilder, sql } from 'kysely'
import { mostCounted } from '@clearway/contract/monitor/notification/inbox/schema.ts'
import { newId } from '../../../kit/id.ts'
import { limits } from '../../../kit/paging.ts'
import { buildPersonName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { inboxKind } from '../table.ts'

/** For how long an entry is kept, read or not. */
const keptDays = 90

type NewEntry = { scanId: string; people: readonly string[]; actorId: string | null } & (
  | { kind: 'assigned'; issueId: string | null; issues: number; undoId: string | null }
  | { kind: 'mentioned'; issueId: string; commentId: string }
)

/** Notifies people of something, in the transaction that makes it so. */
export async function insertEntries(db: MonitorDb, entry: NewEntry): Promise<void> {
  if (entry.people.length === 0) return
  const { kind, scanId, issueId, actorId } = entry
  const what =
    kind === 'assigned'
      ? { issues: entry.issues, undo_id: entry.undoId, comment_id: null }
      : { issues: undefined, comment_id: entry.commentId, undo_id: null }
  // Assigned again, the newest says it all; entries of other issues, which are still theirs, stay.
  const before =
    issueId === null
      ? sql`scan_id = ${scanId} and issue_id is null and actor_id is not distinct from ${actorId} and read_at is null
          and not exists (select from issue o where o.assigned_to = inbox_entry.person_id and o.scan_id = ${scanId}
            offset ${what.issues ?? 0})`
      : sql`issue_id = ${issueId}`
  if (kind === 'assigned')
    await sql`delete from inbox_entry where ${before} and kind = ${inboxKind.assigned}
      and person_id = any(${[...entry.people]}::text[])`.execute(db)
  await db
    .insertInto('inbox_entry')
    .values(
      entry.people.map((person) => ({
        id: newId(),
        person_id: person,
        kind: inboxKind[kind],
        scan_id: scanId,
        issue_id: issueId,
        actor_id: actorId,
        ...what,
      })),
    )
    .execute()
}

/** Takes back the entries of a change of many issues, but for what of it could not be restored and is still assigned. */
export async function takeBackEntries(
  db: MonitorDb,
  undoId: string,
  left: readonly { personId: string; scanId: string; issues: number; issueId: string | null }[],
): Promise<void> {
  await sql`update inbox_entry e set issues = l.issues, issue_id = l."issueId"
    from jsonb_to_recordset(${JSON.stringify(left)}::jsonb)
      as l ("personId" text, "scanId" uuid, issues int, "issueId" uuid)
    where e.undo_id = ${undoId} and e.person_id = l."personId" and e.scan_id = l."scanId"`.execute(db)
  const people = left.map(({ personId }) => personId)
  const scans = left.map(({ scanId }) => scanId)
  await sql`delete from inbox_entry where undo_id = ${undoId} and (person_id, scan_id) not in
    (select * from unnest(${people}::text[], ${scans}::uuid[]))`.execute(db)
}

/** Takes back a mention of those whom the comment does not mention any more. */
export async function deleteMentions(
  db: MonitorDb,
  commentId: string,
  mentioned: readonly string[],
): Promise<void> {
  await sql`delete from inbox_entry where comment_id = ${commentId}
    and person_id <> all(${[...mentioned]}::text[])`.execute(db)
}

/**
 * Notifies whose scan it is that a run ended: those who want its mails, and those who are its admins in person. The
 * entry of the run before is removed, so that a scan has one, of its latest run: a late one says nothing any more.
 * @param trx a transaction
 */
export async function insertRunEntries(
  trx: MonitorDb,
  run: { scanId: string; number: number },
): Promise<void> {
  // Two runs that end at once would not see each other's entry.
  await sql`select 1 from scan where id = ${run.scanId} for no key update`.execute(trx)
  const ofRuns = sql`scan_id = ${run.scanId} and kind = ${inboxKind.run}`
  await sql`delete from inbox_entry where ${ofRuns} and run_number <= ${run.number}::int`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    select p.id from person p where p.deactivated_at is null and p.id in (
      select person_id from subscriber where scan_id = ${run.scanId}
      union select person_id from scan_access where scan_id = ${run.scanId} and role = 'scanAdmin')
    and not exists (select from inbox_entry where ${ofRuns})`.execute(trx)
  if (rows.length === 0) return
  await trx
    .insertInto('inbox_entry')
    .values(
      rows.map(({ id }) => ({
        id: newId(),
        person_id: id,
        kind: inboxKind.run,
        scan_id: run.scanId,
        run_number: run.number,
      })),
    )
    .execute()
}

/** What a reader may see now, as (scan_id, rank), and up to which rank issues are talked about. */
export type Reader = { id: string; visible: RawBuilder<{ scan_id: string; rank: number }>; discusses: number }

/**
 * Whether an issue of its scan is assigned to the reader of the entry `e`: then it is the first at or after both in their
 * index. Asked whether one exists, the planner may read all issues: where many are the reader's, it takes one to be among the first.
 */
const hasAssigned = sql`(select (o.assigned_to, o.scan_id) = (e.person_id, e.scan_id) from issue o
  where o.assigned_to is not null and (o.assigned_to, o.scan_id) >= (e.person_id, e.scan_id)
  order by o.assigned_to, o.scan_id limit 1)`

/** The entries of a reader that still hold, as `e`: seen with today's rights, assigned to nobody else since, of a run that is there. */
const entriesOf = ({ id, visible, discusses }: Reader) => sql`
  from inbox_entry e join ${visible} v on v.scan_id = e.scan_id left join issue i on i.id = e.issue_id
  where e.person_id = ${id} and (e.kind = ${inboxKind.run} or v.rank <= ${discusses}::int)
    and (e.kind <> ${inboxKind.assigned} or i.assigned_to = e.person_id
      or (e.issue_id is null and ${hasAssigned}))
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
}

/** One page of an inbox, newest first. */
export async function listEntries(
  db: MonitorDb,
  reader: Reader,
  query: { page: number; size: number; unread?: boolean | undefined },
): Promise<{ rows: EntryRow[]; total: number }> {
  const entries = sql`${entriesOf(reader)} ${query.unread === undefined ? sql`` : sql`and (e.read_at is null) = ${query.unread}`}`
  const { rows } = await sql<EntryRow>`
    select e.*, s.name as scan_name, ${buildPersonName('a')} as actor, run.status,
      (select rule.help from rule where rule.name = e.rule order by rule.id desc limit 1) as help
    from (select e.id, e.kind, e.at, e.read_at is not null as read, e.scan_id, e.actor_id, e.issue_id, i.rule, e.issues,
        e.run_number ${entries} order by e.id desc ${limits(query)}) e
    join scan s on s.id = e.scan_id left join person a on a.id = e.actor_id
    left join run on run.scan_id = e.scan_id and run.number = e.run_number order by e.id desc`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total ${entries}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}

export async function countUnread(db: MonitorDb, reader: Reader): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select count(*) as unread from (
    select ${entriesOf(reader)} and e.read_at is null limit ${mostCounted}) e`.execute(db)
  return rows[0]!.unread
}

/** Marks entries of a person as read: those named, or all up to one. */
export async function markRead(
  db: MonitorDb,
  personId: string,
  which: { ids: readonly string[] } | { until: string },
): Promise<void> {
  const these = 'ids' in which ? sql`id = any(${[...which.ids]}::uuid[])` : sql`id <= ${which.until}::uuid`
  await sql`update inbox_entry set read_at = now()
    where person_id = ${personId} and read_at is null and ${these}`.execute(db)
}

export async function deleteOldEntries(db: MonitorDb): Promise<void> {
  await sql`delete from inbox_entry where at < now() - make_interval(days => ${keptDays})`.execute(db)
}
