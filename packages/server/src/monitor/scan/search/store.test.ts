import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { apiOfFile, scanBody } from '../../../../test/api.ts'
import { completed, finding, type TestRun, wholeRun } from '../../../../test/run.ts'
import { runsInView } from '../../page/store.ts'
import { pagesLike } from './store.ts'

const api = apiOfFile()
let admin: string
let run: TestRun
let hidden: TestRun
beforeAll(async () => {
  admin = await api.token('admin', ['access', 'admin'])
  run = await wholeRun(api, undefined, { a: completed([finding('a')]), b: completed([]) }, 'Shop 100%')
  hidden = await wholeRun(api, undefined, { a: completed([finding('a')]) }, 'Shop behind')
})

type Found = Record<'scans' | 'pages' | 'rules' | 'people', Record<string, string>[]> & { complete: boolean }
const search = async (q: string, token = admin) =>
  (await api.call('GET', `/search?q=${encodeURIComponent(q)}`, { token })).body as Found

it('finds scans, pages and rules by a part of what they are called, a few of each', async () => {
  const found = await search('shop')
  expect(found.scans.map(({ name }) => name)).toEqual(['Shop 100%', 'Shop behind'])
  expect((await search('SHOP 1')).scans).toMatchObject([{ id: run.scanId }])
  // Wildcards of SQL are letters here.
  expect((await search('p 100%')).scans).toHaveLength(1)
  expect((await search('sho_')).scans).toEqual([])
  expect((await search('image-a')).rules).toMatchObject([{ rule: 'image-alt' }])
  const { pages, complete } = await search('http')
  expect([pages.length, complete]).toEqual([3, true])
  expect(pages.filter(({ scanId }) => scanId === run.scanId)).toHaveLength(2)
})

it('finds people by their name', async () => {
  // Whoever makes a scan has a role on it.
  await api.call('POST', '/scans', { token: admin, body: scanBody('Made by somebody') })
  expect((await search('admin')).people).toMatchObject([{ id: 'admin' }])
})

it('shows nobody what they may not see', async () => {
  const stranger = await api.token('stranger')
  expect(await search('shop', stranger)).toMatchObject({ scans: [], pages: [], people: [] })
  expect(await search('http', stranger)).toMatchObject({ pages: [] })
  expect(await search('admin', stranger)).toMatchObject({ people: [] })
  const { token } = (
    await api.call('POST', `/scans/${hidden.scanId}/public-token`, { token: admin, body: {} })
  ).body as { token: string }
  const guest = async (q: string) => (await api.call('GET', `/search?q=${q}`, { guest: token })).body as Found
  expect((await guest('shop')).scans.map(({ name }) => name)).toEqual(['Shop behind'])
  expect((await guest('admin')).people).toEqual([])
})

it('looks through the pages for two at once, and the others learn that', async () => {
  const runs = runsInView(sql`(select id as scan_id, 1 as rank from scan)`, { scanId: [] })
  const look = () => pagesLike(api, runs, 'http')
  const found = await Promise.all([look(), look(), look()])
  expect(found.map((pages) => pages?.length ?? null)).toEqual([3, 3, null])
  expect(await look()).toHaveLength(3)
})

it('takes words of a sensible length', async () => {
  for (const q of ['', ' a ', 'a'.repeat(201)])
    expect((await api.call('GET', `/search?q=${encodeURIComponent(q)}`, { token: admin })).status).toBe(400)
})
