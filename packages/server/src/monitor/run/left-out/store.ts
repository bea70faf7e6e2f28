import { maxGroupedUrls } from '@clearway/contract/monitor/run/left-out/model.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'

export async function listLeftOutUrls(db: MonitorDb, runId: string): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from page where run_id = ${runId} and exclusion = 'over-limit' order by id limit ${maxGroupedUrls}`.execute(db)
  return rows.map(({ url }) => url)
}
