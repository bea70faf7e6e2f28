import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { Frontier, NewEntry } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { newId } from '../../../kit/id.ts'
import { scanBody, apiOfFile } from '../../../../test/api.ts'
import { finishRun, type FrontierOptions, openFrontier } from './service.ts'
import { refreshTally } from '../finish/store.ts'
import { lossesAllowed, sweepLeases } from './store.ts'
import { runById } from '../store.ts'

const api = apiOfFile()
const patient = { timeout: 20_000 }

type Run = { id: string; scanId: string; number: number }
async function startRun(name: string, scanId?: string): Promise<Run> {
  const id =
    scanId ?? ((await api.call('POST', '/scans', { body: scanBody(name) })).body as { id: string }).id
  const run = (await api.call('POST', `/scans/${id}/startRun`)).body as { id: string; number: number }
  return { id: run.id, scanId: id, number: run.number }
}
const open = (run: Run, pageLimit = 1000, options: FrontierOptions = {}, worker: string = newId()) =>
  openFrontier(
    {
      db: api.db,
      runId: run.id,
      scanId: run.scanId,
      runNumber: run.number,
      worker,
      pageLimit,
      issuesPerPage: 500,
    },
    api.pubSub,
    options,
  ).frontier

const entry = (key: string, wave: number, more: Partial<NewEntry> = {}): NewEntry => ({
  url: `https://example.org/${key}`,
  key,
  depth: wave,
  wave,
  foundOn: null,
  exclusion: null,
  ...more,
})
const completed = (): PageOutcome => ({
  kind: 'completed',
  finalUrl: 'https://example.org/',
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: 5,
  title: 'Title\0',
  health: 'good',
  findings: [],
  notices: [],
  content: '<p>x</p>',
})
const excluded: PageOutcome = { kind: 'excluded', reason: 'redirect', detail: '', durationMs: 1 }

/** A made-up site: links by key, with duplicates, a page too deep one way and near another, and redirects. */
const site = (key: string): { outcome: PageOutcome; links: string[] } => {
  const number = Number(key.replace(/\D/g, '')) || 0
  if (number % 7 === 3) return { outcome: excluded, links: [`p${number * 2}`] }
  return { outcome: completed(), links: [3, 1, 5].map((step) => `p${(number * 3 + step) % 60}`) }
}

/** Crawls with several workers that finish in a shuffled order; answers the keys in the order of their claims. */
async function crawl(frontiers: readonly Frontier[], shuffle: boolean): Promise<string[]> {
  const order: string[] = []
  await frontiers[0]!.seed([
    entry('p0', 0),
    entry('other', 0, { exclusion: 'other-domain' }),
    entry('p30', 0),
  ])
  for (;;) {
    const held = []
    for (const frontier of frontiers)
      for (const claim of await frontier.claim(2)) {
        order.push(claim.key)
        held.push({ frontier, claim })
      }
    if (held.length === 0) break
    for (const { frontier, claim } of shuffle ? held.reverse() : held) {
      const { outcome, links } = site(claim.key)
      const found = links.map((key, index) =>
        entry(key, claim.wave + 1, {
          foundOn: claim.url,
          exclusion: claim.wave >= 3 && index === 2 ? 'too-deep' : null,
        }),
      )
      expect(await frontier.record(claim, outcome, found)).toBe(true)
    }
  }
  return order
}

describe('the frontier in PostgreSQL', () => {
  it.each([1000, 23])(
    'visits the pages that the one in memory visits, in its order (limit %i)',
    async (limit) => {
      const memory = openMemoryFrontier({ pageLimit: limit, onRecorded: () => undefined })
      const run = await startRun(`Order ${limit}`)
      const expected = await crawl([memory], false)
      expect(expected.length).toBeGreaterThan(20)
      const order = await crawl([open(run, limit), open(run, limit), open(run, limit)], true)
      expect(order).toEqual(expected)
      expect(await open(run, limit).state()).toBe('drained')
      expect(await finishRun(api, run.id, { kind: 'drained' })).toBe(true)
      const done = (await runById(api, run.id))!
      expect(done.found).toBe(
        done.completed + done.failed + done.excluded + done.other_domain + done.not_reached,
      )
      expect(done).toMatchObject({ status: 'completed', score: 1, other_domain: 1, not_reached: 0 })
    },
  )

  it('takes the same many links from several pages at once, none waiting for another in a circle', async () => {
    const run = await startRun('Shared links')
    const frontier = open(run)
    await frontier.seed(Array.from({ length: 4 }, (_, index) => entry(`s${index}`, 0)))
    const claims = await frontier.claim(4)
    const keys = Array.from({ length: 3000 }, (_, index) => `shared${index}`)
    const deadlocks = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(api.db)
      const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks::int from pg_stat_database where datname = current_database()`.execute(api.db)
      return rows[0]!.deadlocks
    }
    const before = await deadlocks()
    // Each has them in an order of its own.
    const recorded = await Promise.all(
      claims.map((claim, turn) =>
        frontier.record(
          claim,
          completed(),
          [...keys.slice(turn * 750), ...keys.slice(0, turn * 750)].map((key) => entry(key, 1)),
        ),
      ),
    )
    expect(recorded).toEqual([true, true, true, true])
    expect((await frontier.claim(1))[0]!.key).toBe('shared0')
    await expect.poll(deadlocks).toBe(before)
  })

  it('waits for a run that is being ended, and meanwhile gives out those of the other runs', async () => {
    const worker = newId()
    const [ending, going] = [await startRun('Ending'), await startRun('Going on')]
    const frontiers = [ending, going].map((run) => open(run, 1000, {}, worker))
    for (const frontier of frontiers) await frontier.seed([entry('a', 0), entry('b', 0)])
    let claimed: Promise<unknown>
    await api.db.transaction().execute(async (trx) => {
      await sql`select id from run where id = ${ending.id} for update`.execute(trx)
      claimed = frontiers[0]!.claim(1)
      await expect
        .poll(async () => {
          const { rows } =
            await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%key share of run%'
            and datname = current_database()`.execute(api.db)
          return rows.length
        }, patient)
        .toBe(1)
      expect(await frontiers[1]!.claim(1)).toMatchObject([{ key: 'a' }])
    })
    expect(await claimed!).toMatchObject([{ key: 'a' }])
  })

  it('opens a wave of one run while its worker goes on with another', async () => {
    const worker = newId()
    const [large, other] = [await startRun('Large wave'), await startRun('Beside it')]
    const [opening, beside] = [large, other].map((run) => open(run, 1000, {}, worker)) as [Frontier, Frontier]
    await opening.seed([entry('start', 0)])
    await beside.seed([entry('b1', 0), entry('b2', 0)])
    const [claim] = await opening.claim(1)
    await opening.record(claim!, completed(), [entry('next', 1)])
    // Stands for a wave that takes long: it cannot be opened before this ends.
    const opened = await api.db.transaction().execute(async (trx) => {
      await sql`select 1 from frontier where run_id = ${large.id} and wave = 1 for update`.execute(trx)
      const waits = opening.claim(1)
      const isWaiting = sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%order by parent_place%'`
      await expect.poll(async () => (await isWaiting.execute(api.db)).rows.length, patient).toBe(1)
      expect(await beside.claim(1)).toHaveLength(1)
      return { waits }
    })
    expect((await opened.waits).map(({ key }) => key)).toEqual(['next'])
  })

  it('gives each entry to one of many at once', async () => {
    const run = await startRun('Many')
    const frontiers = [open(run), open(run), open(run), open(run)]
    const entries = Array.from({ length: 60 }, (_, index) => entry(`m${index}`, 0))
    await Promise.all(frontiers.map((frontier) => frontier.seed(entries)))
    const claims = (await Promise.all(frontiers.flatMap((one) => [one.claim(9), one.claim(9)]))).flat()
    expect(new Set(claims.map(({ key }) => key)).size).toBe(60)
    expect(claims).toHaveLength(60)
    const recorded = await Promise.all(
      claims.map((claim) => frontiers[0]!.record(claim, completed(), [entry('same', 1)])),
    )
    expect(recorded.every(Boolean)).toBe(true)
    expect((await frontiers[1]!.claim(9)).map(({ key }) => key)).toEqual(['same'])
  })

  it('waits for a disk that is full, and loses nothing; not for ever', async () => {
    const run = await startRun('Full')
    const reports: string[] = []
    const patient = open(run, 1000, { report: (message) => reports.push(message) })
    const hasty = open(run, 1000, { patienceMs: 0 })
    await patient.seed([entry('a', 0)])
    const [claim] = await patient.claim(1)
    // What PostgreSQL says when a table cannot grow.
    await sql`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(api.db)
    await sql`create trigger no_room before insert on page execute function no_room()`.execute(api.db)
    try {
      await expect(hasty.record(claim!, completed(), [])).rejects.toMatchObject({ code: '53100' })
      const recorded = patient.record(claim!, completed(), [])
      await expect.poll(() => reports).toEqual([expect.stringContaining('disk-full')])
      await sql`drop trigger no_room on page`.execute(api.db)
      expect(await recorded).toBe(true)
    } finally {
      await sql`drop function no_room cascade`.execute(api.db)
    }
    expect(reports).toHaveLength(2)
    expect(await patient.state()).toBe('drained')
  })

  it('drops the result of who lost the lease', async () => {
    const run = await startRun('Fence')
    const [slow, quick] = [open(run), open(run)]
    await slow.seed([entry('a', 0)])
    const [late] = await slow.claim(1)
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from lease_until - now())::float8 * 1000 as ms from frontier where run_id = ${run.id}`.execute(
      api.db,
    )
    expect(rows[0]!.ms).toBeLessThanOrEqual(slow.leaseMs)
    expect(rows[0]!.ms).toBeGreaterThan(slow.leaseMs - 5000)
    await sql`update frontier set lease_until = now() - interval '1 second' where run_id = ${run.id}`.execute(
      api.db,
    )
    await sweepLeases(api, [])
    const [again] = await quick.claim(1)
    expect(again!.attempt).toBe(1)
    expect(await slow.renew([late!])).toEqual([late!.token])
    expect(await slow.record(late!, completed(), [entry('b', 1)])).toBe(false)
    expect(await quick.record(again!, completed(), [])).toBe(true)
    expect(await quick.record(again!, completed(), [])).toBe(false)
    await refreshTally(api.db, run.id)
    expect(await runById(api, run.id)).toMatchObject({ completed: 1, found: 1 })
  })

  it('keeps the place of what rests, and counts attempts only with blame', async () => {
    const run = await startRun('Rest')
    const frontier = open(run, 1)
    await frontier.seed([entry('a', 0), entry('b', 0)])
    const [first] = await frontier.claim(2)
    await frontier.release(first!, { blame: false })
    const [second] = await frontier.claim(2)
    expect([second!.key, second!.attempt]).toEqual(['a', 1])
    await frontier.release(second!, { blame: true, notBeforeMs: 150 })
    expect(await frontier.claim(2)).toEqual([])
    expect(await frontier.state()).toBe('open')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await frontier.claim(2)).map(({ key, attempt }) => [key, attempt])).toEqual([['a', 2]])
  })

  it('gives up a URL that takes every worker down', async () => {
    const run = await startRun('Poison')
    const frontier = open(run)
    await frontier.seed([entry('bomb', 0)])
    let poisoned: Awaited<ReturnType<typeof sweepLeases>> = []
    for (let loss = 0; loss < lossesAllowed; loss++) {
      expect(await frontier.claim(1)).toHaveLength(1)
      await sql`update frontier set lease_until = now() - interval '1 second' where run_id = ${run.id}`.execute(
        api.db,
      )
      poisoned = await sweepLeases(api, [])
    }
    expect(poisoned.map(({ claim }) => claim.key)).toEqual(['bomb'])
  })

  it('names the URL that takes workers down, and none of those beside it', async () => {
    const [run, other] = [await startRun('Bombed'), await startRun('Beside')]
    let worker = newId()
    const frontierOf = (one: Run) => open(one, 1000, {}, worker)
    const names = ['a', 'b', 'bomb', 'c', 'd', 'e']
    await frontierOf(run).seed(names.map((name) => entry(name, 0)))
    await frontierOf(other).seed(['x', 'y'].map((name) => entry(name, 0)))
    const lost: string[] = []
    const done: string[] = []
    let losses = 0
    for (let turn = 0; turn < 60 && done.length + lost.length < names.length + 2; turn++) {
      const taken = []
      for (const one of [run, other]) {
        const claims = await frontierOf(one).claim(2)
        taken.push(...claims.map((claim) => ({ claim, frontier: frontierOf(one) })))
      }
      if (taken.some(({ claim }) => claim.key === 'bomb')) {
        losses += 1
        for (const { claim } of await sweepLeases(api, [worker])) lost.push(claim.key)
        worker = newId()
        continue
      }
      for (const { claim, frontier } of taken)
        if (await frontier.record(claim, completed(), [])) done.push(claim.key)
    }
    expect({ lost, losses }).toEqual({ lost: ['bomb'], losses: 3 })
    expect(done.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y'])
  })
})
