import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { signIn } from './product/client.ts'
import { demoAdmin as admin, startDemo } from './product/demo.ts'
import { findCutTexts } from './screen/cut-texts.ts'
import { listScreens } from './screen/list-screens.ts'

/**
 * Takes a screenshot of every screen with the demo data, for visual review, and reports texts that are cut off or overflow
 * their container. Exits with an error if there are any.
 *
 *   node scripts/node24.mjs e2e/screens.ts FOLDER              1280 and 320 px, light and dark, in English
 *   node scripts/node24.mjs e2e/screens.ts FOLDER de fr ja …   320 px, in these languages
 *
 * The demo data are created once, in FOLDER/data.
 */
const [folder = join(tmpdir(), 'clearway-screens'), ...languages] = process.argv.slice(2)
const dataFolder = join(folder, 'data')
mkdirSync(folder, { recursive: true })

type ScreenVariant = { width: number; colorScheme: 'light' | 'dark'; language: string }
const variants: readonly ScreenVariant[] =
  languages.length > 0
    ? languages.map((language) => ({ width: 320, colorScheme: 'light', language }))
    : (['light', 'dark'] as const).flatMap((colorScheme) => [1280, 320].map((width) => ({ width, colorScheme, language: 'en' })))

let faults = 0
async function captureScreen(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const cut = await page.evaluate(findCutTexts)
  faults += cut.length
  for (const cutText of cut) console.log(`${name}: ${cutText}`)
}

async function captureAllScreens(browser: Browser, url: string, { width, colorScheme, language }: ScreenVariant): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    locale: language,
  })
  const page = await context.newPage()
  const buildFileName = (name: string) => `${name}-${language}-${width}-${colorScheme}`
  await page.goto(`${url}/monitor/`)
  await page.locator('#username').fill(admin.username)
  await page.locator('#password').fill(admin.password)
  await captureScreen(page, buildFileName('sign-in'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/monitor\/scans/)
  for (const [name, path] of screens) {
    await page.goto(`${url}/monitor${path}`)
    // Excludes the heading of the sign-in page, which is replaced.
    await page.locator('h1:not(#full-title)').first().waitFor()
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
    await captureScreen(page, buildFileName(name))
  }
  await context.close()
}

const product = await startDemo(dataFolder)
const browser = await chromium.launch({
  executablePath: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
/** Self-check: texts that must be reported, otherwise an empty report proves nothing. */
const planted = `<!doctype html><main style="width: 200px">
<p style="overflow: hidden; white-space: nowrap">A text that is longer than the box that cuts it</p>
<p style="position: absolute; left: 95vw; white-space: nowrap">A text past the edge of the window</p>
<div style="width: 90px"><button style="width: 90px; white-space: nowrap">Wider than its button</button></div></main>`
async function checkItself(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 320, height: 600 } })
  await page.setContent(planted)
  const reportedTexts = await page.evaluate(findCutTexts)
  const expectedTexts = ['wider than the window', 'cut: <p', 'outside the window: <p', 'wider than its control: <button']
  const missingTexts = expectedTexts.filter(
    (expectedText) => !reportedTexts.some((reportedText) => reportedText.includes(expectedText)),
  )
  if (missingTexts.length > 0) throw new Error(`Planted, and not found: ${missingTexts.join(', ')}`)
  await page.close()
}

let screens: [name: string, path: string][] = []
try {
  await checkItself(browser)
  screens = await listScreens(await signIn(product.url, admin.username, admin.password))
  for (const variant of variants) await captureAllScreens(browser, product.url, variant)
} finally {
  await browser.close()
  await product.stop()
}
console.log(`${screens.length} screens, ${variants.length} looks, ${faults} texts cut; pictures in ${folder}`)
process.exit(faults === 0 ? 0 : 1)
