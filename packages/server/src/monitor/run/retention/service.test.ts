import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOfFile } from '../../../../test/api.ts'
import { completed, finding, wholeRun } from '../../../../test/run.ts'
import { newId } from '../../../kit/id.ts'
import { carryFindings, hasSameFindings } from '../../issue/carry/store.ts'
import { storeFindings } from '../../issue/finding/store.ts'
import { openFrontier } from '../frontier/service.ts'
import { storePage } from '../outcome/store.ts'
import { housekeep } from './service.ts'
import { sweepScan } from './store.ts'

const api = apiOfFile()
let scan: string
beforeAll(async () => {
  const picture = new Uint8Array([0xff, 0xd8, 1])
  const first = await wholeRun(api, undefined, {
    a: {
      ...completed([finding('a'), finding('old', { html: '<img title="old">' })], 'first'),
      views: [picture],
    } as PageOutcome,
  })
  scan = first.scanId
  for (const content of ['second', 'third', 'fourth'])
    await wholeRun(api, scan, { a: completed([finding('a')], content) })
  await sql`update run set ended_at = ended_at - make_interval(days => (5 - number) * 10)`.execute(api.db)
})

const state = async () => {
  const runs = await api.db
    .selectFrom('run')
    .select(['number', 'status', 'score'])
    .orderBy('number')
    .execute()
  const count = async (table: 'page' | 'finding' | 'blob' | 'evidence') =>
    (await api.db.selectFrom(table).selectAll().execute()).length
  return {
    runs: runs.map(({ number, status }) => `${number} ${status}`),
    rows: [await count('page'), await count('finding'), await count('evidence'), await count('blob')],
  }
}
const none = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 1, linkRuns: 10 }

describe('old runs', () => {
  it('stay as they are without a setting', async () => {
    const before = await state()
    expect(before.rows).toEqual([4, 6, 2, 5])
    await housekeep(api, none)
    expect(await state()).toEqual(before)
  })

  it('lose who links to whom first, but for the newest', async () => {
    const runs = await api.db.selectFrom('run').select(['id', 'number']).orderBy('number').execute()
    for (const { id } of runs)
      await sql`insert into page_link (run_id, url, targets) values (${id}, 'https://example.org/', '{1}')`.execute(
        api.db,
      )
    await housekeep(api, { ...none, linkRuns: 3 })
    const left = await api.db.selectFrom('page_link').select('run_id').orderBy('run_id').execute()
    expect(left.map(({ run_id: id }) => runs.find((run) => run.id === id)!.number)).toEqual([2, 3, 4])
  })

  it('lose contents, then pages and issues, then themselves; the newest loses nothing', async () => {
    await housekeep(api, { ...none, contentDays: 35 })
    expect((await state()).rows).toEqual([4, 6, 2, 3])
    await housekeep(api, { ...none, archiveDays: 25, keepRuns: 2 })
    const archived = await state()
    expect(archived.runs).toEqual(['1 archived', '2 archived', '3 completed', '4 completed'])
    expect(archived.rows).toEqual([2, 2, 1, 2])
    const trend = (await api.call('GET', `/scans/${scan}/trend`)).body as { trend: object[] }
    expect(trend.trend).toHaveLength(4)
    await housekeep(api, { ...none, deleteDays: 15, keepRuns: 1 })
    expect((await state()).runs).toEqual(['4 completed'])
    await housekeep(api, { ...none, contentDays: 1, archiveDays: 1, deleteDays: 1 })
    expect(await state()).toEqual({ runs: ['4 completed'], rows: [1, 1, 1, 1] })
  })

  it('leave the issue what it is', async () => {
    const run = await wholeRun(api, scan, { a: completed([finding('a')]) })
    const list = (await api.call('GET', `/issues?scanId=${scan}&runNumber=${run.number}`)).body
    expect(list).toMatchObject({ content: [{ change: 'still', status: 'open' }] })
  })
})

it('takes no text away that a page which is being stored has found to be there', async () => {
  const one = await wholeRun(api, undefined, { a: completed([finding('shared')], 'shared') }, 'Race')
  // Nobody names it any more: its issue is gone.
  await sql`delete from finding where run_id = ${one.id}`.execute(api.db)
  const started = await api.call('POST', `/scans/${one.scanId}/startRun`, {
    token: await api.token('runner', ['admin']),
  })
  const { id: runId, number: runNumber } = started.body as { id: string; number: number }
  const deps = {
    db: api.db,
    runId,
    scanId: one.scanId,
    runNumber,
    worker: newId(),
    pageLimit: 10,
    issuesPerPage: 50,
  }
  const { frontier, close } = openFrontier(deps, api.pubSub)
  await frontier.seed([
    { url: 'https://example.org/a', key: 'a', depth: 0, wave: 0, foundOn: null, exclusion: null },
  ])
  const [claim] = await frontier.claim(1)
  let goOn = () => {}
  const gate = new Promise<void>((done) => (goOn = done))
  const sweeping: Promise<void>[] = []
  const slowly: typeof storeFindings = async (...args) => {
    const stored = await storeFindings(...args)
    sweeping.push(sweepScan(api, one.scanId))
    // As long as this is not done the other one waits.
    await Promise.race([gate, ...sweeping])
    return stored
  }
  setTimeout(goOn, 500)
  await storePage(
    { ...deps, storeFindings: slowly, carryFindings, sameFindings: hasSameFindings },
    claim!,
    completed([finding('shared')], 'shared'),
    [],
  )
  await Promise.all(sweeping)
  close()
  const { rows } = await sql<{ lost: number }>`select count(*)::int as lost from finding f
    where f.run_id = ${runId} and not exists (select from evidence e where e.hash = f.evidence)`.execute(
    api.db,
  )
  expect(rows).toEqual([{ lost: 0 }])
  const page = await api.db
    .selectFrom('page')
    .select('content_hash')
    .where('run_id', '=', runId)
    .executeTakeFirst()
  const kept = await api.db.selectFrom('blob').select('hash').where('hash', '=', page!.content_hash).execute()
  expect(kept).toHaveLength(1)
})
