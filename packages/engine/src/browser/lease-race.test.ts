import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { useTestPool } from '../../test/harness.ts'
import { openDialer } from '../guard/dial.ts'
import { openGuard } from '../guard/guard.ts'

const pool = useTestPool()
const guard = await openGuard(openDialer({ rule: createAddressRule(['127.0.0.0/8']) }))
afterAll(() => guard.close())

const browsing = {
  guardServer: guard.server,
  viewport: { width: 1280, height: 1024 },
  userAgent: null,
  scripts: { main: '', isolated: '', reveal: '' },
}

it('keeps the browser when a tab is released while another one opens', async () => {
  const warmUp = await pool.lease(browsing)
  await warmUp.releaseTab(true)
  const browsers = pool.processes()
  for (const delayMs of [0, 2, 5, 10, 15, 20, 30]) {
    const firstLease = await pool.lease(browsing)
    const openingLease = pool.lease(browsing)
    await sleep(delayMs)
    // The page failed, so its context closes as soon as no tab uses it.
    await firstLease.releaseTab(false)
    const secondLease = await openingLease
    expect([delayMs, secondLease.lost.aborted, await secondLease.tab.page.evaluate('1 + 1')]).toEqual([delayMs, false, 2])
    await secondLease.releaseTab(true)
  }
  expect(pool.processes()).toEqual(browsers)
})

it('ends other visits of a run without blame when a tab does not close', async () => {
  const hungLease = await pool.lease(browsing)
  const otherLease = await pool.lease(browsing)
  // Simulates a page that does not respond on a busy machine.
  hungLease.tab.page.close = () => new Promise(() => {})
  await hungLease.releaseTab(false)
  expect([otherLease.lost.aborted, otherLease.lost.reason]).toEqual([true, 'collateral'])
  await otherLease.releaseTab(false)
  const nextLease = await pool.lease(browsing)
  expect([nextLease.lost.aborted, await nextLease.tab.page.evaluate('1 + 1')]).toEqual([false, 2])
  await nextLease.releaseTab(true)
})
