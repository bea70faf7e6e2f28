import * as z from 'zod/mini'
import { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../database.ts'
import type { RunRow } from './table.ts'
import { RunChange, type RunListQuery } from '@clearway/contract/monitor/run/schema.ts'
import { joinConditions, buildLimitClause, buildOrderClause } from '../../kit/paging.ts'
import { parseStored } from '../../kit/stored.ts'

type DatabaseDeps = { db: MonitorDb }

export async function findActiveRun({ db }: DatabaseDeps, scanId: string): Promise<RunRow | null> {
  const activeRunQuery = db.selectFrom('run').selectAll().where('scan_id', '=', scanId).where('ended_at', 'is', null)
  return (await activeRunQuery.executeTakeFirst()) ?? null
}

export async function findRunById({ db }: DatabaseDeps, runId: string): Promise<RunRow | null> {
  return (await db.selectFrom('run').selectAll().where('id', '=', runId).executeTakeFirst()) ?? null
}

export async function findRunByNumber({ db }: DatabaseDeps, scanId: string, runNumber: number): Promise<RunRow | null> {
  const runQuery = db.selectFrom('run').selectAll().where('scan_id', '=', scanId).where('number', '=', runNumber)
  return (await runQuery.executeTakeFirst()) ?? null
}

/** Parses the settings of a run's plan. @throws StoredDataError */
export const parsePlanSettings = (runId: string, storedSettings: unknown): ScanSettings =>
  parseStored(ScanSettings, storedSettings, `The plan of the run ${runId}`)

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

export async function listRuns({ db }: DatabaseDeps, scanId: string, query: z.output<typeof RunListQuery>) {
  const { runNumber, status } = query
  const runFilter = joinConditions([
    sql`scan_id = ${scanId}`,
    runNumber !== undefined && sql`number = ${runNumber}`,
    status.length > 0 && sql`status = any(${status}::text[])`,
  ])
  const orderClause = buildOrderClause(runColumns, query.sort, sql`number desc`, sql`number desc`)
  const countResult = await sql<{ count: number }>`select count(*) as count from run where ${runFilter}`.execute(db)
  const { rows: runRows } =
    await sql<RunRow>`select * from run where ${runFilter} ${orderClause} ${buildLimitClause(query)}`.execute(db)
  return { rows: runRows, total: countResult.rows[0]?.count ?? 0 }
}

export async function readPlan({ db }: DatabaseDeps, runId: string) {
  const planRow = await db.selectFrom('run_plan').selectAll().where('run_id', '=', runId).executeTakeFirstOrThrow()
  const runChange = parseStored(z.nullable(RunChange), planRow.change, `The plan of the run ${runId}`)
  return { ...planRow, settings: parsePlanSettings(runId, planRow.settings), change: runChange }
}

export async function findNewestCompleted({ db }: DatabaseDeps, scanId: string) {
  const runQuery = db
    .selectFrom('scan')
    .innerJoin('run', 'run.id', 'scan.last_completed_run_id')
    .innerJoin('run_plan', 'run_plan.run_id', 'run.id')
    .select(['run.id', 'run.number', 'run_plan.settings', 'run_plan.axe_release'])
    .where('scan.id', '=', scanId)
  const runRow = await runQuery.executeTakeFirst()
  return runRow ? { ...runRow, settings: parsePlanSettings(runRow.id, runRow.settings) } : null
}
