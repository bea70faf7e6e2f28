import * as z from 'zod/mini'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from './table.ts'
import { RunChange, type RunListQuery } from '@clearway/contract/monitor/run/schema.ts'
import { allOf, limits, orderBy } from '../../kit/paging.ts'
import { readStored } from '../../kit/stored.ts'

type Db = { db: MonitorDb }

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

/** What a run was started with. @throws StoredDataError */
export const planSettings = (runId: string, stored: unknown): ScanSettings =>
  readStored(ScanSettings, stored, `The plan of the run ${runId}`)

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
