/** @module-tag slow */
import { createAddressRule } from '@clearway/contract/kit/address-rule.ts'
import { afterAll, expect, it } from 'vitest'
import { findTestBrowser } from '../../test/harness.ts'
import { openDialer } from '../guard/dial.ts'
import { openGuard } from '../guard/guard.ts'
import { onEngineEvent } from '../engine-event.ts'
import { openPool } from './pool.ts'

const pool = await openPool(await findTestBrowser(), { pages: 2, idleMs: 1500 })
const guard = await openGuard(openDialer({ rule: createAddressRule(['127.0.0.0/8']) }))
afterAll(async () => {
  await pool.close()
  await guard.close()
})

const browsing = {
  guardServer: guard.server,
  viewport: { width: 1280, height: 1024 },
  userAgent: null,
  scripts: { main: '', isolated: '', reveal: '' },
}
const visitPage = async () => {
  const lease = await pool.lease(browsing)
  expect(await lease.tab.page.evaluate('1 + 1')).toBe(2)
  await lease.releaseTab(true)
}

it('closes a browser after its last run, and starts another for the next one', { timeout: 60_000 }, async () => {
  const events: string[] = []
  const stopListening = onEngineEvent((event) => events.push('cause' in event ? `${event.kind}: ${event.cause}` : event.kind))
  await visitPage()
  const [firstProcess] = pool.processes()
  // A run that waits between pages keeps its browser, and with it its sign-in.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  await visitPage()
  expect(pool.processes()).toEqual([firstProcess])
  await pool.closeRun(browsing)
  await expect.poll(() => pool.processes(), { timeout: 30_000 }).toEqual([])
  await expect.poll(() => isAlive(firstProcess!), { timeout: 30_000 }).toBe(false)
  await visitPage()
  expect(pool.processes()).toHaveLength(1)
  expect(pool.processes()).not.toEqual([firstProcess])
  stopListening()
  expect(events).toEqual(['browser-started', 'browser-closed: idle', 'browser-started'])
})

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch {
    return false
  }
}
