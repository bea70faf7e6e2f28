import { inTransaction } from '../../../kit/database.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { storedLiterals } from '../../issue/table.ts'
import { clearsEvidence } from '../../page/table.ts'

type Db = { db: MonitorDb }

const which = {
  contents: sql`contents_cleared_at is null and archived_at is null`,
  archive: sql`archived_at is null`,
  // What a newer run still shows of an issue may be on a page of this one.
  delete: sql`not exists (select from page p join finding f on f.page_id = p.id and f.run_id <> p.run_id
    where p.run_id = aged.id)`,
}

/** Ended runs that are older than some days; of each scan not the newest ones, and never the newest completed. */
export async function dueRuns(
  { db }: Db,
  what: keyof typeof which,
  options: { days: number; keepRuns: number; limit: number },
): Promise<{ id: string; scan_id: string }[]> {
  const kept = what === 'contents' ? 1 : options.keepRuns
  const { rows } = await sql<{ id: string; scan_id: string }>`
    select id, scan_id from (
      select run.*, row_number() over (partition by run.scan_id order by number desc) as age, s.last_completed_run_id
      from run join scan s on s.id = run.scan_id where run.ended_at is not null) aged
    where ended_at < now() - make_interval(days => ${options.days}::int) and age > ${kept}::int
      and id is distinct from last_completed_run_id and ${which[what]}
    order by ended_at limit ${options.limit}`.execute(db)
  return rows
}

/** Forgets what a run's pages said and how elements looked; the bytes are removed when nobody else has them. */
export async function clearContents({ db }: Db, runId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`update page set content_hash = null, views = '{}'
      where run_id = ${runId} and (content_hash is not null or views <> '{}')`.execute(trx)
    await sql`update finding set picture = null, picture_box = null
      where run_id = ${runId} and picture is not null`.execute(trx)
    await sql`update run set contents_cleared_at = now() where id = ${runId}`.execute(trx)
  })
}

/** Forgets who links to whom in all but the newest runs of each scan, the oldest first; a piece at a time. */
export async function dropLinks({ db }: Db, keep: number, limit: number): Promise<void> {
  await sql`delete from page_link where run_id in (
    select run_id from (select distinct run_id from page_link) l join run on run.id = l.run_id
      join scan s on s.id = run.scan_id
    where run.ended_at is not null and run.number <= s.run_count - ${keep}::int order by run.id limit ${limit})`.execute(
    db,
  )
}

/** Leaves of a run its counts and score. A page on which a newer run still shows something stays. */
export async function archiveRun({ db }: Db, runId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`delete from finding where run_id = ${runId}`.execute(trx)
    await sql`delete from page p where run_id = ${runId}
      and not exists (select from finding f where f.page_id = p.id)`.execute(trx)
    await sql`update run set archived_at = now(), contents_cleared_at = coalesce(contents_cleared_at, now()),
      status = case status when 'completed' then 'archived' else status end where id = ${runId}`.execute(trx)
  })
}

export async function deleteRun({ db }: Db, runId: string): Promise<void> {
  await db.deleteFrom('run').where('id', '=', runId).execute()
}

/** Drops texts, pictures and contents of a scan that nothing shows any more, and gone issues that nobody wrote on. */
export async function sweepScan({ db }: Db, scanId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await clearsEvidence(scanId).execute(trx)
    await sweepAlone(trx, scanId)
  })
}

async function sweepAlone(db: MonitorDb, scanId: string): Promise<void> {
  const findings = sql`(select f.* from run r join finding f on f.run_id = r.id where r.scan_id = ${scanId})`
  await sql`delete from issue i where i.scan_id = ${scanId} and i.presence in (${storedLiterals.presence.fixed}, ${storedLiterals.presence.gone}) and i.status <> ${storedLiterals.status.ignored}
    and i.labels = '{}' and i.assigned_to is null and i.remediation is null and i.ticket_url is null
    and not exists (select from finding f where f.issue_id = i.id)
    and not exists (select from issue_comment c where c.issue_id = i.id)`.execute(db)
  await sql`delete from evidence e where e.scan_id = ${scanId}
    and not exists (select from ${findings} f where f.evidence = e.hash)`.execute(db)
  await sql`delete from blob b where b.scan_id = ${scanId}
    and not exists (select from ${findings} f where f.picture = b.hash)
    and not exists (select from page p where p.scan_id = ${scanId} and p.content_hash = b.hash)
    and not exists (select from (select unnest(views) as hash from page where scan_id = ${scanId}) v
      where v.hash = b.hash)`.execute(db)
}

/** Clears away deleted scans that no worker works on, a run at a time. False when nothing is left to clear. */
export async function purgeSome({ db }: Db): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from scan where deleted_at is not null and deleted_at < now() - interval '1 minute' limit 1`.execute(
    db,
  )
  const scan = rows[0]
  if (!scan) return false
  const gone = await sql`delete from run where id in
    (select id from run where scan_id = ${scan.id} limit 1)`.execute(db)
  if (Number(gone.numAffectedRows ?? 0) === 0) await sql`delete from scan where id = ${scan.id}`.execute(db)
  return true
}
