import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { findBrowser } from './find-browser.ts'

it.runIf(process.getuid?.() === 0)('fails for root if the sandbox is mandatory', async () => {
  const browserLookup = await findBrowser({ setting: null, cacheFolder: tmpdir(), sandbox: 'always' })
  expect(browserLookup).toMatchObject({ found: false, remedy: expect.stringContaining('no sandbox for root') as string })
})
