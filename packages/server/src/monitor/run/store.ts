import * as z from 'zod/mini'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { axeVersions } from '@clearway/contract/monitor/ruleset/schema.ts'
import { sql } from 'kysely'
import { inTransaction, isTaken } from '../../kit/database.ts'
import { takeAdvisoryLock } from '../../kit/advisory-lock.ts'
import { newId } from '../../kit/id.ts'
import { traceparent } from '../../kit/trace/span.ts'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from './table.ts'
import { RunChange, type RunListQuery, type ViolationQuery } from '@clearway/contract/monitor/run/schema.ts'
import { allOf, limits, orderBy } from '../../kit/paging.ts'
import { isOpen, isPresent, stored } from '../issue/table.ts'
import { scoreOfWorst } from '../page/table.ts'
import { personName } from '../access/table.ts'
import { ruleSetHash } from './model.ts'
import { readStored } from '../../kit/stored.ts'

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
  const id = newId()
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

/** What a run was started with. @throws StoredDataError */
export const planSettings = (runId: string, stored: unknown): ScanSettings =>
  readStored(ScanSettings, stored, `The plan of the run ${runId}`)

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

const runColumns = {
  number: sql`number`,
  score: sql`score`,
  status: sql`status`,
  startedAt: sql`started_at`,
  endedAt: sql`ended_at`,
  durationMs: sql`ended_at - started_at`,
  pages: sql`completed`,
  issues: sql`critical + serious + moderate + minor`,
}

/** Runs of a scan, newest first unless sorted otherwise. */
export async function listRuns({ db }: Db, scanId: string, query: z.output<typeof RunListQuery>) {
  const { runNumber, status } = query
  const where = allOf([
    sql`scan_id = ${scanId}`,
    runNumber !== undefined && sql`number = ${runNumber}`,
    status.length > 0 && sql`status = any(${status}::text[])`,
  ])
  const order = orderBy(runColumns, query.sort, sql`number desc`, sql`number desc`)
  const counted = await sql<{ count: number }>`select count(*) as count from run where ${where}`.execute(db)
  const { rows } = await sql<RunRow>`select * from run where ${where} ${order} ${limits(query)}`.execute(db)
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export async function planRow({ db }: Db, runId: string) {
  const row = await db
    .selectFrom('run_plan')
    .selectAll()
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow()
  const change = readStored(z.nullable(RunChange), row.change, `The plan of the run ${runId}`)
  return { ...row, settings: planSettings(runId, row.settings), change }
}

/** The newest completed run of a scan with what it worked by. */
export async function newestCompleted({ db }: Db, scanId: string) {
  const query = db
    .selectFrom('scan')
    .innerJoin('run', 'run.id', 'scan.last_completed_run_id')
    .innerJoin('run_plan', 'run_plan.run_id', 'run.id')
    .select(['run.id', 'run.number', 'run_plan.settings', 'run_plan.axe_release'])
    .where('scan.id', '=', scanId)
  const row = await query.executeTakeFirst()
  return row ? { ...row, settings: planSettings(row.id, row.settings) } : null
}

/** Name of the scan's owner, for people; null for somebody whose account is gone. */
export async function ownerName({ db }: Db, scanId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select ${personName('p')} as name
    from scan join person p on p.id = scan.owner_id where scan.id = ${scanId}`.execute(db)
  return rows[0]?.name ?? null
}

/** The last `count` completed runs up to a number, oldest first, each with the fingerprint of its rules. */
export async function trend({ db }: Db, scanId: string, upTo: number, count: number) {
  const { rows } = await sql<RunRow & { rule_set_hash: string }>`
    select * from (
      select run.*, plan.rule_set_hash from run join run_plan plan on plan.run_id = run.id
      where scan_id = ${scanId} and number <= ${upTo}::int and status in ('completed', 'archived')
      order by number desc limit ${count}) last order by number`.execute(db)
  return rows
}

/** Findings of a run that were there, by what became of them. */
export async function statusCounts({ db }: Db, runId: string) {
  const { rows } = await sql<{ open: number; fixed: number; ignored: number }>`
    select count(*) filter (where ${isOpen()}) as open, count(*) filter (where status = ${stored.status.fixed}) as fixed,
      count(*) filter (where status = ${stored.status.ignored} and ${isPresent()}) as ignored
    from finding where run_id = ${runId}`.execute(db)
  return rows[0]!
}

/** How many pages of a run failed, or were left out, for which reason. */
export async function reasons({ db }: Db, runId: string, column: 'failure' | 'exclusion') {
  const name = sql.ref(column)
  const { rows } = await sql<{ reason: string; pages: number }>`
    select ${name} as reason, count(*) as pages from page where run_id = ${runId} and ${name} is not null
    group by 1 order by 2 desc, 1`.execute(db)
  return rows
}

export type Violation = {
  rule: string
  impact: number | null
  help: string
  helpUrl: string
  tags: string[]
  issues: number
  needsReview: number
  pages: number
  scoreGain: number
}

/**
 * Rules that fail in a run. What fixing a rule would gain is counted page by page: only where it alone is to blame for
 * the page's health, and then up to the next worst thing on that page.
 */
export async function listViolations(
  { db }: Db,
  runId: string,
  completed: number,
  query: z.output<typeof ViolationQuery>,
) {
  const columns = {
    scoreGain: sql`"scoreGain"`,
    issues: sql`issues`,
    pages: sql`pages`,
    impact: sql`impact`,
    rule: sql`rule`,
  }
  const order = orderBy(
    columns,
    query.sort,
    sql`"scoreGain" desc, issues desc, "needsReview" desc`,
    sql`rule`,
  )
  const { rows } = await sql<Violation & { count: number }>`
    with present as (
      select f.page_id, rule.name, f.rule_id, f.severity, f.impact from finding f join rule on rule.id = f.rule_id
      where f.run_id = ${runId} and ${isOpen('f')}),
    worst as (
      select page_id, name, min(severity) as severity from present where severity <= ${stored.severity.moderate} group by page_id, name),
    ranked as (
      select page_id, name, severity,
        row_number() over (partition by page_id order by severity, name) as place,
        lead(severity) over (partition by page_id order by severity, name) as next from worst),
    gain as (
      select name, sum(${scoreOfWorst(sql`next`)} - ${scoreOfWorst(sql`severity`)}) as gain from ranked where place = 1 group by name),
    rules as (
      select name, min(rule_id) as rule_id, min(impact) as impact, count(*) filter (where severity < ${stored.severity.review}) as issues,
        count(*) filter (where severity = ${stored.severity.review}) as "needsReview", count(distinct page_id) filter (where severity < ${stored.severity.review}) as pages
      from present group by name),
    answer as (
      select r.name as rule, r.impact, rule.help, rule.help_url as "helpUrl", rule.tags, r.issues, r."needsReview", r.pages,
        round(coalesce(gain.gain, 0) / greatest(${completed}::int, 1), 4) as "scoreGain"
      from rules r join rule on rule.id = r.rule_id left join gain on gain.name = r.name)
    select *, count(*) over () as count from answer ${order} ${limits(query)}`.execute(db)
  return { rows, total: rows[0]?.count ?? 0 }
}

/** The pages of a run on which a rule fails. */
export async function violationPages(
  { db }: Db,
  runId: string,
  rule: string,
  query: { page: number; size: number },
) {
  type Row = { pageId: string; url: string; title: string | null; issues: number; count: number }
  const { rows } = await sql<Row>`
    select p.id as "pageId", p.url, p.title, count(*) as issues, count(*) over () as count
    from finding f join rule on rule.id = f.rule_id join page p on p.id = f.page_id
    where f.run_id = ${runId} and rule.name = ${rule} and ${isOpen('f')}
    group by p.id order by issues desc, p.url, p.id ${limits(query)}`.execute(db)
  return { rows: rows.map(({ count: _count, ...row }) => row), total: rows[0]?.count ?? 0 }
}
