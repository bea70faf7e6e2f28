import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findBrowser } from './find.ts'

it.runIf(process.getuid?.() === 0)('a sandbox that root cannot have is refused, not left out', async () => {
  const lookup = await findBrowser({ setting: null, cacheFolder: tmpdir(), sandbox: 'always' })
  expect(lookup).toMatchObject({
    found: false,
    remedy: expect.stringContaining('no sandbox for root') as string,
  })
})
