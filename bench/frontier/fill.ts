import { sql } from 'kysely'
import { formatBucket } from '../../packages/contract/src/monitor/run/bucket/model.ts'
import { createId } from '../../packages/server/src/kit/id.ts'
import { inTransaction } from '../../packages/server/src/kit/database.ts'
import type { MonitorDb } from '../../packages/server/src/monitor/database.ts'

export type SimulatedRun = { scanId: string; runId: string }
type Contents = { runCount: number; pages: number; hosts: number; buckets: number; isRepresentative: boolean }

/** Waves in which the URLs of a run in the representative order were found. */
export const filledWaves = 200

/** A bucket of a site with 40 sections in three languages. */
export const createBucketText = (index: number): string =>
  formatBucket({
    depth: 0,
    kind: '',
    language: ['en', 'de', 'fr'][index % 3]!,
    section: `h.test part-${index % 40}`,
    shape: `/part-${index % 40}/${index}/*?`,
    source: 'main template',
    prior: 1,
  })

const listRuns = async (db: MonitorDb): Promise<SimulatedRun[]> =>
  (await sql<SimulatedRun>`select scan_id as "scanId", id as "runId" from run order by id`.execute(db)).rows

/** Definitions of the indexes of the frontier that a sorted build makes faster than inserts do. */
async function dropIndexes(trx: MonitorDb): Promise<string[]> {
  const { rows: constraintRows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'frontier'::regclass and contype = 'u'`.execute(trx)
  for (const { name } of constraintRows) await sql`alter table frontier drop constraint ${sql.id(name)}`.execute(trx)
  const { rows: indexRows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'frontier' and indexname <> 'frontier_pkey' order by indexname = 'frontier_pool' desc`.execute(trx)
  for (const { name } of indexRows) await sql`drop index ${sql.id(name)}`.execute(trx)
  const constraints = constraintRows.map(({ name, definition }) => `alter table frontier add constraint ${name} ${definition}`)
  return [...indexRows.map(({ definition }) => definition), ...constraints]
}

/** Fills the frontier with waiting URLs of running runs, or returns the runs of a filled database. */
export async function fillFrontier(db: MonitorDb, contents: Contents): Promise<SimulatedRun[]> {
  const { runCount, pages, hosts, buckets, isRepresentative } = contents
  const filledRuns = await listRuns(db)
  if (filledRuns.length > 0) return filledRuns
  const runs = Array.from({ length: runCount }, () => ({ scanId: createId(), runId: createId() }))
  const [wave, count] = [isRepresentative ? filledWaves : 0, Math.ceil(pages / runCount)]
  const bucketTexts = Array.from({ length: buckets }, (_, index) => createBucketText(index))
  for (const [index, { scanId, runId }] of runs.entries()) {
    await sql`insert into scan (id, name, type, urls, priority, settings, owner_id)
      values (${scanId}, ${`Many ${index}`}, 'custom', '{}', 1, '{}', 'x')`.execute(db)
    await sql`insert into run (id, scan_id, number, status, priority, wave)
      values (${runId}, ${scanId}, 1, 'running', 1, ${wave})`.execute(db)
  }
  await inTransaction(db, async (trx) => {
    // Rows of a table that is truncated in the same transaction need no log with `wal_level = minimal`.
    await sql`truncate frontier`.execute(trx)
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`set local maintenance_work_mem = '1GB'`.execute(trx)
    const definitions = await dropIndexes(trx)
    for (const { runId } of runs)
      await sql`insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, place, bucket, depth, url, key, host)
        select ${runId}::uuid, decode(md5(n::text), 'hex'), 0, n::bigint * ${wave}::int / ${count}::int, 0, n,
          case when ${isRepresentative} then null else n end,
          case when ${isRepresentative} then (${bucketTexts}::text[])[n % ${buckets}::int + 1] end, 0,
          'https://h' || n % ${hosts}::int || '.test/' || n, 'https://h' || n % ${hosts}::int || '.test/' || n,
          'h' || n % ${hosts}::int || '.test:443'
        from generate_series(1, ${count}::int) n`.execute(trx)
    for (const definition of definitions) await sql.raw(definition).execute(trx)
  })
  await sql`vacuum analyze frontier`.execute(db)
  await sql`checkpoint`.execute(db)
  return listRuns(db)
}
