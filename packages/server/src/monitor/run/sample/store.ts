import { computeWeights } from '@clearway/contract/monitor/run/weight/model.ts'
import { sql } from 'kysely'
import type { MonitorDb } from '../../database.ts'
import { entryState, selectSample } from '../table.ts'

const maxUpdatedPages = 10_000

/** Stores how many known URLs each page of a run stands for, if the page limit left some out. */
async function storeWeights(db: MonitorDb, runId: string): Promise<void> {
  const { rows: leftOutRows } = await sql<{ bucket: string; count: number }>`
    select bucket, count(*)::int as count from frontier
    where run_id = ${runId} and state = ${entryState.excluded} and exclusion = 'over-limit' and bucket is not null
    group by bucket`.execute(db)
  if (leftOutRows.length === 0) return
  const { rows: visitRows } = await sql<{ id: string; bucket: string }>`
    select p.id, coalesce(f.bucket, '') as bucket from frontier f
    join run_page p on p.run_id = f.run_id and p.key_hash = f.key_hash
    where f.run_id = ${runId} and f.state = ${entryState.done}`.execute(db)
  const weights = computeWeights(
    visitRows.map(({ bucket }) => bucket),
    leftOutRows.map(({ bucket, count }) => [bucket, count] as const),
  )
  for (let start = 0; start < visitRows.length; start += maxUpdatedPages) {
    const ids = visitRows.slice(start, start + maxUpdatedPages).map(({ id }) => id)
    await sql`update run_page p set weight = w.weight
      from unnest(${ids}::uuid[], ${weights.slice(start, start + maxUpdatedPages)}::real[]) as w (id, weight)
      where p.id = w.id`.execute(db)
  }
}

/** Notes the random pages of a run that ends, and the weights of all, before its frontier is deleted, and sums them up. */
export async function storeSample(db: MonitorDb, runId: string): Promise<void> {
  await sql`update run_page p set is_random = true from frontier f
    where f.run_id = ${runId} and f.is_random and f.state = ${entryState.done} and p.run_id = f.run_id and p.key_hash = f.key_hash`.execute(
    db,
  )
  await storeWeights(db, runId)
  await sql`update run set (sample_pages, site_weights) = ${selectSample(sql`run.id`)} where id = ${runId}`.execute(db)
}
