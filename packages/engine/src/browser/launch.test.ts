import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTestBrowser } from '../../test/harness.ts'
import { findHeadedProgram } from './find-browser.ts'
import { launchBrowser, type LaunchedBrowser } from './launch.ts'

let launched: LaunchedBrowser
beforeAll(async () => {
  const facts = await findTestBrowser()
  // Only full browsers have an address bar.
  const headedProgram = findHeadedProgram(facts)
  launched = await launchBrowser({ path: headedProgram ?? facts.path, sandbox: false, env: (!headedProgram && facts.env) || {} })
})
afterAll(() => launched.browser.close())

// Other platforms do not expose the command line of a process.
test.runIf(existsSync('/proc/self/cmdline'))('features that Playwright disables stay disabled', () => {
  const featureLists = readFileSync(`/proc/${launched.pid}/cmdline`, 'utf8')
    .split('\0')
    .filter((argument) => argument.startsWith('--disable-features='))
    .map((argument) => argument.slice('--disable-features='.length).split(','))
  // A system's Chromium may be a script that adds a list. The last list wins.
  const playwrightFeatures = featureLists.find((features) => features.includes('MediaRouter'))!
  expect(playwrightFeatures).not.toContain('WebUIOmniboxPopup')
  expect(featureLists.at(-1)).toEqual(expect.arrayContaining([...playwrightFeatures, 'WebUIOmniboxPopup']))
})

test('a browser has only the pages that were opened', async () => {
  await (await launched.browser.newContext()).newPage()
  // The browser would open its own pages when it is idle.
  await pause(2000)
  const session = await launched.browser.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
  const pages = targetInfos.filter(({ type }) => type !== 'browser' && type !== 'tab')
  expect(pages.map(({ type, url }) => [type, url])).toEqual([['page', 'about:blank']])
})
