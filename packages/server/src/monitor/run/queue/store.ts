import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import { inTransaction, isTaken } from '../../../kit/database.ts'
import { takeAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { newIdAfter } from '../../../kit/id.ts'
import { traceparent } from '../../../kit/trace/span.ts'
import type { MonitorDb } from '../../database.ts'
import type { RunRow } from '../table.ts'
import { ruleSetHash } from '../../ruleset/model.ts'
import { readStored } from '../../../kit/stored.ts'

type Db = { db: MonitorDb }

/**
 * Queues a run of a scan by its settings of now, started by somebody who has `most` going on at the most. One at a time: the
 * scan's row is locked.
 */
export async function insertRun(
  { db }: Db,
  scanId: string,
  by: { personId: string; most: number },
): Promise<RunRow | 'run-active' | 'not-found' | 'too-many'> {
  try {
    return await inTransaction(db, async (trx) => {
      await takeAdvisoryLock(trx, `quota ${by.personId}`)
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from run
        where started_by = ${by.personId} and ended_at is null`.execute(trx)
      if (rows[0]!.count >= by.most) return 'too-many'
      return insertRunWithin(trx, scanId, null, by.personId)
    })
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
  startedBy: string | null = null,
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
  const saved = readStored(ScanSettings, scan.settings, `The scan ${scanId}`)
  const { advanced } = saved
  const limits = [advanced.runTimeoutMs, timeoutMs].filter((limit) => limit !== null)
  const runTimeoutMs = limits.length > 0 ? Math.min(...limits) : null
  const settings = { ...saved, advanced: { ...advanced, runTimeoutMs } }
  const number = scan.run_count + 1
  // The newest finding of an issue is that of the run with the last id: the clock may have been set back.
  const id = newIdAfter(scan.last_run_id)
  const run = await trx
    .insertInto('run')
    .values({ id, scan_id: scanId, number, status: 'queued', priority: scan.priority, started_by: startedBy })
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
      trace: traceparent(),
    })
    .execute()
  await trx.updateTable('scan').set({ run_count: number, last_run_id: id }).where('id', '=', scanId).execute()
  // Nobody needs to open pages again that this run opens.
  await sql`update recheck r set state = 'stale', ended_at = now() from page p
    where r.state = 'waiting' and p.id = r.page_id and p.scan_id = ${scanId}`.execute(trx)
  return run
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
  trace: string | null
  /** `ScanSettings`, read when the work begins: a plan that cannot be read ends its own run only. */
  settings: unknown
}

/** Runs that want work, the most urgent and longest unserved first, less those in `except`. */
export async function runnableRuns(
  { db }: Db,
  limit: number,
  except: readonly string[],
): Promise<Runnable[]> {
  const { rows } = await sql<Runnable>`
    select run.id, run.scan_id, run.number, run.cancelled, plan.trace, plan.settings
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
