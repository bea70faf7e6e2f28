import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { type Client, signIn } from './product/client.ts'
import { demoAdmin, startDemo } from './product/demo.ts'

/**
 * Takes the pictures of the documentation: screens of the product with the demo data, light and dark, to `docs/picture`. CI does not
 * take them again; run it after a visible change of these screens.
 *
 *   node scripts/node24.mjs e2e/doc-pictures.ts FOLDER          the demo data are created once, in FOLDER/data
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('The folder of the demo data is missing')
const pictureFolder = join(import.meta.dirname, '../docs/picture')
mkdirSync(pictureFolder, { recursive: true })

type List = { content: { id: string }[] }
type PictureSource = { name: string; path: string }

async function listPictureSources(client: Client): Promise<PictureSource[]> {
  const findFirstId = async (path: string) => (await client<List>('GET', path)).content[0]!.id
  const scan = await findFirstId('/scans?sort=name,asc')
  const issue = await findFirstId(`/issues?scanId=${scan}&severity=critical&status=open`)
  const page = await findFirstId(`/pages?scanId=${scan}&health=critical`)
  return [
    { name: 'overview', path: `/scans/${scan}` },
    { name: 'issue', path: `/issues?scanId=${scan}&issue=${issue}` },
    { name: 'page', path: `/pages?scanId=${scan}&view=${page}` },
    { name: 'dashboard', path: '/rollup' },
    { name: 'new-scan', path: '/scans/new' },
  ]
}

const product = await startDemo(join(folder, 'data'))
const browser = await chromium.launch({
  executablePath: process.env.CLEARWAY_BROWSER ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const pictureSources = await listPictureSources(await signIn(product.url, demoAdmin.username, demoAdmin.password))
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 860 },
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en',
    })
    page.setDefaultTimeout(180_000)
    await page.goto(`${product.url}/monitor/`)
    await page.locator('#username').fill(demoAdmin.username)
    await page.locator('#password').fill(demoAdmin.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/monitor\/scans/)
    for (const { name, path } of pictureSources) {
      await page.goto(`${product.url}/monitor${path}`)
      await page.locator('h1:not(#full-title)').first().waitFor()
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => document.fonts.ready)
      await page.screenshot({ path: join(pictureFolder, `${name}-${colorScheme}.png`) })
    }
    await page.close()
  }
  console.log(`${pictureSources.length} screens, light and dark, in ${pictureFolder}`)
} finally {
  await browser.close()
  await product.stop()
}
