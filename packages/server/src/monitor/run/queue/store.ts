import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import { inTransaction, isUniqueViolation } from '../../../kit/database.ts'
import { acquireAdvisoryLock } from '../../../kit/advisory-lock.ts'
import { createIdAfter } from '../../../kit/id.ts'
import { getTraceparent } from '../../../kit/trace/span.ts'
import type { MonitorDb } from '../../database.ts'
import type { RunRow } from '../table.ts'
import { computeRuleSetHash } from '../../ruleset/model.ts'
import { parseStored } from '../../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }

/** Queues a run with the scan's current settings, up to `by.maxRuns` per user. The scan's lock allows one active run per scan. */
export async function insertRun(
  { db }: DatabaseDeps,
  scanId: string,
  by: { personId: string; maxRuns: number },
): Promise<RunRow | 'run-active' | 'not-found' | 'too-many'> {
  try {
    return await inTransaction(db, async (trx) => {
      await acquireAdvisoryLock(trx, `quota ${by.personId}`)
      const { rows: countRows } = await sql<{ count: number }>`select count(*)::int as count from run
        where started_by = ${by.personId} and ended_at is null`.execute(trx)
      if (countRows[0]!.count >= by.maxRuns) return 'too-many'
      return insertRunWithin(trx, scanId, null, by.personId)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'run_scan_id_number_key')) return 'run-active'
    throw error
  }
}

/** Like `insertRun`, within the caller's transaction. @param timeoutMs ends the run, unless the scan has a shorter limit */
export async function insertRunWithin(
  trx: MonitorDb,
  scanId: string,
  timeoutMs: number | null,
  startedBy: string | null = null,
): Promise<RunRow | 'run-active' | 'not-found'> {
  const scanRow = await trx
    .selectFrom('scan')
    .selectAll()
    .where('id', '=', scanId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!scanRow) return 'not-found'
  const activeRunQuery = sql`select 1 from run where scan_id = ${scanId} and ended_at is null`
  if ((await activeRunQuery.execute(trx)).rows.length > 0) return 'run-active'
  const savedSettings = parseStored(ScanSettings, scanRow.settings, `The scan ${scanId}`)
  const { advanced } = savedSettings
  const timeLimits = [advanced.runTimeoutMs, timeoutMs].filter((limit) => limit !== null)
  const runTimeoutMs = timeLimits.length > 0 ? Math.min(...timeLimits) : null
  const settings = { ...savedSettings, advanced: { ...advanced, runTimeoutMs } }
  const runNumber = scanRow.run_count + 1
  // The newest finding of an issue has the highest run id, so ids must increase even if the clock was set back.
  const runId = createIdAfter(scanRow.last_run_id)
  const insertedRun = await trx
    .insertInto('run')
    .values({
      id: runId,
      scan_id: scanId,
      number: runNumber,
      status: 'queued',
      priority: scanRow.priority,
      started_by: startedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('run_plan')
    .values({
      run_id: runId,
      scan_name: scanRow.name,
      settings: JSON.stringify(settings),
      rule_set_hash: computeRuleSetHash(settings),
      axe_release: axeVersions[settings.ruleSet.axeVersion],
      trace: getTraceparent(),
    })
    .execute()
  await trx.updateTable('scan').set({ run_count: runNumber, last_run_id: runId }).where('id', '=', scanId).execute()
  // Waiting re-checks are obsolete: this run visits their pages.
  await sql`update recheck r set state = 'stale', ended_at = now() from page p
    where r.state = 'waiting' and p.id = r.page_id and p.scan_id = ${scanId}`.execute(trx)
  return insertedRun
}

/** Marks the run cancelled; workers stop at their next poll. */
export async function markCancelled({ db }: DatabaseDeps, runId: string): Promise<void> {
  await db.updateTable('run').set({ cancelled: true }).where('id', '=', runId).where('ended_at', 'is', null).execute()
}

export type RunnableRun = {
  id: string
  scan_id: string
  number: number
  cancelled: boolean
  trace: string | null
  /** `ScanSettings`, parsed when work begins: an unreadable plan ends only its own run. */
  settings: unknown
}

/** Runs that need workers, by priority and then longest unserved, except those in `excludedIds`. */
export async function listRunnableRuns(
  { db }: DatabaseDeps,
  limit: number,
  excludedIds: readonly string[],
): Promise<RunnableRun[]> {
  const { rows: runRows } = await sql<RunnableRun>`
    select run.id, run.scan_id, run.number, run.cancelled, plan.trace, plan.settings
    from run join run_plan plan on plan.run_id = run.id
    where run.ended_at is null and run.id <> all(${[...excludedIds]}::uuid[])
    order by run.priority, run.served_at nulls first, run.queued_at limit ${limit}`.execute(db)
  return runRows
}

const maxDetailLength = 2000

/** Records why a run waits, until work on it begins again. @returns whether that is new */
export async function recordWait(
  { db }: DatabaseDeps,
  runId: string,
  { problem, detail }: { problem: NonNullable<RunRow['problem']>; detail: string },
): Promise<boolean> {
  const detailText = detail.slice(0, maxDetailLength)
  const { rows: changedRows } = await sql`update run set problem = ${problem}, problem_detail = ${detailText}
    where id = ${runId} and ended_at is null and (problem is distinct from ${problem} or problem_detail is distinct from ${detailText})
    returning 1`.execute(db)
  return changedRows.length > 0
}

/** Records that work on a run has begun, and its browser. */
export async function markRunning({ db }: DatabaseDeps, runId: string, browser: string): Promise<void> {
  await sql`update run set status = 'running', started_at = coalesce(started_at, now()), served_at = now(),
    problem = null, problem_detail = null where id = ${runId} and ended_at is null`.execute(db)
  await db.updateTable('run_plan').set({ browser }).where('run_id', '=', runId).execute()
}
