import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTestBrowser } from '../../test/harness.ts'
import { findHeadedProgram } from './find-browser.ts'
import { launchBrowser, type LaunchedBrowser } from './launch.ts'
import { openTab } from './tab.ts'

let fullBrowser: string | null
let launched: LaunchedBrowser
beforeAll(async () => {
  const facts = await findTestBrowser()
  fullBrowser = findHeadedProgram(facts)
  launched = await launchBrowser({ path: fullBrowser ?? facts.path, sandbox: false, env: (!fullBrowser && facts.env) || {} })
})
afterAll(() => launched.browser.close())

const scripts = { main: '', isolated: '', reveal: '' }

test('pages in a minimized window are shown as before, at each size', async ({ skip }) => {
  skip(fullBrowser === null, 'needs a full browser')
  expect(launched.hasUnseenWindows).toBe(true)
  const context = await launched.browser.newContext({ viewport: { width: 1280, height: 1024 } })
  const tabs = [(await openTab(context, { scripts }, true))!, (await openTab(context, { scripts }, true))!]
  const { bounds } = await tabs[0]!.cdp.send('Browser.getWindowForTarget')
  expect(bounds.windowState).toBe('minimized')
  const readView = ({ page }: (typeof tabs)[number]) =>
    page.evaluate(async () => {
      // In a hidden page, the next frame never comes.
      for (let frame = 0; frame < 5; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
      return [document.visibilityState, document.hasFocus(), innerWidth, innerHeight, screen.width]
    })
  for (const tab of tabs) expect(await readView(tab)).toEqual(['visible', true, 1280, 1024, 1280])
  await tabs[0]!.page.setViewportSize({ width: 390, height: 844 })
  expect(await readView(tabs[0]!)).toEqual(['visible', true, 390, 844, 390])
  const { data } = await tabs[1]!.cdp.send('Page.captureScreenshot', { format: 'png' })
  const picture = Buffer.from(data, 'base64')
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1280, 1024])
  await context.close()
})

test('pointer and keys work in a minimized window, also after another window was opened', async ({ skip }) => {
  skip(fullBrowser === null, 'needs a full browser')
  const context = await launched.browser.newContext({ viewport: { width: 1280, height: 1024 } })
  const { page, cdp } = (await openTab(context, { scripts }, true))!
  const readWindowState = async () => (await cdp.send('Browser.getWindowForTarget')).bounds.windowState
  await page.setContent(`<style>p { display: none } a:hover + p, button:focus + p { display: block }</style>
    <a href="#here">Menu</a><p id="hovered">Below</p><button>Open</button><p id="focused">Inside</p><input aria-label="Name">
    <script>document.querySelector('button').onclick = () => void open('about:blank')</script>`)
  const listShown = () =>
    page.evaluate(() => [...document.querySelectorAll('p')].filter((element) => element.checkVisibility()).map(({ id }) => id))
  for (const round of ['before', 'after']) {
    await page.hover('a')
    expect(await listShown(), round).toEqual(['hovered'])
    await page.mouse.move(600, 600)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await listShown(), round).toEqual(['focused'])
    await page.keyboard.press('Tab')
    await page.keyboard.type(round)
    expect(await page.inputValue('input'), round).toBe(round)
    await page.fill('input', '')
    // The tab closes the popup.
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
    if (!popup.isClosed()) await popup.waitForEvent('close')
    await expect.poll(readWindowState).toBe('minimized')
    await page.mouse.move(600, 600)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.mouse.click(600, 2)
  }
  await context.close()
})
