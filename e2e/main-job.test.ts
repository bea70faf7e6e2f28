import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './screen/accessible.ts'
import { signIn } from './product/client.ts'
import { openBrowser } from './screen/looks.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './product/start.ts'
import { type Reports, startReports } from './product/reports.ts'
import { compareRun } from './product/results.ts'

/** Main job from a user's view: sign in, create a scan, watch it, read its results, and return after a restart. */
describe('the main job', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-e2e-'))
  let site: Site
  let reports: Reports
  let product: Product
  let browser: Browser
  let page: Page
  let scanId: string
  const problems: string[] = []

  beforeAll(async () => {
    site = await startSite()
    reports = await startReports()
    product = await startProduct({ data: dataFolder, port: await findFreePort(), env: reports.env })
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' })
    page.on('pageerror', (error) => problems.push(String(error)))
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await site?.close()
    await reports?.close()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  it('signs in', async () => {
    await page.goto(`${product.url}/monitor`)
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The user name or the password is wrong').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Password').fill(adminPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()
    await expectAccessible(page)
  })

  it('creates a scan of the fixture site and watches it finish without reloading', async () => {
    await page.goto(`${product.url}/monitor/scans/new`)
    await page.getByRole('heading', { level: 1, name: 'New scan: General' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create scan' }).click()
    await page.getByRole('heading', { name: /^Fix \d+ errors?$/ }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Planted faults')
    await page.getByRole('textbox', { name: 'Start URLs' }).fill(`${site.url}/`)
    await page.getByRole('button', { name: 'Change: More settings' }).click()
    await page.getByRole('button', { name: 'Next: Basic settings' }).click()
    await page.getByRole('radio', { name: /^Custom/ }).check()
    await page.getByLabel('Page limit').fill('1000')
    for (const step of ['Common components', 'Scripts', 'Scope', 'Session', 'Advanced'])
      await page.getByRole('button', { name: `Next: ${step}` }).click()
    await page.getByText('Speed and timeouts', { exact: true }).click()
    await page.getByLabel('Page timeout (seconds)').fill('15')
    await page.evaluate(() => ((window as unknown as { sameDocument: boolean }).sameDocument = true))
    await page.getByRole('button', { name: 'Create scan' }).click()
    await page.getByRole('heading', { level: 1, name: 'Planted faults' }).waitFor()
    scanId = /scans\/([0-9a-f-]{36})/.exec(page.url())![1]!
    await page.getByText('Run 1 is complete.').waitFor({ timeout: 240_000 })
    await expect.poll(() => page.evaluate(() => (window as unknown as { sameDocument?: boolean }).sameDocument)).toBe(true)
    await page.getByText('46', { exact: true }).first().waitFor()
    await expectAccessible(page)
  })

  it('finds exactly what was planted', async () => {
    const client = await signIn(product.url, 'admin', adminPassword)
    const { duplicateUrls, actualResult, expectedResult } = await compareRun(client, scanId, 1, site.url)
    expect(duplicateUrls).toEqual([])
    expect(actualResult).toEqual(expectedResult)
  })

  it('sends the summary of the run to the reports, and sends it again when asked to', async () => {
    expect(reports.received).toEqual([{ run: 1, signed: true }])
    await page.getByRole('button', { name: 'Actions for Planted faults' }).click()
    await page.getByRole('menuitem', { name: 'Update reports' }).click()
    await page.getByText('The reports are up to date.').waitFor()
    expect(reports.received).toHaveLength(2)
  })

  it('shows issues and pages', async () => {
    await page.goto(`${product.url}/monitor/issues?scanId=${scanId}`)
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor()
    await page
      .getByRole('status')
      .getByText(/51 open issues.*1 needs review/)
      .waitFor()
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await expectAccessible(page)
    await page.goto(`${product.url}/monitor/pages?scanId=${scanId}`)
    await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor()
    await page.getByRole('table').getByRole('link').first().waitFor()
    await expectAccessible(page)
  })

  it('finds everything again after a restart', async () => {
    const port = Number(new URL(product.url).port)
    expect(await product.stop()).toBe(0)
    product = await startProduct({ data: dataFolder, port })
    const client = await signIn(product.url, 'admin', adminPassword)
    const { actualResult, expectedResult } = await compareRun(client, scanId, 1, site.url)
    expect(actualResult).toEqual(expectedResult)
    await page.goto(`${product.url}/monitor/scans`)
    await page.getByRole('link', { name: 'Planted faults' }).waitFor()
    expect(problems).toEqual([])
  })
})
