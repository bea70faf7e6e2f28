import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { type Client, signIn } from '../product/client.ts'
import { openBrowser } from '../screen/looks.ts'
import { adminPassword, findFreePort, type Product, runCommand, startProduct } from '../product/start.ts'

type Person = { username: string; password: string }
const admin: Person = { username: 'admin', password: adminPassword }
/** A user who sees no scan, and one with read access to a single scan. */
export const viewer: Person = { username: 'viewer', password: 'a sentence to look by' }
export const onlooker: Person = { username: 'onlooker', password: 'another one to look by' }

/** A separate browser context. */
export type Visit = {
  page: Page
  context: BrowserContext
  /** Goes to a path and signs in. */
  signIn: (path?: string, credentials?: Person) => Promise<void>
  heading: (name: string | RegExp) => Locator
  nav: () => Locator
}

/** The product without scanning, and one scan with a link for guests. */
export type Shell = {
  product: Product
  client: Client
  scanId: string
  guestLink: string
  /** Opens another visit; the earlier one stays open. */
  open: (width?: number) => Promise<Visit>
  closeVisits: () => Promise<void>
  close: () => Promise<void>
}

const env = {
  CLEARWAY_TERMS_REQUIRED: 'false',
  CLEARWAY_ROLES: 'api,account,idp',
  CLEARWAY_SESSION_MINUTES: '5',
  CLEARWAY_HELP_URL: 'https://help.example.org/docs/',
  CLEARWAY_REPORTS_URL: 'https://reports.example.org/',
  CLEARWAY_SUPPORT_URL: 'https://support.example.org/',
  CLEARWAY_PRODUCTS: 'Clearway Docs=https://docs.example.org/',
  CLEARWAY_FLAG_SYSTEM_STATUS: 'true',
}

async function shareScan(product: Product, client: Client): Promise<{ scanId: string; guestLink: string }> {
  const { id } = await client<{ id: string }>('POST', '/scans', {
    name: 'Shared',
    urls: ['https://example.org/'],
  })
  const { token } = await client<{ token: string }>('POST', `/scans/${id}/public-token`, {})
  return { scanId: id, guestLink: `${product.url}/monitor/scans/${id}?guestToken=${token}` }
}

function createVisit(url: string, page: Page): Visit {
  return {
    page,
    context: page.context(),
    signIn: async (path = '/monitor', credentials = admin) => {
      await page.goto(url + path)
      await page.getByLabel('User name').fill(credentials.username)
      await page.getByLabel('Password').fill(credentials.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(/\/monitor\/(?!sso)/)
    },
    heading: (name) => page.getByRole('heading', { level: 1, name }),
    nav: () => page.getByRole('navigation', { name: 'Main' }),
  }
}

export async function startShell(): Promise<Shell> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'clearway-shell-'))
  const product = await startProduct({ data: dataFolder, port: await findFreePort(), env })
  for (const { username, password } of [viewer, onlooker]) runCommand(dataFolder, 'user', 'add', username, '--password', password)
  const browser = await openBrowser()
  const client = await signIn(product.url, admin.username, admin.password)
  const open = async (width = 1280) => {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', viewport: { width, height: 900 } })
    return createVisit(product.url, await context.newPage())
  }
  const closeVisits = async () => {
    for (const context of browser.contexts()) await context.close()
  }
  const close = async () => {
    await browser.close()
    await product.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
  return { product, client, ...(await shareScan(product, client)), open, closeVisits, close }
}
