import { openMemoryFrontier } from '@clearway/engine/crawl/memory-frontier.ts'
import type { Frontier, NewEntry } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createId } from '../../../kit/id.ts'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { finishRun, type FrontierOptions, openFrontier } from './service.ts'
import { refreshRunCounts } from '../finish/store.ts'
import { maxWorkerLosses, releaseDeadLeases } from './store.ts'
import { findRunById } from '../store.ts'

const api = useTestApi()
const patient = { timeout: 20_000 }

type Run = { id: string; scanId: string; number: number }
async function startRun(name: string, scanId?: string): Promise<Run> {
  const id = scanId ?? ((await api.call('POST', '/scans', { body: buildScanBody(name) })).body as { id: string }).id
  const run = (await api.call('POST', `/scans/${id}/startRun`)).body as { id: string; number: number }
  return { id: run.id, scanId: id, number: run.number }
}
const openFrontierOf = (run: Run, pageLimit = 1000, options: FrontierOptions = {}, worker: string = createId()) =>
  openFrontier(
    { db: api.db, runId: run.id, scanId: run.scanId, runNumber: run.number, worker, pageLimit, issuesPerPage: 500 },
    api.pubSub,
    options,
  ).frontier

const createEntry = (key: string, wave: number, more: Partial<NewEntry> = {}): NewEntry => ({
  url: `https://example.org/${key}`,
  key,
  depth: wave,
  wave,
  foundOn: null,
  exclusion: null,
  ...more,
})
const createCompleted = (): PageOutcome => ({
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

/** A fake site: links by key, with duplicates, redirects, and a page that is too deep one way but not another. */
const site = (key: string): { outcome: PageOutcome; links: string[] } => {
  const number = Number(key.replace(/\D/g, '')) || 0
  if (number % 7 === 3) return { outcome: excluded, links: [`p${number * 2}`] }
  return { outcome: createCompleted(), links: [3, 1, 5].map((step) => `p${(number * 3 + step) % 60}`) }
}

/** Crawls with several workers that finish in shuffled order; returns the keys in the order of their claims. */
async function crawl(frontiers: readonly Frontier[], shuffle: boolean): Promise<string[]> {
  const order: string[] = []
  await frontiers[0]!.seed([createEntry('p0', 0), createEntry('other', 0, { exclusion: 'other-domain' }), createEntry('p30', 0)])
  for (;;) {
    const activeClaims = []
    for (const frontier of frontiers)
      for (const claim of await frontier.claim(2)) {
        order.push(claim.key)
        activeClaims.push({ frontier, claim })
      }
    if (activeClaims.length === 0) break
    for (const { frontier, claim } of shuffle ? activeClaims.reverse() : activeClaims) {
      const { outcome, links } = site(claim.key)
      const newEntries = links.map((key, index) =>
        createEntry(key, claim.wave + 1, { foundOn: claim.url, exclusion: claim.wave >= 3 && index === 2 ? 'too-deep' : null }),
      )
      expect(await frontier.record(claim, outcome, newEntries)).toBe(true)
    }
  }
  return order
}

describe('the frontier in PostgreSQL', () => {
  it.each([1000, 23])('visits the same pages in the same order as the frontier in memory (limit %i)', async (limit) => {
    const memory = openMemoryFrontier({ pageLimit: limit, onRecorded: () => undefined })
    const run = await startRun(`Order ${limit}`)
    const expected = await crawl([memory], false)
    expect(expected.length).toBeGreaterThan(20)
    const order = await crawl([openFrontierOf(run, limit), openFrontierOf(run, limit), openFrontierOf(run, limit)], true)
    expect(order).toEqual(expected)
    expect(await openFrontierOf(run, limit).state()).toBe('drained')
    expect(await finishRun(api, run.id, { kind: 'drained' })).toBe(true)
    const done = (await findRunById(api, run.id))!
    expect(done.found).toBe(done.completed + done.failed + done.excluded + done.other_domain + done.not_reached + done.over_limit)
    expect(done).toMatchObject({ status: 'completed', score: 1, other_domain: 1, not_reached: 0 })
  })

  it('hands out the URL to open with its session, and stores the one to show', async () => {
    const run = await startRun('Sessions')
    const frontier = openFrontierOf(run, 1)
    const addresses = ['open', 'waiting'].map((key) => ({
      url: `https://example.org/${key}`,
      visitUrl: `https://example.org/${key}?sid=9`,
    }))
    await frontier.seed(addresses.map((urls, index) => createEntry(`k${index}`, 0, urls)))
    const claims = await frontier.claim(2)
    expect(claims.map(({ url, visitUrl }) => ({ url, visitUrl }))).toEqual([addresses[0]])
    await frontier.record(claims[0]!, createCompleted(), [])
    await finishRun(api, run.id, { kind: 'drained' })
    const pages = await api.db
      .selectFrom('page')
      .select(['url', 'exclusion'])
      .where('run_id', '=', run.id)
      .orderBy('url')
      .execute()
    expect(pages).toEqual([
      { url: 'https://example.org/open', exclusion: null },
      { url: 'https://example.org/waiting', exclusion: 'over-limit' },
    ])
  })

  it('inserts the same links from several pages concurrently without deadlocks', async () => {
    const run = await startRun('Shared links')
    const frontier = openFrontierOf(run)
    await frontier.seed(Array.from({ length: 4 }, (_, index) => createEntry(`s${index}`, 0)))
    const claims = await frontier.claim(4)
    const keys = Array.from({ length: 3000 }, (_, index) => `shared${index}`)
    const deadlocks = async () => {
      await sql`select pg_stat_force_next_flush()`.execute(api.db)
      const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks::int from pg_stat_database where datname = current_database()`.execute(api.db)
      return rows[0]!.deadlocks
    }
    const previousDeadlocks = await deadlocks()
    // Each page lists them in a different order.
    const recorded = await Promise.all(
      claims.map((claim, turn) =>
        frontier.record(
          claim,
          createCompleted(),
          [...keys.slice(turn * 750), ...keys.slice(0, turn * 750)].map((key) => createEntry(key, 1)),
        ),
      ),
    )
    expect(recorded).toEqual([true, true, true, true])
    expect((await frontier.claim(1))[0]!.key).toBe('shared0')
    await expect.poll(deadlocks).toBe(previousDeadlocks)
  })

  it('waits for a run that is ending, and still serves claims of other runs', async () => {
    const worker = createId()
    const [ending, going] = [await startRun('Ending'), await startRun('Going on')]
    const frontiers = [ending, going].map((run) => openFrontierOf(run, 1000, {}, worker))
    for (const frontier of frontiers) await frontier.seed([createEntry('a', 0), createEntry('b', 0)])
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

  it('opens a wave of one run while its worker continues with another', async () => {
    const worker = createId()
    const [large, other] = [await startRun('Large wave'), await startRun('Beside it')]
    const [opening, beside] = [large, other].map((run) => openFrontierOf(run, 1000, {}, worker)) as [Frontier, Frontier]
    await opening.seed([createEntry('start', 0)])
    await beside.seed([createEntry('b1', 0), createEntry('b2', 0)])
    const [claim] = await opening.claim(1)
    await opening.record(claim!, createCompleted(), [createEntry('next', 1)])
    // Simulates a slow wave: opening it takes until this transaction ends.
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

  it('gives each entry to only one of many concurrent claims', async () => {
    const run = await startRun('Many')
    const frontiers = [openFrontierOf(run), openFrontierOf(run), openFrontierOf(run), openFrontierOf(run)]
    const entries = Array.from({ length: 60 }, (_, index) => createEntry(`m${index}`, 0))
    await Promise.all(frontiers.map((frontier) => frontier.seed(entries)))
    const claims = (await Promise.all(frontiers.flatMap((one) => [one.claim(9), one.claim(9)]))).flat()
    expect(new Set(claims.map(({ key }) => key)).size).toBe(60)
    expect(claims).toHaveLength(60)
    const recorded = await Promise.all(
      claims.map((claim) => frontiers[0]!.record(claim, createCompleted(), [createEntry('same', 1)])),
    )
    expect(recorded.every(Boolean)).toBe(true)
    expect((await frontiers[1]!.claim(9)).map(({ key }) => key)).toEqual(['same'])
  })

  it('waits for a full disk for a limited time without losing results', async () => {
    const run = await startRun('Full')
    const reports: string[] = []
    const patient = openFrontierOf(run, 1000, { report: (message) => reports.push(message) })
    const hasty = openFrontierOf(run, 1000, { timeoutMs: 0 })
    await patient.seed([createEntry('a', 0)])
    const [claim] = await patient.claim(1)
    // The error that PostgreSQL raises when a table cannot grow.
    await sql`create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$`.execute(api.db)
    await sql`create trigger no_room before insert on run_page execute function no_room()`.execute(api.db)
    try {
      await expect(hasty.record(claim!, createCompleted(), [])).rejects.toMatchObject({ code: '53100' })
      const recorded = patient.record(claim!, createCompleted(), [])
      await expect.poll(() => reports).toEqual([expect.stringContaining('disk-full')])
      await sql`drop trigger no_room on run_page`.execute(api.db)
      expect(await recorded).toBe(true)
    } finally {
      await sql`drop function no_room cascade`.execute(api.db)
    }
    expect(reports).toHaveLength(2)
    expect(await patient.state()).toBe('drained')
  })

  it('drops the result of a worker that lost its lease', async () => {
    const run = await startRun('Fence')
    const [slow, quick] = [openFrontierOf(run), openFrontierOf(run)]
    await slow.seed([createEntry('a', 0)])
    const [late] = await slow.claim(1)
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from lease_until - now())::float8 * 1000 as ms from frontier where run_id = ${run.id}`.execute(api.db)
    expect(rows[0]!.ms).toBeLessThanOrEqual(slow.leaseMs)
    expect(rows[0]!.ms).toBeGreaterThan(slow.leaseMs - 5000)
    await sql`update frontier set lease_until = now() - interval '1 second' where run_id = ${run.id}`.execute(api.db)
    await releaseDeadLeases(api, [])
    const [again] = await quick.claim(1)
    expect(again!.attempt).toBe(1)
    expect(await slow.renew([late!])).toEqual([late!.token])
    expect(await slow.record(late!, createCompleted(), [createEntry('b', 1)])).toBe(false)
    expect(await quick.record(again!, createCompleted(), [])).toBe(true)
    expect(await quick.record(again!, createCompleted(), [])).toBe(false)
    await refreshRunCounts(api.db, run.id)
    expect(await findRunById(api, run.id)).toMatchObject({ completed: 1, found: 1 })
  })

  it('keeps the position of delayed entries, and counts attempts only with blame', async () => {
    const run = await startRun('Rest')
    const frontier = openFrontierOf(run, 1)
    await frontier.seed([createEntry('a', 0), createEntry('b', 0)])
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

  it('gives up a URL that crashes every worker', async () => {
    const run = await startRun('Poison')
    const workerId = createId()
    const frontier = openFrontierOf(run, 1000, {}, workerId)
    await frontier.seed([createEntry('bomb', 0)])
    let poisoned: Awaited<ReturnType<typeof releaseDeadLeases>>['abandoned'] = []
    const released: unknown[] = []
    for (let loss = 0; loss < maxWorkerLosses; loss++) {
      expect(await frontier.claim(1)).toHaveLength(1)
      await sql`update frontier set lease_until = now() - interval '1 second' where run_id = ${run.id}`.execute(api.db)
      const { abandoned, ...counts } = await releaseDeadLeases(api, [])
      poisoned = abandoned
      released.push(counts)
    }
    expect(released).toEqual(Array.from({ length: maxWorkerLosses }, () => ({ workers: [workerId], pages: 1 })))
    expect(poisoned.map(({ claim }) => claim.key)).toEqual(['bomb'])
  })

  it('gives up only the URL that crashes workers, not those in progress at the same time', async () => {
    const [run, other] = [await startRun('Bombed'), await startRun('Beside')]
    let worker = createId()
    const openFrontierFor = (one: Run) => openFrontierOf(one, 1000, {}, worker)
    const names = ['a', 'b', 'bomb', 'c', 'd', 'e']
    await openFrontierFor(run).seed(names.map((name) => createEntry(name, 0)))
    await openFrontierFor(other).seed(['x', 'y'].map((name) => createEntry(name, 0)))
    const lost: string[] = []
    const done: string[] = []
    let losses = 0
    for (let turn = 0; turn < 60 && done.length + lost.length < names.length + 2; turn++) {
      const claimedPages = []
      for (const one of [run, other]) {
        const claims = await openFrontierFor(one).claim(2)
        claimedPages.push(...claims.map((claim) => ({ claim, frontier: openFrontierFor(one) })))
      }
      if (claimedPages.some(({ claim }) => claim.key === 'bomb')) {
        losses += 1
        for (const { claim } of (await releaseDeadLeases(api, [worker])).abandoned) lost.push(claim.key)
        worker = createId()
        continue
      }
      for (const { claim, frontier } of claimedPages)
        if (await frontier.record(claim, createCompleted(), [])) done.push(claim.key)
    }
    expect({ lost, losses }).toEqual({ lost: ['bomb'], losses: 3 })
    expect(done.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y'])
  })
})
