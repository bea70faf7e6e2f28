import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { signIn } from './client.ts'
import { focused } from './keyboard.ts'
import { adminPassword, freePort, type Product, startProduct } from './product.ts'

/** What surrounds every screen: who is let in, where the ways lead, what is said when something is missing. */

const data = mkdtempSync(join(tmpdir(), 'clearway-shell-'))
const viewer = { username: 'viewer', password: 'viewer-1234' }
let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let scanId: string
let guestLink: string

beforeAll(async () => {
  product = await startProduct({
    data,
    port: await freePort(),
    env: {
      CLEARWAY_TERMS_REQUIRED: 'false',
      CLEARWAY_ROLES: 'api,account,idp',
      CLEARWAY_SESSION_MINUTES: '5',
      CLEARWAY_HELP_URL: 'https://help.example.org/docs/',
      CLEARWAY_REPORTS_URL: 'https://reports.example.org/',
      CLEARWAY_SUPPORT_URL: 'https://support.example.org/',
      CLEARWAY_FLAG_SYSTEM_STATUS: 'true',
    },
  })
  const added = spawnSync(
    process.execPath,
    ['packages/server/src/roles/user.ts', 'add', viewer.username, '--password', viewer.password],
    { cwd: join(import.meta.dirname, '..'), env: { ...process.env, CLEARWAY_DATA: data }, encoding: 'utf8' },
  )
  expect(added.status, added.stderr).toBe(0)
  const client = await signIn(product.url, 'admin', adminPassword)
  scanId = (
    await client<{ id: string }>('POST', '/scans', { name: 'Shared', urls: ['https://example.org/'] })
  ).id
  const { token } = await client<{ token: string }>('POST', `/scans/${scanId}/public-token`, {})
  guestLink = `${product.url}/monitor/scans/${scanId}?guestToken=${token}`
  browser = await chromium.launch({ executablePath: process.env.TEST_BROWSER!, args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(data, { recursive: true, force: true })
})
afterEach(() => context?.close())

async function open(width = 1280): Promise<Page> {
  context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width, height: 900 },
  })
  page = await context.newPage()
  return page
}
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const nav = () => page.getByRole('navigation', { name: 'Main' })

async function enter(path = '/monitor', who = { username: 'admin', password: adminPassword }): Promise<void> {
  await page.goto(product.url + path)
  await page.getByLabel('User name').fill(who.username)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/monitor\/(?!sso)/)
}

describe('ways', () => {
  it('leads to what was asked for after the sign-in, and from unknown paths to the scans', async () => {
    await open()
    await enter('/monitor/issues?severity=critical')
    await heading('Issues').waitFor()
    expect(page.url()).toContain('severity')
    await page.goto(`${product.url}/monitor/no/such/path`)
    await heading('Scans').waitFor()
    await page.waitForURL(`${product.url}/monitor/scans`)
  })

  it('gives administrators their area, and leads everybody else to the scans', async () => {
    await open()
    await enter()
    await nav().getByRole('link', { name: 'Administration' }).click()
    await heading('Scan groups').waitFor()
    await context.close()
    await open()
    await enter('/monitor/admin/presets', viewer)
    await heading('Scans').waitFor()
    expect(new URL(page.url()).pathname).toBe('/monitor/scans')
    expect(await nav().getByRole('link').allTextContents()).toEqual(['Scans', 'Issues', 'Pages'])
  })

  it('says of a scan that is another’s what it says of one that does not exist', async () => {
    await open()
    await enter(`/monitor/scans/${scanId}`, viewer)
    await heading('Scan unavailable').waitFor()
    await expectAccessible(page)
    const said = await page.getByRole('main').innerText()
    await page.goto(`${product.url}/monitor/scans/01900000-0000-7000-8000-000000000000`)
    await heading('Scan unavailable').waitFor()
    expect(await page.getByRole('main').innerText()).toBe(said)
  })
})

describe('header and footer', () => {
  it('skips to the main content by the first stop', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.reload()
    await heading('Scans').waitFor()
    await page.evaluate(() => document.body.focus())
    await page.keyboard.press('Tab')
    while ((await focused(page)) !== 'Skip to main content') await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('links each screen to its page of the help, and to support', async () => {
    await open()
    await enter()
    const help = page.getByRole('link', { name: 'Help' })
    const version = /Clearway (\d+\.\d+)/.exec(await page.getByRole('contentinfo').innerText())![1]!
    for (const [path, key] of [
      ['scans', 'scans'],
      ['scans/new', 'scan-settings'],
      ['issues', 'issues'],
      ['pages', 'pages'],
    ] as const) {
      await page.goto(`${product.url}/monitor/${path}`)
      await expect
        .poll(() => help.getAttribute('href'))
        .toBe(`https://help.example.org/docs/clearway/${version}/${key}`)
    }
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Support' }).waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('contentinfo').innerText()).toMatch(/build \w+/)
  })

  it('has the reports in the header where there is room, else in the account menu', async () => {
    await open()
    await enter()
    await page.locator('header').getByRole('link', { name: 'Reports' }).waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await page.locator('header').getByRole('link', { name: 'Reports' }).count()).toBe(0)
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Reports' }).waitFor()
    await expectAccessible(page)
  })

  it('keeps the language, the theme and the density that somebody chose', async () => {
    await open()
    await enter()
    await page.getByRole('button', { name: /change language/ }).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await heading('Scans').waitFor()
    await page.locator('html[lang=de]').waitFor()
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitemradio', { name: 'Dunkel' }).click()
    await page.reload()
    await page.locator('html[lang=de][data-theme=dark]').waitFor()
    await page.getByRole('link', { name: 'Seiten' }).waitFor()
    await expectAccessible(page)
  })

  it('shows a sign when the system has problems, and none when it has none', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    expect(await page.getByText('The system has problems').count()).toBe(0)
    await page.route('**/actuator/health/system', (route) => route.abort())
    await page.reload()
    await page.getByRole('status').getByText('The system has problems').waitFor()
    await expectAccessible(page)
  })
})

describe('the start', () => {
  it('says that it cannot begin without its configuration, and begins at the next try', async () => {
    await open()
    await page.route('**/config', (route) => route.abort())
    await page.goto(`${product.url}/monitor`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectAccessible(page)
    await page.unroute('**/config')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('is under maintenance while migrations are not complete, and goes on by itself', async () => {
    await open()
    await page.clock.install()
    await page.route('**/actuator/health/system', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { details: { migrations: { status: string } } }
      body.details.migrations.status = 'RUNNING'
      await route.fulfill({ status: 503, json: body })
    })
    await page.goto(`${product.url}/monitor`)
    await heading('Our system is currently undergoing maintenance.').waitFor()
    await expectAccessible(page)
    await page.unroute('**/actuator/health/system')
    await page.clock.runFor(16_000)
    await page.getByLabel('User name').waitFor()
  })

  it('asks for the state of the system again only when the version has changed', async () => {
    await open()
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/actuator/') && asked.push(request.url()))
    await page.goto(`${product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(asked).toHaveLength(1)
    await page.goto(`${product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(asked).toHaveLength(1)
    await page.goto(`${product.url}/monitor/sso/logout`)
    await page.evaluate(() => localStorage.setItem('monitor.current-version', '0.0.0+0'))
    await page.goto(`${product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(asked).toHaveLength(2)
  })

  it('says that the sign-in could not begin when the provider does not answer', async () => {
    await open()
    await page.route('**/.well-known/openid-configuration', (route) => route.abort())
    await page.goto(`${product.url}/monitor`)
    await heading('Failed to initialize auth').waitFor()
    await expectAccessible(page)
  })

  it('offers to reload when a part of the application cannot be loaded', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    await page.route('**/assets/issue-list-*.js', (route) => route.abort())
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('A new version is available').waitFor()
    await expectAccessible(page)
    await page.unroute('**/assets/issue-list-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading('Issues').waitFor()
  })
})

describe('the session', () => {
  const leap = async () => {
    await page.clock.install()
    await page.clock.fastForward(4.5 * 60_000)
    await page.clock.resume()
    const dialog = page.getByRole('alertdialog', { name: 'Your session ends soon' })
    await dialog.waitFor()
    return dialog
  }

  it('offers five extensions a minute before its end, and goes on as before when it is dismissed', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    const dialog = await leap()
    expect(await focused(page)).toBe('Continue')
    const choice = dialog.getByLabel('Extend by')
    expect(await choice.inputValue()).toBe('5')
    expect(
      await choice.locator('option').evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value)),
    ).toEqual(['5', '10', '15', '30', '60'])
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await heading('Scans').waitFor()
  })

  it('says that it could not be extended, and by then still is there', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    await page.waitForLoadState('networkidle')
    await page.route('**/protocol/openid-connect/token', (route) => route.abort())
    const dialog = await leap()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Failed to extend session').waitFor()
    await expectAccessible(page)
  })
})

describe('what the browser keeps', () => {
  const stored = (key: string) => page.evaluate((name) => localStorage.getItem(`monitor.${name}`), key)

  it('remembers for each person which scans and which run the lists look at', async () => {
    await open()
    await enter(`/monitor/issues?scanId=%5B%22${scanId}%22%5D&run=1`)
    await heading('Issues').waitFor()
    await nav().getByRole('link', { name: 'Pages' }).click()
    await heading('Pages').waitFor()
    expect(page.url()).toContain(scanId)
    expect(page.url()).toContain('run=1')
    expect(JSON.parse((await stored('user-sessions'))!)).toEqual([
      { userId: 'admin', userData: { activeScans: [{ scanId }] } },
    ])
    expect(JSON.parse((await stored('scan-runs-filter'))!)).toEqual({ scanId, run: 1 })
    await page.goto(`${product.url}/monitor/scans`)
    await heading('Scans').waitFor()
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('Issues').waitFor()
    expect(page.url()).toContain(scanId)
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/sso\/logout/)
    await enter('/monitor', viewer)
    await heading('Scans').waitFor()
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('Issues').waitFor()
    expect(page.url()).not.toContain(scanId)
  })

  it('opens a shared link as the person who is signed in, in another tab too, until the logout', async () => {
    await open()
    await enter()
    await heading('Scans').waitFor()
    expect(Number(await stored('active-session'))).toBeGreaterThan(Date.now())
    const other = await context.newPage()
    await other.goto(guestLink)
    await other.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    await other.getByRole('link', { name: 'Administration' }).waitFor()
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/sso\/logout/)
    expect(await stored('active-session')).toBeNull()
    const third = await context.newPage()
    await third.goto(guestLink)
    await third.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    expect(await third.evaluate(() => sessionStorage.getItem('monitor.guest-token'))).not.toBeNull()
    expect(await third.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  })
})

describe('a guest', () => {
  it('sees one scan by its link, without signing in, and can sign in', async () => {
    await open()
    await page.goto(guestLink)
    await heading('Shared').waitFor()
    expect(page.url()).not.toContain('guestToken')
    expect(await nav().getByRole('link').allTextContents()).toEqual(['Scans'])
    await expectAccessible(page)
    await page.goto(`${product.url}/monitor/admin`)
    await page.waitForURL(new RegExp(`/scans/${scanId}`))
    await page.reload()
    await heading('Shared').waitFor()
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Log in' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('is told when the link does not work any more', async () => {
    await open()
    await page.goto(guestLink.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
    await heading('This link does not work any more').waitFor()
    await expectAccessible(page)
  })
})
