/** @module-tag slow */
import { expect, it } from 'vitest'
import { openTestPool, serve, tryScan } from '../../../test/harness.ts'

it('a server that accepts and never responds fails with a message', async () => {
  const pool = await openTestPool()
  const site = await serve({ '/silent': () => undefined })
  const advanced = { pageTimeoutMs: 5000 }
  const { pages } = await tryScan(pool, site, { urls: ['/silent'], advanced, plan: { depth: 0 } })
  expect(pages['/silent']).toMatchObject({
    kind: 'failed',
    reason: 'timeout-download',
    detail: expect.stringMatching(/sent no document within \d+ ms/) as string,
  })
  await pool.close()
  await site.close()
}, 120_000)
