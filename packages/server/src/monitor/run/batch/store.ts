import {
  computeBatchSize,
  describeTrap,
  planBatch,
  randomShare,
  selectRandomBuckets,
} from '@clearway/contract/monitor/run/order/model.ts'
import { assignRoles } from '@clearway/contract/monitor/run/view/model.ts'
import {
  addVisits,
  copyTallies,
  openVisitSums,
  type VisitedEntry,
  type VisitSums,
} from '@clearway/contract/monitor/run/visit/model.ts'
import type { CrawlOrder } from '@clearway/contract/monitor/run/order/schema.ts'
import { sql } from 'kysely'
import { computeHash } from '../../../kit/hash.ts'
import type { MonitorDb } from '../../database.ts'
import { entryState } from '../table.ts'

/** Sums of the visits of a run that this process has read, and the position of the last one. */
export type VisitLog = { sums: VisitSums; wave: number; place: number }
export const openVisitLog = (): VisitLog => ({ sums: openVisitSums(), wave: -1, place: 0 })

type BatchDeps = { runId: string; pageLimit: number; visitLog?: VisitLog }

/** Condition for entries `f` that wait for a later batch. */
const isPooled = (runId: string) =>
  sql`f.run_id = ${runId} and f.state = ${entryState.waiting} and f.place is null and f.bucket is not null`

/** Visits to read at once. */
const maxVisitsRead = 10_000

/**
 * Adds the visits since the last batch of this process. Their order is final: a batch opens when all entries of earlier ones are
 * recorded, and entries that are added later belong to later waves.
 */
async function readVisits(db: MonitorDb, runId: string, visitLog: VisitLog): Promise<void> {
  const { rows: visitRows } = await sql<VisitedEntry & { wave: number; place: number }>`
    select coalesce(bucket, '') as bucket, visit ->> 'content' as content, visit ->> 'masked' as masked, chain,
      visit ->> 'template' as template, (visit ->> 'isUnlisted')::boolean as "isUnlisted",
      coalesce((visit ->> 'isListing')::boolean, false) as "isListing", coalesce(visit -> 'bases', '[]') as bases, wave, place
    from frontier where run_id = ${runId} and state = ${entryState.done} and visit is not null
      and (wave, place) > (${visitLog.wave}::int, ${visitLog.place}::int) order by wave, place limit ${maxVisitsRead}`.execute(db)
  addVisits(visitLog.sums, visitRows)
  const lastVisit = visitRows.at(-1)
  if (!lastVisit) return
  Object.assign(visitLog, { wave: lastVisit.wave, place: lastVisit.place })
  if (visitRows.length === maxVisitsRead) await readVisits(db, runId, visitLog)
}

const maxBuckets = 20_000

/** Buckets with waiting entries, found one after the other in the index, and their numbers of entries up to `maxCount`. */
async function countPooled(db: MonitorDb, runId: string, maxCount: number): Promise<Map<string, number>> {
  const { rows: bucketRows } = await sql<{ bucket: string; count: number }>`
    with recursive b as (
      (select bucket from frontier f where ${isPooled(runId)} order by bucket limit 1)
      union all
      select (select f.bucket from frontier f where ${isPooled(runId)} and f.bucket > b.bucket order by f.bucket limit 1)
      from b where b.bucket is not null)
    select bucket, (select count(*)::int from (
      select 1 from frontier f where ${isPooled(runId)} and f.bucket = b.bucket limit ${maxCount}) counted) as count
    from b where bucket is not null limit ${maxBuckets}`.execute(db)
  return new Map(bucketRows.map(({ bucket, count }) => [bucket, count]))
}

/** Ids of the first entries of each planned bucket, in the order of the plan. */
async function pickPlanned(db: MonitorDb, runId: string, plannedBuckets: readonly string[]): Promise<number[]> {
  const plannedCounts = [...Map.groupBy(plannedBuckets, (bucket) => bucket)].map(([bucket, slots]) => ({
    bucket,
    count: slots.length,
  }))
  const { rows: entryRows } = await sql<{ id: number; bucket: string }>`
    select picked.id, planned.bucket
    from jsonb_to_recordset(${JSON.stringify(plannedCounts)}::jsonb) as planned (bucket text, count int)
    cross join lateral (select f.id, f.rank, f.key_hash from frontier f where ${isPooled(runId)} and f.bucket = planned.bucket
      order by f.bucket, f.rank, f.key_hash limit planned.count) picked
    order by planned.bucket, picked.rank, picked.key_hash`.execute(db)
  const idsByBucket = Map.groupBy(entryRows, ({ bucket }) => bucket)
  return plannedBuckets.flatMap((bucket) => idsByBucket.get(bucket)?.shift()?.id ?? [])
}

type RandomPick = { visitedCount: number; count: number; buckets: readonly string[]; chosenIds: readonly number[] }

/** Ids of random entries: those that follow points of the run's own in the order of hashes. */
async function pickRandom(
  db: MonitorDb,
  runId: string,
  { visitedCount, count, buckets, chosenIds }: RandomPick,
): Promise<number[]> {
  const randomIds: number[] = []
  for (let index = 0; index < count; index++) {
    const point = computeHash(`${runId} ${visitedCount} ${index}`)
    const isOpen = sql`${isPooled(runId)} and f.bucket = any(${[...buckets]}::text[])
      and f.id <> all(${[...chosenIds, ...randomIds]}::bigint[])`
    const { rows: entryRows } = await sql<{ id: number }>`
      (select f.id, 0 as turn, f.key_hash from frontier f where ${isOpen} and f.key_hash >= ${point} order by f.key_hash limit 1)
      union all
      (select f.id, 1, f.key_hash from frontier f where ${isOpen} order by f.key_hash limit 1)
      order by turn limit 1`.execute(db)
    randomIds.push(...entryRows.map(({ id }) => id))
  }
  return randomIds
}

/** Excludes the entries of patterns that no longer bring new content. */
async function excludeTraps(db: MonitorDb, runId: string, buckets: readonly string[]): Promise<void> {
  const traps = buckets.map((bucket) => ({ bucket, detail: describeTrap(bucket) }))
  await sql`
    update frontier f set state = ${entryState.excluded}, exclusion = 'trap', detail = trap.detail
    from jsonb_to_recordset(${JSON.stringify(traps)}::jsonb) as trap (bucket text, detail text)
    where ${isPooled(runId)} and f.bucket = trap.bucket`.execute(db)
}

/**
 * Opens the next representative batch. Depends on the visits alone: the caller holds the lock, nothing is in progress.
 * @returns false if no entries are left apart from traps, which it excludes
 */
async function openNextBatch(db: MonitorDb, { runId, pageLimit, visitLog = openVisitLog() }: BatchDeps): Promise<boolean> {
  await readVisits(db, runId, visitLog)
  const visitedCount = visitLog.sums.count
  const size = computeBatchSize(visitedCount)
  const waiting = await countPooled(db, runId, size)
  if (waiting.size === 0) return false
  const randomCount = Math.round(size * randomShare)
  const tallies = copyTallies(visitLog.sums)
  const roles = assignRoles(tallies, waiting)
  const plannedBuckets = planBatch({ tallies, roles, waiting, size: size - randomCount, pageLimit })
  if (plannedBuckets.length === 0) {
    await excludeTraps(db, runId, [...waiting.keys()])
    return false
  }
  const chosenIds = await pickPlanned(db, runId, plannedBuckets)
  for (const bucket of plannedBuckets) {
    const count = waiting.get(bucket)!
    // A count of `size` is a minimum.
    if (count < size) waiting.set(bucket, count - 1)
  }
  const leftBuckets = [...waiting].filter(([, count]) => count > 0).map(([bucket]) => bucket)
  const openBuckets = selectRandomBuckets(leftBuckets, roles, tallies)
  const randomPick = { visitedCount, count: randomCount, buckets: openBuckets, chosenIds }
  const randomIds = openBuckets.length > 0 ? await pickRandom(db, runId, randomPick) : []
  await sql`
    with placed as (
      update frontier f set place = chosen.place, wave = run.wave + 1, is_random = f.id = any(${randomIds}::bigint[])
      from unnest(${[...chosenIds, ...randomIds]}::bigint[]) with ordinality as chosen (id, place), run
      where f.id = chosen.id and run.id = ${runId} returning f.id)
    update run set wave = wave + 1 where id = ${runId} and exists (select from placed)`.execute(db)
  return true
}

/**
 * Condition for entries without a bucket in the next wave. The wave is a value, not a query: without its statistics, PostgreSQL reads
 * the whole frontier.
 */
async function buildWaveCondition(db: MonitorDb, runId: string) {
  const { wave } = await db.selectFrom('run').select('wave').where('id', '=', runId).executeTakeFirstOrThrow()
  return sql`frontier.bucket is null and frontier.wave = ${wave + 1}`
}

/** Assigns positions to the entries of the next wave and moves the run to it. @returns false when there is none */
export async function openNextWave(db: MonitorDb, deps: BatchDeps & { order?: CrawlOrder }): Promise<boolean> {
  const { runId, order = 'breadth' } = deps
  const isInWave = order === 'breadth' ? sql`true` : await buildWaveCondition(db, runId)
  const { rows: waveRows } = await sql<{ wave: number }>`
    with next as (select min(wave) as wave from frontier where run_id = ${runId} and state = ${entryState.waiting} and ${isInWave}),
    placed as (
      update frontier f set place = o.place
      from (select id, row_number() over (order by parent_place, link_place) as place
            from frontier, next where run_id = ${runId} and state = ${entryState.waiting}
              and frontier.wave = next.wave and ${isInWave}) o
      where f.id = o.id returning f.id)
    update run set wave = next.wave from next
    where run.id = ${runId} and next.wave is not null and (select count(*) from placed) > 0
    returning run.wave`.execute(db)
  return waveRows.length > 0 || (order === 'representative' && openNextBatch(db, deps))
}
