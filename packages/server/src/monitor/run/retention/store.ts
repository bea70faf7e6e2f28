import { inTransaction } from '../../../kit/database.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { isEdited, openEnd, storedLiterals } from '../../issue/table.ts'
import { lockEvidenceExclusive } from '../../page/table.ts'
import { deleteUnusedVersions } from '../../page/version/table.ts'

type DatabaseDeps = { db: MonitorDb }

/** The newest page that stands for `p` in the runs that saw the finding `s`; null if none of those after the run of `p` has one. */
const selectLaterPage = sql`(select later.id from run join page later on later.run_id = run.id and later.key_hash = s.page_key
  where run.scan_id = s.scan_id and run.number between s.first_run and s.until_run and run.archived_at is null
    and run.number > (select number from run own where own.id = p.run_id) order by run.number desc limit 1)`

const lockScanOf = (runId: string) => lockEvidenceExclusive(sql<string>`(select scan_id::text from run where id = ${runId})`)

/** Lets findings that are not present refer to a later page than that of a run. */
const releasePages = (runId: string) => sql`update finding_span s set last_page_id = ${selectLaterPage} from page p
  where p.run_id = ${runId} and s.last_page_id = p.id and ${selectLaterPage} is not null`

const stepConditions = {
  contents: sql`contents_cleared_at is null and archived_at is null`,
  archive: sql`archived_at is null`,
  // A newer run may show an issue on a page of this one. The subquery is not joined, which would read the pages of all runs.
  delete: sql`not exists (select from page p join finding_span s on s.last_page_id = p.id where p.run_id = aged.id
    and ${selectLaterPage} is null offset 0)`,
}

/** Ended runs older than the given days, except the newest ones of each scan and its newest completed one. */
export async function findDueRuns(
  { db }: DatabaseDeps,
  stepName: keyof typeof stepConditions,
  options: { days: number; keepRuns: number; limit: number },
): Promise<{ id: string; scan_id: string }[]> {
  const keptRunCount = stepName === 'contents' ? 1 : options.keepRuns
  const { rows: runRows } = await sql<{ id: string; scan_id: string }>`
    -- Ordered first, so that the condition is checked only for as many runs as are returned.
    with aged as materialized (
      select id, scan_id, archived_at, contents_cleared_at from (
        select run.*, row_number() over (partition by run.scan_id order by number desc) as age, s.last_completed_run_id
        from run join scan s on s.id = run.scan_id where run.ended_at is not null) numbered
      where ended_at < now() - make_interval(days => ${options.days}::int) and age > ${keptRunCount}::int
        and id is distinct from last_completed_run_id
      order by ended_at)
    select id, scan_id from aged where ${stepConditions[stepName]} limit ${options.limit}`.execute(db)
  return runRows
}

/**
 * Removes page contents and pictures of a run; their bytes are swept when unreferenced. Pages and findings keep the hashes, which no
 * longer count: see `blankClearedContents` of the page's table, and `storedPicture` of the table.
 */
export async function clearContents({ db }: DatabaseDeps, runId: string): Promise<void> {
  await sql`update run set contents_cleared_at = now() where id = ${runId}`.execute(db)
}

/** Deletes links between pages in all but the newest runs of each scan, oldest first, `limit` runs at a time. */
export async function deleteLinks({ db }: DatabaseDeps, keptRunCount: number, limit: number): Promise<void> {
  await sql`delete from page_link where run_id in (
    select run_id from (select distinct run_id from page_link) l join run on run.id = l.run_id
      join scan s on s.id = run.scan_id
    where run.ended_at is not null and run.number <= s.run_count - ${keptRunCount}::int order by run.id limit ${limit})`.execute(
    db,
  )
}

/** Reduces a run to its counts and score. Pages on which a newer run still shows findings stay. */
export async function archiveRun({ db }: DatabaseDeps, runId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockScanOf(runId).execute(trx)
    await releasePages(runId).execute(trx)
    await sql`delete from run_page p where run_id = ${runId}
      and not exists (select from finding_span s where s.last_page_id = p.id)`.execute(trx)
    await sql`update run set archived_at = now(), contents_cleared_at = coalesce(contents_cleared_at, now()),
      rule_ids = '{}', rule_issues = '{}', open_rules = '{}',
      status = case status when 'completed' then 'archived' else status end where id = ${runId}`.execute(trx)
  })
}

export async function deleteRun({ db }: DatabaseDeps, runId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockScanOf(runId).execute(trx)
    await releasePages(runId).execute(trx)
    await trx.deleteFrom('run').where('id', '=', runId).execute()
  })
}

/** Deletes unreferenced evidence and blobs of a scan, and fixed or gone issues that no user edited. */
export async function sweepScan({ db }: DatabaseDeps, scanId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockEvidenceExclusive(scanId).execute(trx)
    await sweepLockedScan(trx, scanId)
  })
}

async function sweepLockedScan(db: MonitorDb, scanId: string): Promise<void> {
  // Findings and statuses of removed runs alone. A span that lasts includes the newest run, which stays.
  for (const table of ['finding_span', 'status_span'])
    await sql`delete from ${sql.table(table)} s where s.scan_id = ${scanId} and s.until_run < ${openEnd} and not exists (
      select from run where run.scan_id = s.scan_id and run.number between s.first_run and s.until_run and run.archived_at is null)`.execute(
      db,
    )
  await sql`delete from run_page p using run where run.id = p.run_id and run.scan_id = ${scanId} and run.archived_at is not null
    and not exists (select from finding_span s where s.last_page_id = p.id)`.execute(db)
  await deleteUnusedVersions(db, scanId)
  // Read once: the hashes that rows of the scan still refer to.
  await sql`create temporary table referenced on commit drop as
    select distinct s.evidence as hash from finding_span s where s.scan_id = ${scanId}
    union select s.picture from finding_span s where s.scan_id = ${scanId} and s.picture is not null and exists (select from run
      where run.scan_id = s.scan_id and run.number between s.first_run and s.until_run and run.contents_cleared_at is null)
    union select unnest(array_append(v.views, v.content_hash)) from page_version v where v.id in (
      select p.version_id from run r join run_page p on p.run_id = r.id where r.scan_id = ${scanId} and r.contents_cleared_at is null)`.execute(
    db,
  )
  await sql`analyze referenced`.execute(db)
  await sql`delete from issue i where i.scan_id = ${scanId} and i.presence in (${storedLiterals.presence.fixed}, ${storedLiterals.presence.gone}) and i.status <> ${storedLiterals.status.ignored}
    and not ${isEdited} and not exists (select from finding_span s where s.issue_id = i.id)`.execute(db)
  await sql`delete from evidence e where e.scan_id = ${scanId}
    and not exists (select from referenced where referenced.hash = e.hash)`.execute(db)
  await sql`delete from blob b where b.scan_id = ${scanId}
    and not exists (select from referenced where referenced.hash = b.hash)`.execute(db)
}

/** Deletes scans that were marked as deleted, one run at a time. False when nothing is left. */
export async function purgeDeletedScan({ db }: DatabaseDeps): Promise<boolean> {
  const { rows: scanRows } = await sql<{ id: string }>`
    select id from scan where deleted_at is not null and deleted_at < now() - interval '1 minute' limit 1`.execute(db)
  const deletedScan = scanRows[0]
  if (!deletedScan) return false
  const deletedRuns = await sql`delete from run where id in
    (select id from run where scan_id = ${deletedScan.id} limit 1)`.execute(db)
  if (Number(deletedRuns.numAffectedRows ?? 0) === 0) await sql`delete from scan where id = ${deletedScan.id}`.execute(db)
  return true
}
