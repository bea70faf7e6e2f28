import type { NewEntry } from '@clearway/engine/frontier.ts'
import type { PageOutcome } from '@clearway/engine/outcome.ts'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { computeHash } from '../../../kit/hash.ts'
import { createId } from '../../../kit/id.ts'
import { buildScanBody, useTestApi } from '../../../../test/api.ts'
import { finishRun, openFrontier } from './service.ts'
import type { FrontierDeps } from './store.ts'
import { findReferrers } from '../outcome/store.ts'
import { findRunById } from '../store.ts'

const api = useTestApi()

const startRun = async (name: string) => {
  const { id: scanId } = (await api.call('POST', '/scans', { body: buildScanBody(name) })).body as { id: string }
  const { id, number } = (await api.call('POST', `/scans/${scanId}/startRun`)).body as { id: string; number: number }
  return (more: Partial<Pick<FrontierDeps, 'pageLimit' | 'pagesAtOnce' | 'pagesAlone' | 'gapMs'>> = {}) => ({
    runId: id,
    ...openFrontier(
      { db: api.db, runId: id, scanId, runNumber: number, worker: createId(), pageLimit: 100, issuesPerPage: 500, ...more },
      api.pubSub,
    ),
  })
}
const createEntry = (path: string, host = 'a.test', more: Partial<NewEntry> = {}): NewEntry => ({
  url: `https://${host}/${path}`,
  key: `https://${host}/${path}`,
  depth: 0,
  wave: 0,
  foundOn: null,
  exclusion: null,
  ...more,
})
const completed: PageOutcome = {
  kind: 'completed',
  finalUrl: 'https://a.test/',
  httpStatus: 200,
  mimeType: 'text/html',
  durationMs: 1,
  title: 'T',
  health: 'good',
  findings: [],
  notices: [],
  content: null,
}
const listKeys = (claims: readonly { key: string }[]) => claims.map(({ key }) => key.replace('https://', ''))

it('limits the pages of one host in progress over all processes', async () => {
  const open = await startRun('At once')
  const [one, two] = [open({ pagesAtOnce: 2 }).frontier, open({ pagesAtOnce: 2 }).frontier]
  await one.seed([createEntry('1'), createEntry('2'), createEntry('3'), createEntry('4'), createEntry('1', 'b.test')])
  const first = await one.claim(1)
  expect(listKeys(first)).toEqual(['a.test/1'])
  expect(listKeys(await two.claim(9))).toEqual(['a.test/2', 'b.test/1'])
  expect(await one.claim(9)).toEqual([])
  await one.record(first[0]!, completed, [])
  expect(listKeys(await two.claim(9))).toEqual(['a.test/3'])
})

it('allows more pages of a host to a process that has it to itself', async () => {
  const open = await startRun('Alone')
  const alone = { pagesAtOnce: 2, pagesAlone: 3 }
  const [one, two] = [open(alone).frontier, open(alone).frontier]
  await one.seed(['1', '2', '3', '4', '5', '6'].map((path) => createEntry(path)))
  const first = await one.claim(1)
  expect(listKeys(await two.claim(9))).toEqual(['a.test/2'])
  await one.record(first[0]!, completed, [])
  const [third] = await two.claim(9)
  expect([listKeys([third!]), await two.claim(9)]).toEqual([['a.test/3'], []])
  const [fourth] = await two.claim(9, true)
  expect([listKeys([fourth!]), await two.claim(9, true)]).toEqual([['a.test/4'], []])
  // Two of its three pages still reach the shared limit for other processes.
  expect(await one.claim(9)).toEqual([])
  await two.record(third!, completed, [])
  expect(await one.claim(9)).toEqual([])
  await two.record(fourth!, completed, [])
  expect(listKeys(await one.claim(9))).toEqual(['a.test/5'])
  expect(await two.claim(9, true)).toEqual([])
})

it('keeps a gap between visits to one host over all processes, and pauses a host on request', async () => {
  const open = await startRun('Gap')
  const [one, two] = [open({ gapMs: 400 }).frontier, open({ gapMs: 400 }).frontier]
  await one.seed([createEntry('1'), createEntry('2'), createEntry('1', 'b.test'), createEntry('3')])
  expect(listKeys(await one.claim(9))).toEqual(['a.test/1', 'b.test/1'])
  expect(await two.claim(9)).toEqual([])
  await two.slow('a.test:443', { untilMs: 60_000, gapMs: 100 })
  await new Promise((resolve) => setTimeout(resolve, 450))
  expect(await two.claim(9)).toEqual([])
  await sql`update host_pace set next_at = now() - interval '1 s' where host = 'a.test:443'`.execute(api.db)
  expect(listKeys(await one.claim(9))).toEqual(['a.test/2'])
})

it('tells every process to which pages start URLs redirect', async () => {
  const open = await startRun('Start targets')
  const [one, two] = [open().frontier, open().frontier]
  await one.seed([createEntry('start'), createEntry('other')])
  const [start, other] = await one.claim(2)
  const redirected: PageOutcome = { kind: 'excluded', reason: 'redirect', detail: 'Redirects', durationMs: 1 }
  await one.record(start!, redirected, [createEntry('new/en/', 'a.test', { wave: 1 })])
  await one.record(other!, redirected, [createEntry('out', 'b.test', { wave: 1, exclusion: 'other-domain' })])
  const [target] = await two.claim(1)
  await two.record(target!, completed, [createEntry('new/en/a', 'a.test', { wave: 2, depth: 1, foundOn: target!.url })])
  expect(await two.listStartTargets()).toEqual(['https://a.test/new/en/'])
})

it('counts the PDFs of all processes together', async () => {
  const open = await startRun('PDFs')
  const [one, two] = [open().frontier, open().frontier]
  const admitted = await Promise.all([one.admitPdf(3), two.admitPdf(3), one.admitPdf(3), two.admitPdf(3)])
  expect(admitted.filter(Boolean)).toHaveLength(3)
})

it('records states as pages, links, and reasons for exclusion', async () => {
  const open = await startRun('States')
  const { frontier, runId } = open({ pageLimit: 4 })
  await frontier.seed([createEntry('shop'), createEntry('other'), createEntry('late'), createEntry('later'), createEntry('last')])
  const [shop, other] = await frontier.claim(2)
  const states = ['closed', 'open'].map((label) => ({
    url: 'https://a.test/shop',
    key: `https://a.test/shop state ${label}`,
    label,
    outcome: { ...completed, stateLabel: `shop-${label}` },
  }))
  const excludedEntry = createEntry('out', 'a.test', { wave: 1, exclusion: 'excluded-by-rule', detail: 'Rule 1 excludes it' })
  const excluded: PageOutcome = { kind: 'excluded', reason: 'not-a-page', detail: '2 states', durationMs: 1 }
  expect(await frontier.record(shop!, excluded, [excludedEntry], states)).toBe(true)
  expect(await frontier.record(other!, completed, [excludedEntry, createEntry('other')])).toBe(true)
  const [late] = await frontier.claim(1)
  expect(await frontier.record(late!, completed, [])).toBe(true)
  expect(await frontier.state()).toBe('drained')
  expect(await finishRun(api, runId, { kind: 'drained' })).toBe(true)
  const run = (await findRunById(api, runId))!
  expect(run).toMatchObject({ completed: 4, excluded: 2, over_limit: 2, found: 8, not_reached: 0 })
  const { rows } = await sql<{ path: string; status: string; exclusion: string | null; detail: string | null }>`
    select replace(url, 'https://a.test/', '') as path, status, exclusion, detail from page
    where run_id = ${runId} and exclusion is not null order by url`.execute(api.db)
  expect(rows).toEqual([
    { path: 'last', status: 'excluded', exclusion: 'over-limit', detail: null },
    { path: 'later', status: 'excluded', exclusion: 'over-limit', detail: null },
    { path: 'out', status: 'excluded', exclusion: 'excluded-by-rule', detail: 'Rule 1 excludes it' },
    { path: 'shop', status: 'excluded', exclusion: 'not-a-page', detail: '2 states' },
  ])
  // The page of the URL itself, which has the states.
  const { rows: pages } = await sql<{ id: string; url: string }>`
    select id, url from page where run_id = ${runId} order by (detail is not null) desc, id`.execute(api.db)
  const getPageId = (url: string) => pages.find((one) => one.url === url)!.id
  expect(await findReferrers(api, runId, computeHash('https://a.test/out'))).toEqual({
    first: ['https://a.test/shop', 'https://a.test/other'],
    pages: [getPageId('https://a.test/shop'), getPageId('https://a.test/other')],
    count: 2,
  })
  // A link of a page to itself leads its reader nowhere.
  expect(await findReferrers(api, runId, computeHash('https://a.test/other'))).toMatchObject({ first: [], count: 0 })
})

it('records a banner once, whichever page or process met it first', async () => {
  const open = await startRun('Banner')
  const { frontier, runId } = open()
  await frontier.seed([createEntry('1'), createEntry('2')])
  for (const claim of await frontier.claim(2)) {
    const banner = {
      url: 'https://a.test/#consent-dialog',
      key: 'https://a.test/ state banner 1',
      label: 'Consent dialog',
      foundOn: `banner:${claim.url}`,
      outcome: { ...completed, stateLabel: 'Consent dialog' },
    }
    expect(await frontier.record(claim, completed, [], [banner])).toBe(true)
  }
  expect(await finishRun(api, runId, { kind: 'drained' })).toBe(true)
  expect(await findRunById(api, runId)).toMatchObject({ completed: 3, found: 3 })
  const { rows } = await sql<{ id: string }>`
    select id from page where run_id = ${runId} and found_on like 'banner:%'`.execute(api.db)
  expect(rows).toHaveLength(1)
  // A re-check would visit the address without the banner.
  expect((await api.call('POST', `/pages/${rows[0]!.id}/recheck`)).body).toMatchObject({ code: 'not-recheckable' })
})

it('counts no banner toward the page limit', async () => {
  const open = await startRun('Banner and limit')
  const { frontier } = open({ pageLimit: 2 })
  await frontier.seed([createEntry('1'), createEntry('2'), createEntry('3')])
  const [first] = await frontier.claim(1)
  const banner = { url: 'https://a.test/#b', key: 'https://a.test/ state banner 1', label: 'Consent dialog', foundOn: 'banner:1' }
  await frontier.record(first!, completed, [], [{ ...banner, outcome: completed }])
  const more = await frontier.claim(9)
  expect(listKeys(more)).toEqual(['a.test/2'])
  await frontier.record(more[0]!, { ...completed, notices: ['content-out-of-reach'] }, [])
  expect(await frontier.claim(9)).toEqual([])
  expect(await frontier.state()).toBe('drained')
})
