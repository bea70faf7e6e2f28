/** @module-tag slow */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultyImage, hostilePages, hostileRoutes, buildScriptPage } from '../../test/hostile-pages.ts'
import {
  allowForSlowness,
  describeOutcome,
  html,
  openTestPool,
  listRules,
  serve,
  tryScan,
  type TestScan,
  type TestSite,
  useTestPool,
} from '../../test/harness.ts'

// Pages that cause harm, on purpose or by accident: each ends with its reason, and none affects other pages.

const pool = useTestPool()
let site: TestSite
let hostileScan: TestScan
beforeAll(async () => {
  site = await serve(hostileRoutes)
  hostileScan = await tryScan(pool, site, {
    urls: Object.keys(hostilePages),
    advanced: { pageTimeoutMs: allowForSlowness(7000) },
    plan: { depth: 0 },
  })
}, 300_000)
afterAll(async () => {
  await site.close()
})

it.each(Object.entries(hostilePages))('%s', (path, { fate: expectedFates, found: hasFinding }) => {
  expect(expectedFates.split(' or ')).toContain(describeOutcome(hostileScan.pages[path]))
  if (hasFinding) expect(listRules(hostileScan.pages[path])).toContain('image-alt')
})

it('leaves the browser usable for the next run', async () => {
  const followUpScan = await tryScan(pool, site, { urls: ['/after'] })
  expect(listRules(followUpScan.pages['/after'])).toEqual(['image-alt'])
})

it('stops a page that uses all memory without failing pages in the same browser', async () => {
  const fillMemoryScript = 'const b=[];for(let i=0;i<60;i++){const u=new Uint8Array(64<<20);u.fill(1);b.push(u)}'
  const greedySite = await serve({ '/': buildScriptPage(fillMemoryScript), '/after': html('After', faultyImage) })
  const smallPool = await openTestPool(0.8 * 1024 ** 3)
  const { pages } = await tryScan(smallPool, greedySite, {
    urls: ['/', '/after'],
    plan: { depth: 0 },
  })
  expect([describeOutcome(pages['/']), describeOutcome(pages['/after'])]).toEqual(['failed out-of-memory', 'completed'])
  await smallPool.close()
  await greedySite.close()
})
