import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '@clearway/fixtures/site/serve.ts'
import { chromium, type Page } from 'playwright-core'
import { signIn } from './client.ts'
import { adminPassword, freePort, startProduct } from './product.ts'
import { fixtureScan, runEnded } from './results.ts'

/**
 * Takes a picture of every screen, for people to look at: 1280 and 320 px, light and dark.
 *
 *   node scripts/node24.mjs e2e/screens.ts [folder]
 */
const folder = process.argv[2] ?? join(tmpdir(), 'clearway-screens')
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'clearway-screens-data-'))
const site = await startSite()
const product = await startProduct({ data, port: await freePort() })
const client = await signIn(product.url, 'admin', adminPassword)
const { id } = await client<{ id: string }>('POST', '/scans', fixtureScan('Example shop', site.url))
for (let run = 0; run < 2; run++) {
  await client('POST', `/scans/${id}/startRun`)
  await runEnded(client, id, 240_000)
}
await client('POST', '/scans', fixtureScan('Not run yet', site.url))
const issues = await client<{ content: { id: string }[] }>('GET', `/issues?scanId=${id}&severity=critical`)
const pages = await client<{ content: { id: string; status: string }[] }>(
  'GET',
  `/scans/${id}/runs/2/pages?status=failed`,
)

const screens: [name: string, path: string][] = [
  ['scans', '/scans'],
  ['scan-new', '/scans/new'],
  ['scan-edit', `/scans/${id}/edit`],
  ['overview', `/scans/${id}`],
  ['issues', `/issues?scanId=${id}`],
  ['issue', `/issues?scanId=${id}&issue=${issues.content[0]!.id}`],
  ['issues-nothing', `/issues?scanId=${id}&search=zzzz`],
  ['pages', `/pages?scanId=${id}`],
  ['page-failed', `/pages?scanId=${id}&page=${pages.content[0]!.id}`],
  ['unavailable', '/scans/00000000-0000-7000-8000-000000000000'],
]

async function walk(page: Page, suffix: string): Promise<void> {
  await page.goto(`${product.url}/monitor/`)
  await page.getByLabel('User name').waitFor()
  await page.screenshot({ path: join(folder, `sign-in-${suffix}.png`), fullPage: true })
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill(adminPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const [name, path] of screens) {
    await page.goto(`${product.url}/monitor${path}`)
    await page.waitForLoadState('networkidle').catch(() => {})
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `${name}-${suffix}.png`), fullPage: true })
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (wider > 0) console.log(`${name} ${suffix}: ${wider} px wider than the window`)
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 320]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    await walk(await context.newPage(), `${width}-${colorScheme}`)
    await context.close()
  }
await browser.close()
await product.stop()
await site.close()
rmSync(data, { recursive: true, force: true })
console.log(`pictures in ${folder}`)
