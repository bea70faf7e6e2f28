import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useTestApi, buildScanBody } from '../../../../test/api.ts'
import { buildCompleted, buildFinding, type TestRun, recordRun } from '../../../../test/run.ts'
import { runsInView } from '../../page/store.ts'
import { searchPages } from './store.ts'

const api = useTestApi()
let admin: string
let run: TestRun
let hidden: TestRun
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  run = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]), b: buildCompleted([]) }, 'Shop 100%')
  hidden = await recordRun(api, undefined, { a: buildCompleted([buildFinding('a')]) }, 'Shop behind')
})

type Found = Record<'scans' | 'pages' | 'rules' | 'people', Record<string, string>[]> & { complete: boolean }
const runSearch = async (q: string, token = admin) =>
  (await api.call('GET', `/search?q=${encodeURIComponent(q)}`, { token })).body as Found

it('finds scans, pages and rules by parts of their names, a few of each', async () => {
  const searchResult = await runSearch('shop')
  expect(searchResult.scans.map(({ name }) => name)).toEqual(['Shop 100%', 'Shop behind'])
  expect((await runSearch('SHOP 1')).scans).toMatchObject([{ id: run.scanId }])
  // SQL wildcards are literals here.
  expect((await runSearch('p 100%')).scans).toHaveLength(1)
  expect((await runSearch('sho_')).scans).toEqual([])
  expect((await runSearch('image-a')).rules).toMatchObject([{ rule: 'image-alt' }])
  const { pages, complete } = await runSearch('http')
  expect([pages.length, complete]).toEqual([3, true])
  expect(pages.filter(({ scanId }) => scanId === run.scanId)).toHaveLength(2)
})

it('finds people by their name', async () => {
  // The creator of a scan has a role on it.
  await api.call('POST', '/scans', { token: admin, body: buildScanBody('Made by somebody') })
  expect((await runSearch('admin')).people).toMatchObject([{ id: 'admin' }])
})

it('reveals no inaccessible results', async () => {
  const stranger = await api.token('stranger')
  expect(await runSearch('shop', stranger)).toMatchObject({ scans: [], pages: [], people: [] })
  expect(await runSearch('http', stranger)).toMatchObject({ pages: [] })
  expect(await runSearch('admin', stranger)).toMatchObject({ people: [] })
  const { token } = (await api.call('POST', `/scans/${hidden.scanId}/public-token`, { token: admin, body: {} })).body as {
    token: string
  }
  const searchAsGuest = async (q: string) => (await api.call('GET', `/search?q=${q}`, { guest: token })).body as Found
  expect((await searchAsGuest('shop')).scans.map(({ name }) => name)).toEqual(['Shop behind'])
  expect((await searchAsGuest('admin')).people).toEqual([])
})

it('searches pages for at most two callers at once, and tells the others', async () => {
  const runs = runsInView(sql`(select id as scan_id, 1 as rank from scan)`, { scanId: [] })
  const look = () => searchPages(api, runs, 'http')
  const searchResults = await Promise.all([look(), look(), look()])
  expect(searchResults.map((pages) => pages?.length ?? null)).toEqual([3, 3, null])
  expect(await look()).toHaveLength(3)
})

it('limits the length of search texts', async () => {
  for (const q of ['', ' a ', 'a'.repeat(201)])
    expect((await api.call('GET', `/search?q=${encodeURIComponent(q)}`, { token: admin })).status).toBe(400)
})
