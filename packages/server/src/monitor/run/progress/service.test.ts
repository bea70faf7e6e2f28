import { afterEach, expect, it, vi } from 'vitest'
import { type KyselyPlugin, sql } from 'kysely'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, recordRun } from '../../../../test/run.ts'
import { updateRunCounters } from '../outcome/store.ts'
import type { PubSubEvent } from '../../../kit/pub-sub.ts'
import { noteProgress, publishProgress, countIntervalMs, type ActiveRun } from './service.ts'

// Several workers on one run, and which of them counts its URLs.

const api = useTestApi()
afterEach(() => void vi.useRealTimers())

async function createActiveRun(name: string): Promise<string> {
  const { id } = await recordRun(api, undefined, { a: buildCompleted() }, name)
  await sql`update run set status = 'running', ended_at = null, found = 0 where id = ${id}`.execute(api.db)
  await sql`insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, depth, url, key, host)
    values (${id}, 'k', 0, 0, 0, 0, 0, 'https://example.org/', 'k', 'example.org')`.execute(api.db)
  return id
}
const readFoundCount = async (id: string) =>
  (await api.db.selectFrom('run').select('found').where('id', '=', id).executeTakeFirstOrThrow()).found

/** Workers that receive each other's events, as over the database. */
function workersOn(runId: string, workerCount: number) {
  const published: PubSubEvent[] = []
  const workers = Array.from({ length: workerCount }, () => {
    const run: ActiveRun = {
      stopController: new AbortController(),
      hasUncountedChanges: true,
      nextCountAt: -Infinity,
      pageLimit: null,
      done: Promise.resolve(),
    }
    const publish = async (event: PubSubEvent) => {
      published.push(event)
      for (const worker of workers) if (event.kind === 'progress') noteProgress(worker, event.runId, event.countMs)
    }
    const pubSub = { ...api.pubSub, publish }
    return { db: api.db, pubSub, working: new Map([[runId, run]]), failures: new Map<string, number>(), run }
  })
  return { workers, events: published, published: () => published.length }
}

/** Lets the faked clock of `performance` advance by some milliseconds at a statement that contains a text. */
const delayStatement = (text: string, milliseconds: number): KyselyPlugin => ({
  transformQuery({ node }) {
    if (JSON.stringify(node).includes(text)) vi.advanceTimersByTime(milliseconds)
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
})

it('counts a run once for all of its workers, and again for later changes', async () => {
  const id = await createActiveRun('Counted once')
  const { workers, published } = workersOn(id, 8)
  // On a busy machine a second passes quickly.
  vi.useFakeTimers({ toFake: ['performance'] })
  for (const worker of workers) await publishProgress(worker)
  expect([published(), await readFoundCount(id)]).toEqual([1, 1])
  expect(workers.map(({ run }) => run.hasUncountedChanges)).toEqual([false, ...Array.from({ length: 7 }, () => true)])
  vi.advanceTimersByTime(countIntervalMs)
  await publishProgress(workers[1]!)
  expect([published(), workers[1]!.run.hasUncountedChanges]).toEqual([2, false])
})

it('waits twenty times the duration of a count before the next one', async () => {
  const id = await createActiveRun('Counted for long')
  const { workers, events } = workersOn(id, 2)
  const [worker, other] = workers as [(typeof workers)[0], (typeof workers)[0]]
  vi.useFakeTimers({ toFake: ['performance'] })
  // Reading the frontier takes two seconds.
  await publishProgress({ ...worker, db: worker.db.withPlugin(delayStatement('from frontier f', 2000)) })
  expect([events, await readFoundCount(id)]).toEqual([[{ kind: 'progress', runId: id, countMs: 2000 }], 1])
  // Another worker joins the run, which does not trigger a count.
  noteProgress(other, id)
  vi.advanceTimersByTime(39_000)
  await publishProgress(other)
  expect(events).toHaveLength(1)
  vi.advanceTimersByTime(2000)
  await publishProgress(other)
  expect(events).toHaveLength(2)
  // After a quarter of an hour the next count is allowed, regardless of the duration.
  other.run.hasUncountedChanges = true
  noteProgress(other, id, 600_000)
  vi.advanceTimersByTime(15 * 60_000 + 1000)
  await publishProgress(other)
  expect(events).toHaveLength(3)
})

it('does not pause for a wait for the row of the run', async () => {
  const id = await createActiveRun('Locked')
  const { workers, events } = workersOn(id, 1)
  const [worker] = workers as [(typeof workers)[0]]
  vi.useFakeTimers({ toFake: ['performance'] })
  await publishProgress({ ...worker, db: worker.db.withPlugin(delayStatement('update run set found', 45_000)) })
  worker.run.hasUncountedChanges = true
  vi.advanceTimersByTime(countIntervalMs)
  await publishProgress(worker)
  expect(events).toEqual([0, 0].map((countMs) => ({ kind: 'progress', runId: id, countMs })))
})

it('skips a run that another worker is counting, and counts it later', async () => {
  const id = await createActiveRun('Counted elsewhere')
  const { workers, published } = workersOn(id, 1)
  await api.db.transaction().execute(async (other) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`tally ${id}`}, 0))`.execute(other)
    await publishProgress(workers[0]!)
    expect([published(), await readFoundCount(id), workers[0]!.run.hasUncountedChanges]).toEqual([0, 0, true])
  })
  await publishProgress(workers[0]!)
  expect([published(), await readFoundCount(id), workers[0]!.run.hasUncountedChanges]).toEqual([1, 1, false])
})

it('limits the number of waiting pages of an active run by its page limit', async () => {
  const id = await createActiveRun('Bounded')
  await sql`insert into frontier (run_id, key_hash, state, wave, parent_place, link_place, depth, url, key, host)
    select ${id}, convert_to('k' || n, 'UTF8'), 0, 0, 0, n, 0, 'https://example.org/' || n, 'k' || n, 'example.org' from generate_series(1, 8) n`.execute(
    api.db,
  )
  const { workers } = workersOn(id, 1)
  const [{ run }] = workers as [(typeof workers)[0]]
  const readNotReached = async (pageLimit: number | null) => {
    Object.assign(run, { pageLimit, hasUncountedChanges: true, nextCountAt: -Infinity })
    await publishProgress(workers[0]!)
    return (await api.db.selectFrom('run').select('not_reached').where('id', '=', id).executeTakeFirstOrThrow()).not_reached
  }
  // One page is already tested.
  expect([await readNotReached(null), await readNotReached(6), await readNotReached(100), await readNotReached(1)]).toEqual([
    9, 5, 9, 0,
  ])
})

it('keeps the number of known pages between two counts, which may be minutes apart', async () => {
  const id = await createActiveRun('Between counts')
  await sql`update run set not_reached = 3 where id = ${id}`.execute(api.db)
  const contribution = { outcome: buildCompleted(), counts: [], total: 0, attempt: 1 }
  const readCounts = () =>
    api.db.selectFrom('run').select(['completed', 'not_reached']).where('id', '=', id).executeTakeFirstOrThrow()
  const before = await readCounts()
  await updateRunCounters(api.db, id, [contribution, contribution])
  expect(await readCounts()).toEqual({ completed: before.completed + 2, not_reached: 1 })
  // Pages that were found after the count.
  await updateRunCounters(api.db, id, [contribution, contribution])
  expect(await readCounts()).toEqual({ completed: before.completed + 4, not_reached: 0 })
})
