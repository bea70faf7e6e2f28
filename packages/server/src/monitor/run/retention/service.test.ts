import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApi } from '../../../../test/api.ts'
import { buildCompleted, buildFailed, buildFinding, recordRun } from '../../../../test/run.ts'
import { createId } from '../../../kit/id.ts'
import { openFrontier } from '../frontier/service.ts'
import { lockRun } from '../frontier/store.ts'
import { recordPage } from '../outcome/service.ts'
import { removeOldData } from './service.ts'
import { sweepScan } from './store.ts'

const api = useTestApi()
let scan: string
beforeAll(async () => {
  const picture = new Uint8Array([0xff, 0xd8, 1])
  const first = await recordRun(api, undefined, {
    a: {
      ...buildCompleted([buildFinding('a'), buildFinding('old', { html: '<img title="old">' })], 'first'),
      views: [picture],
    } as PageOutcome,
  })
  scan = first.scanId
  for (const content of ['second', 'third', 'fourth'])
    await recordRun(api, scan, { a: buildCompleted([buildFinding('a')], content) })
  await sql`update run set ended_at = ended_at - make_interval(days => (5 - number) * 10)`.execute(api.db)
})

const readState = async () => {
  const runs = await api.db.selectFrom('run').select(['number', 'status', 'score']).orderBy('number').execute()
  const countRows = async (table: 'page' | 'finding' | 'blob' | 'evidence') =>
    (await api.db.selectFrom(table).selectAll().execute()).length
  return {
    runs: runs.map(({ number, status }) => `${number} ${status}`),
    rows: [await countRows('page'), await countRows('finding'), await countRows('evidence'), await countRows('blob')],
  }
}
const none = { contentDays: 0, archiveDays: 0, deleteDays: 0, keepRuns: 1, linkRuns: 10 }

describe('old runs', () => {
  it('stay unchanged without a setting', async () => {
    const previousState = await readState()
    expect(previousState.rows).toEqual([4, 6, 2, 5])
    await removeOldData(api, none)
    expect(await readState()).toEqual(previousState)
  })

  it('lose their links first, except the newest', async () => {
    const runs = await api.db.selectFrom('run').select(['id', 'number']).orderBy('number').execute()
    for (const { id } of runs)
      await sql`insert into page_link (run_id, url, targets) values (${id}, 'https://example.org/', '{1}')`.execute(api.db)
    await removeOldData(api, { ...none, linkRuns: 3 })
    const remainingLinks = await api.db.selectFrom('page_link').select('run_id').orderBy('run_id').execute()
    expect(remainingLinks.map(({ run_id: id }) => runs.find((run) => run.id === id)!.number)).toEqual([2, 3, 4])
  })

  it('lose contents, then pages and issues, then themselves; the newest loses nothing', async () => {
    await removeOldData(api, { ...none, contentDays: 35 })
    expect((await readState()).rows).toEqual([4, 6, 2, 3])
    await removeOldData(api, { ...none, archiveDays: 25, keepRuns: 2 })
    const archived = await readState()
    expect(archived.runs).toEqual(['1 archived', '2 archived', '3 completed', '4 completed'])
    expect(archived.rows).toEqual([2, 2, 1, 2])
    const trend = (await api.call('GET', `/scans/${scan}/trend`)).body as { trend: object[] }
    expect(trend.trend).toHaveLength(4)
    await removeOldData(api, { ...none, deleteDays: 15, keepRuns: 1 })
    expect((await readState()).runs).toEqual(['4 completed'])
    await removeOldData(api, { ...none, contentDays: 1, archiveDays: 1, deleteDays: 1 })
    expect(await readState()).toEqual({ runs: ['4 completed'], rows: [1, 1, 1, 1] })
  })

  it('do not change their issues', async () => {
    const run = await recordRun(api, scan, { a: buildCompleted([buildFinding('a')]) })
    const list = (await api.call('GET', `/issues?scanId=${scan}&runNumber=${run.number}`)).body
    expect(list).toMatchObject({ content: [{ change: 'still', status: 'open' }] })
  })
})

it('takes the pictures of a run from its issues, and from those that a later run does not test', async () => {
  const image = new Uint8Array([0xff, 0xd8, 7])
  const picture = { image, mimeType: 'image/jpeg', box: { x: 1, y: 2, width: 3, height: 4 } } as const
  const shown = await recordRun(
    api,
    undefined,
    { a: buildCompleted([buildFinding('seen', { picture })]), b: buildCompleted([buildFinding('kept', { picture })]) },
    'Pictures',
  )
  // The second run cannot test one page, and shows its issue as it was.
  await recordRun(api, shown.scanId, {
    a: buildFailed('timeout-generic'),
    b: buildCompleted([buildFinding('kept', { picture })]),
  })
  const readPictures = async (runNumber: number) => {
    const { rows } = await sql<{ id: string }>`select id from issue where scan_id = ${shown.scanId} order by element_key`.execute(
      api.db,
    )
    const details = await Promise.all(rows.map(({ id }) => api.call('GET', `/issues/${id}?runNumber=${runNumber}`)))
    return details.map(({ body }) => (body as { hasPicture: boolean }).hasPicture)
  }
  expect([await readPictures(1), await readPictures(2)]).toEqual([
    [true, true],
    [true, true],
  ])
  await sql`update run set ended_at = ended_at - interval '50 days' where scan_id = ${shown.scanId}`.execute(api.db)
  await removeOldData(api, { ...none, contentDays: 30 })
  expect([await readPictures(1), await readPictures(2)]).toEqual([
    [false, false],
    [true, true],
  ])
  // The newer run still shows it.
  const { rows } = await sql`select from blob where scan_id = ${shown.scanId} and media_type = 'image/jpeg'`.execute(api.db)
  expect(rows).toHaveLength(1)
  // A run whose pictures were removed hands none on.
  await sql`update run set contents_cleared_at = now() where scan_id = ${shown.scanId}`.execute(api.db)
  await recordRun(api, shown.scanId, { a: buildFailed('timeout-generic'), b: buildFailed('timeout-generic') })
  await recordRun(api, shown.scanId, { a: buildFailed('timeout-generic'), b: buildCompleted([]) })
  expect(await readPictures(4)).toEqual([false, false])
})

it('keeps bytes that a concurrent transaction references', async () => {
  const one = await recordRun(api, undefined, { a: buildCompleted([buildFinding('shared')], 'shared') }, 'Race')
  // Unreferenced: its issue was deleted.
  await sql`delete from finding_span where scan_id = ${one.scanId}`.execute(api.db)
  const started = await api.call('POST', `/scans/${one.scanId}/startRun`, { token: await api.token('runner', ['admin']) })
  const { id: runId, number: runNumber } = started.body as { id: string; number: number }
  const deps = { db: api.db, runId, scanId: one.scanId, runNumber, worker: createId(), pageLimit: 10, issuesPerPage: 50 }
  const { frontier, close } = openFrontier(deps, api.pubSub)
  await frontier.seed([{ url: 'https://example.org/a', key: 'a', depth: 0, wave: 0, foundOn: null, exclusion: null }])
  const [claim] = await frontier.claim(1)
  const countWaiting = async () =>
    (
      await sql<{ count: number }>`select count(*)::int as count from pg_locks
        where locktype = 'advisory' and not granted`.execute(api.db)
    ).rows[0]!.count
  const pending: Promise<unknown>[] = []
  // The page is stored, but its transaction waits for the lock of the run, and the sweep for that transaction.
  await api.db.transaction().execute(async (otherTransaction) => {
    await lockRun(otherTransaction, runId)
    pending.push(recordPage(deps, claim!, buildCompleted([buildFinding('shared')], 'shared'), []))
    await expect.poll(countWaiting).toBe(1)
    pending.push(sweepScan(api, one.scanId))
    await expect.poll(countWaiting).toBe(2)
  })
  await Promise.all(pending)
  close()
  const { rows } = await sql<{ lost: number }>`select count(*)::int as lost from finding f
    where f.run_id = ${runId} and not exists (select from evidence e where e.hash = f.evidence)`.execute(api.db)
  expect(rows).toEqual([{ lost: 0 }])
  const page = await api.db.selectFrom('page').select('content_hash').where('run_id', '=', runId).executeTakeFirst()
  const remainingBlobs = await api.db.selectFrom('blob').select('hash').where('hash', '=', page!.content_hash).execute()
  expect(remainingBlobs).toHaveLength(1)
})
