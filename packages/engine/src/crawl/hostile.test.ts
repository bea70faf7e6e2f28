import { afterAll, beforeAll, expect, it } from 'vitest'
import { fault, hostilePages, hostileRoutes, script } from '../../test/hostile-pages.ts'
import {
  fate,
  html,
  openTestPool,
  rulesOf,
  serve,
  tryScan,
  type TestScan,
  type TestSite,
  poolOfFile,
} from '../../test/harness.ts'

// Pages that mean harm, or do it without meaning to: each ends with its reason, and none takes others along.

const pool = poolOfFile()
let site: TestSite
let scanned: TestScan
beforeAll(async () => {
  site = await serve(hostileRoutes)
  scanned = await tryScan(pool, site, {
    urls: Object.keys(hostilePages),
    advanced: { pageTimeoutMs: 7000 },
    plan: { depth: 0 },
  })
}, 300_000)
afterAll(async () => {
  await site.close()
})

it.each(Object.entries(hostilePages))('%s', (path, { fate: expected, found }) => {
  expect(expected.split(' or ')).toContain(fate(scanned.pages[path]))
  if (found) expect(rulesOf(scanned.pages[path])).toContain('image-alt')
})

it('leaves the browser fit for the next run', async () => {
  const after = await tryScan(pool, site, { urls: ['/after'] })
  expect(rulesOf(after.pages['/after'])).toEqual(['image-alt'])
})

it('ends a page that takes all the memory, and blames no page that shared the browser with it', async () => {
  const fill = 'const b=[];for(let i=0;i<60;i++){const u=new Uint8Array(64<<20);u.fill(1);b.push(u)}'
  const greedy = await serve({ '/': script(fill), '/after': html('After', fault) })
  const small = await openTestPool(0.8 * 1024 ** 3)
  const { pages } = await tryScan(small, greedy, {
    urls: ['/', '/after'],
    plan: { depth: 0 },
  })
  expect([fate(pages['/']), fate(pages['/after'])]).toEqual(['failed out-of-memory', 'completed'])
  await small.close()
  await greedy.close()
})
