import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { entryState, selectSamplePages } from '../table.ts'

/** Notes the random pages of a run that ends, before its frontier is deleted, and counts them. */
export async function storeSample(db: MonitorDb, runId: string): Promise<void> {
  await sql`update run_page p set is_random = true from frontier f
    where f.run_id = ${runId} and f.is_random and f.state = ${entryState.done} and p.run_id = f.run_id and p.key_hash = f.key_hash`.execute(
    db,
  )
  await sql`update run set sample_pages = ${selectSamplePages(sql`run.id`)} where id = ${runId}`.execute(db)
}
