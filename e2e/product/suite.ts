import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Site, startSite } from '@clearway/fixtures/site/serve.ts'
import type { Page } from 'playwright-core'
import { type Client, signIn } from './client.ts'
import { watchFocus } from '../screen/focus.ts'
import { newPage, openBrowser } from '../screen/looks.ts'
import { adminPassword, findFreePort, type Product, startProduct } from './start.ts'

/** The product with a site to scan, an administrator at the API, and the same administrator in a browser. */
export type Suite = {
  site: Site
  product: Product
  client: Client
  page: Page
  /** Opens a path below /monitor. */
  open: (path: string) => Promise<unknown>
  /** Waits for the title of a screen. */
  heading: (name: string) => Promise<void>
  /** Uncaught exceptions of the page. */
  problems: string[]
  /** Controls that disappeared while they had the focus, which then fell to the body. */
  lostFocus: string[]
  close: () => Promise<void>
}

/** Starts everything and signs in. */
export async function startSuite(): Promise<Suite> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-suite-'))
  const site = await startSite()
  const product = await startProduct({ data: dataFolder, port: await findFreePort() })
  const client = await signIn(product.url, 'admin', adminPassword)
  const browser = await openBrowser()
  const page = await newPage(browser)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  const lostFocus: string[] = []
  await watchFocus(page, (control) => lostFocus.push(control))
  const openPath = (path: string) => page.goto(`${product.url}/monitor${path}`)
  const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await openPath('/')
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill(adminPassword)
  await page.keyboard.press('Enter')
  await waitForHeading('Scans')
  const close = async () => {
    await browser.close()
    await product.stop()
    await site.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return { site, product, client, page, open: openPath, heading: waitForHeading, problems, lostFocus, close }
}
