import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { type Client, signIn } from './product/client.ts'
import { demoAdmin as admin, startDemo } from './product/demo.ts'
import { findCutTexts } from './screen/cut-texts.ts'

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

type List = { content: { id: string; name: string }[] }

/** Lists every screen, with a name for its screenshot. */
async function listScreens(client: Client): Promise<[name: string, path: string][]> {
  const findFirstId = async (path: string) => (await client<List>('GET', path)).content[0]?.id
  const scan = await findFirstId('/scans?sort=name,asc')
  const newest = (await client<{ content: { number: number }[] }>('GET', `/scans/${scan}/runs`)).content[0]!.number
  const issue = await findFirstId(`/issues?scanId=${scan}&severity=critical`)
  const page = await findFirstId(`/scans/${scan}/runs/${newest}/pages?status=failed`)
  const group = await findFirstId('/groups/scan-groups')
  return [
    ['scans', '/scans'],
    ['scan-new', '/scans/new'],
    ['scan-edit', `/scans/${scan}/edit`],
    ['overview', `/scans/${scan}`],
    ['report', `/scans/${scan}/${newest}/report`],
    ['compare', `/scans/${scan}/${newest}/compare/${newest - 1}`],
    ['branches', `/scans/${scan}/branches`],
    ['issues', `/issues?scanId=${scan}`],
    ['issue', `/issues?scanId=${scan}&issue=${issue}`],
    ['issue-groups', `/issues?scanId=${scan}&by=rule`],
    ['issues-none', `/issues?scanId=${scan}&q=zzzz`],
    ['pages', `/pages?scanId=${scan}`],
    ['page-failed', `/pages?scanId=${scan}&view=${page}`],
    ['dashboard', '/rollup'],
    ['ignored', '/ignored'],
    ['inbox', '/inbox'],
    ['accessibility', '/accessibility'],
    ['help', '/docs'],
    ['account', '/account'],
    ['api-keys', '/api-keys'],
    ['webhooks', '/webhooks'],
    ['groups', '/admin'],
    ['group-new', '/admin/groups/new'],
    ['group-edit', `/admin/groups/${group}/edit`],
    ['presets', '/admin/presets'],
    ['preset-new', '/admin/presets/new'],
    ['scripts', '/admin/scripts'],
    ['script-new', '/admin/scripts/new'],
    ['team-access', '/admin/team-access'],
    ['assign-team', '/admin/assign-team'],
    ['assign-teams', '/admin/assign-teams'],
    ['permissions', '/admin/permissions-settings'],
    ['retention', '/admin/retention'],
    ['quotas', '/admin/quotas'],
    ['health', '/admin/health'],
    ['audit', '/admin/audit'],
    ['people', '/admin/people'],
    ['people-import', '/admin/people/import'],
    ['teams', '/admin/teams'],
    ['team-new', '/admin/teams/new'],
    ['unavailable', '/scans/00000000-0000-7000-8000-000000000000'],
  ]
}

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
