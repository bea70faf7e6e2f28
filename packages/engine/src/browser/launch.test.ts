import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../test/harness.ts'
import { programWithWindow } from './find.ts'
import { launch, type Launched } from './launch.ts'

let launched: Launched
beforeAll(async () => {
  const facts = await testBrowser()
  // Only a full one has an address bar.
  const full = programWithWindow(facts)
  launched = await launch({ path: full ?? facts.path, sandbox: false, env: (!full && facts.env) || {} })
})
afterAll(() => launched.browser.close())

// Elsewhere no process says what it was started with.
test.runIf(existsSync('/proc/self/cmdline'))('everything that Playwright turns off stays off', () => {
  const lists = readFileSync(`/proc/${launched.pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((one) => one.startsWith('--disable-features='))
    .map((one) => one.slice('--disable-features='.length).split(','))
  // A system's Chromium may be a script that adds a list of its own. The program goes by the last.
  const byPlaywright = lists.find((list) => list.includes('MediaRouter'))!
  expect(byPlaywright).not.toContain('WebUIOmniboxPopup')
  expect(lists.at(-1)).toEqual(expect.arrayContaining([...byPlaywright, 'WebUIOmniboxPopup']))
})

test('a browser has no pages but those that were opened', async () => {
  await (await launched.browser.newContext()).newPage()
  // Pages of its own would come when it has nothing else to do.
  await pause(2000)
  const session = await launched.browser.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
  const pages = targetInfos.filter(({ type }) => type !== 'browser' && type !== 'tab')
  expect(pages.map(({ type, url }) => [type, url])).toEqual([['page', 'about:blank']])
})
