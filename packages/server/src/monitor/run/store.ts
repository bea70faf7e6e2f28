import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { axeVersions, type RuleSet } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import { isTaken } from '../../kit/database.ts'
import { hashOf } from '../../kit/hash.ts'
import { newId } from '../../kit/id.ts'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from './table.ts'

type Db = { db: MonitorDb }

/** Two runs with equal fingerprints applied the same rules, so their results compare. */
const ruleSetHash = (ruleSet: RuleSet): string =>
  hashOf(
    axeVersions[ruleSet.axeVersion],
    ruleSet.standard,
    String(ruleSet.bestPractices),
    String(ruleSet.experimental),
  ).toString('hex')

/** Queues a run of a scan by its settings of now. One at a time: the scan's row is locked. */
export async function insertRun({ db }: Db, scanId: string): Promise<RunRow | 'run-active' | 'not-found'> {
  try {
    return await db.transaction().execute((trx) => insertRunWithin(trx, scanId, null))
  } catch (error) {
    if (isTaken(error, 'run_scan_id_number_key')) return 'run-active'
    throw error
  }
}

/** As `insertRun`, in a transaction of the caller's. @param timeoutMs ends the run, where the scan itself says nothing shorter */
export async function insertRunWithin(
  trx: MonitorDb,
  scanId: string,
  timeoutMs: number | null,
): Promise<RunRow | 'run-active' | 'not-found'> {
  const scan = await trx
    .selectFrom('scan')
    .selectAll()
    .where('id', '=', scanId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!scan) return 'not-found'
  const active = sql`select 1 from run where scan_id = ${scanId} and ended_at is null`
  if ((await active.execute(trx)).rows.length > 0) return 'run-active'
  const { advanced } = scan.settings
  const limits = [advanced.runTimeoutMs, timeoutMs].filter((limit) => limit !== null)
  const runTimeoutMs = limits.length > 0 ? Math.min(...limits) : null
  const settings = { ...scan.settings, advanced: { ...advanced, runTimeoutMs } }
  const number = scan.run_count + 1
  const id = newId()
  const run = await trx
    .insertInto('run')
    .values({ id, scan_id: scanId, number, status: 'queued', priority: scan.priority })
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('run_plan')
    .values({
      run_id: id,
      scan_name: scan.name,
      settings: JSON.stringify(settings),
      rule_set_hash: ruleSetHash(settings.ruleSet),
      axe_release: axeVersions[settings.ruleSet.axeVersion],
    })
    .execute()
  await trx.updateTable('scan').set({ run_count: number, last_run_id: id }).where('id', '=', scanId).execute()
  return run
}

/** The run of a scan that has not ended; null when there is none. */
export async function activeRun({ db }: Db, scanId: string): Promise<RunRow | null> {
  const query = db.selectFrom('run').selectAll().where('scan_id', '=', scanId).where('ended_at', 'is', null)
  return (await query.executeTakeFirst()) ?? null
}

export async function runById({ db }: Db, id: string): Promise<RunRow | null> {
  return (await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export async function runByNumber({ db }: Db, scanId: string, number: number): Promise<RunRow | null> {
  const query = db.selectFrom('run').selectAll().where('scan_id', '=', scanId).where('number', '=', number)
  return (await query.executeTakeFirst()) ?? null
}

/** Asks workers to stop; they do at the next look. */
export async function markCancelled({ db }: Db, runId: string): Promise<void> {
  await db
    .updateTable('run')
    .set({ cancelled: true })
    .where('id', '=', runId)
    .where('ended_at', 'is', null)
    .execute()
}

export type Runnable = {
  id: string
  scan_id: string
  number: number
  cancelled: boolean
  settings: ScanSettings
}

/** Runs that want work, the most urgent and longest unserved first, less those in `except`. */
export async function runnableRuns(
  { db }: Db,
  limit: number,
  except: readonly string[],
): Promise<Runnable[]> {
  const { rows } = await sql<Runnable>`
    select run.id, run.scan_id, run.number, run.cancelled, plan.settings
    from run join run_plan plan on plan.run_id = run.id
    where run.ended_at is null and run.id <> all(${[...except]}::uuid[])
    order by run.priority, run.served_at nulls first, run.queued_at limit ${limit}`.execute(db)
  return rows
}

/** Says that work on a run has begun, and by which browser. */
export async function markRunning({ db }: Db, runId: string, browser: string): Promise<void> {
  await sql`update run set status = 'running', started_at = coalesce(started_at, now()), served_at = now()
    where id = ${runId} and ended_at is null`.execute(db)
  await db.updateTable('run_plan').set({ browser }).where('run_id', '=', runId).execute()
}

/** Tells that a worker lives and what it has; the health call reads it. */
export async function beat(
  { db }: Db,
  worker: { id: string; browser: string | null; browser_source: string | null; problem: string | null },
): Promise<void> {
  const { id, ...facts } = worker
  await db
    .updateTable('worker')
    .set({ ...facts, beat_at: new Date() })
    .where('id', '=', id)
    .execute()
  await sql`delete from worker where beat_at < now() - interval '10 minutes'`.execute(db)
}

/** Whether another worker that lives has a browser. */
export async function othersHaveBrowser({ db }: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from worker where id <> ${id} and browser is not null and problem is null
    and beat_at > now() - interval '30 seconds' limit 1`.execute(db)
  return rows.length > 0
}

export async function signOff({ db }: Db, id: string): Promise<void> {
  await db.deleteFrom('worker').where('id', '=', id).execute()
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
