/** @module-tag slow */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './screen/accessible.ts'
import { signIn } from './product/client.ts'
import { expectFocus, getFocusedName } from './screen/keyboard.ts'
import { onlooker, type Shell, startShell, viewer } from './walk/shell.ts'
import { useDefaultView } from './walk/view.ts'

/** The shell around every screen: destinations of links, and messages for missing things. */

let shell: Shell
beforeAll(async () => {
  shell = await startShell()
})
afterAll(() => shell?.close())
afterEach(() => shell?.closeVisits())

/** On a phone, one line stands for the sections; Escape closes their list, a link opens the section and closes it. */
async function openSectionOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  const sections = page.getByRole('navigation', { name: 'Administration' })
  const button = sections.getByRole('button', { name: 'Section: Scan groups' })
  await button.waitFor()
  expect((await sections.boundingBox())!.height).toBeLessThan(70)
  await button.press('Enter')
  await sections.getByRole('link', { name: 'Audit log' }).focus()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expectFocus(button)
  expect(await sections.getByRole('link').count()).toBe(0)
  await button.press('Enter')
  await sections.getByRole('link', { name: 'Audit log' }).press('Enter')
  await sections.getByRole('button', { name: 'Section: Audit log' }).waitFor()
  expect(await sections.getByRole('link').count()).toBe(0)
}

describe('navigation', () => {
  it('leads to what was asked for after the sign-in, and from unknown paths to the scans', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter('/monitor/issues?severity=critical')
    await heading('Issues').waitFor()
    expect(page.url()).toContain('severity')
    await page.goto(`${shell.product.url}/monitor/no/such/path`)
    await heading('Scans').waitFor()
    await page.waitForURL(`${shell.product.url}/monitor/scans`)
  })

  it('gives administrators their area, and redirects other users to the scans', async () => {
    const adminVisit = await shell.open()
    await adminVisit.signIn()
    await adminVisit.nav().getByRole('link', { name: 'Administration' }).click()
    await adminVisit.heading('Scan groups').waitFor()
    await openSectionOnPhone(adminVisit.page)
    const { page, signIn: enter, heading, nav } = await shell.open()
    await enter('/monitor/admin/presets', viewer)
    await heading('Scans').waitFor()
    expect(new URL(page.url()).pathname).toBe('/monitor/scans')
    expect(await nav().getByRole('link').allTextContents()).toEqual(['Scans', 'Issues', 'Pages', 'Dashboard'])
  })

  it('opens a list with its default view', () => useDefaultView(shell))

  it('says that access is denied where a user may only read', async () => {
    const { client, scanId } = shell
    await client('PUT', '/system-settings', { allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: false })
    const onlookerClient = await signIn(shell.product.url, onlooker.username, onlooker.password)
    const { id } = await onlookerClient<{ id: string }>('GET', '/../axe-account/me')
    const team = await client<{ id: string }>('POST', '/../axe-account/teams', { name: 'Onlookers', members: [id] })
    await client('PUT', `/scans/${scanId}/access`, { teams: [{ teamId: team.id, role: 'scanViewer' }] })
    const { page, signIn: enter, heading } = await shell.open()
    await enter('/monitor/scans/new', onlooker)
    await heading('Access denied').waitFor()
    await page.getByText('You cannot create scans').waitFor()
    await page.goto(`${shell.product.url}/monitor/scans/${scanId}/edit`)
    await page.getByText('You cannot change this scan').waitFor()
    await expectAccessible(page)
  })

  it('says of a scan that is another’s what it says of one that does not exist', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter(`/monitor/scans/${shell.scanId}`, viewer)
    await heading('Scan unavailable').waitFor()
    await expectAccessible(page)
    const deniedText = await page.getByRole('main').innerText()
    await page.goto(`${shell.product.url}/monitor/scans/01900000-0000-7000-8000-000000000000`)
    await heading('Scan unavailable').waitFor()
    expect(await page.getByRole('main').innerText()).toBe(deniedText)
  })
})

describe('header and footer', () => {
  it('skips to the main content by the first stop, and to the list by the second', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.reload()
    await heading('Scans').waitFor()
    await page.evaluate(() => document.body.focus())
    await page.keyboard.press('Tab')
    while ((await getFocusedName(page)) !== 'Skip to main content') await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page.locator('#main'))
    // The second stop leads to the first row of a list.
    while ((await getFocusedName(page)) !== 'Skip to the list') await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page.locator('[data-row-link] a').first())
    await expectAccessible(page)
  })

  it('links each screen to its page of the help, and to support', async () => {
    const { page, signIn: enter } = await shell.open()
    await enter()
    const help = page.getByRole('link', { name: 'Help' })
    const version = /Clearway (\d+\.\d+)/.exec(await page.getByRole('contentinfo').innerText())![1]!
    for (const [path, key] of [
      ['scans', 'scans'],
      ['scans/new', 'scan-settings'],
      ['issues', 'issues'],
      ['pages', 'pages'],
    ] as const) {
      await page.goto(`${shell.product.url}/monitor/${path}`)
      await expect.poll(() => help.getAttribute('href')).toBe(`https://help.example.org/docs/clearway/${version}/${key}`)
    }
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Support' }).waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('contentinfo').innerText()).toMatch(/build \w+/)
  })

  it('leads to other products', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.getByRole('button', { name: 'Switch product' }).click()
    await page.getByRole('menuitem', { name: 'Clearway Docs' }).waitFor()
    await expectAccessible(page)
  })

  it('states how accessible it is', async () => {
    const { page, signIn: enter, heading } = await shell.open(320)
    await enter()
    await heading('Scans').waitFor()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Accessibility statement' }).click()
    await heading('Accessibility statement').waitFor()
    await expectAccessible(page)
  })

  it('has the reports in the header where there is room, else in the account menu', async () => {
    const { page, signIn: enter } = await shell.open()
    await enter()
    await page.locator('header').getByRole('link', { name: 'Reports' }).waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.poll(() => page.locator('header').getByRole('link', { name: 'Reports' }).count()).toBe(0)
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Reports' }).waitFor()
    await expectAccessible(page)
  })

  it('folds the menu of a small window: Escape leads to its button, another screen closes it', async () => {
    const { page, signIn: enter, heading, nav } = await shell.open(320)
    await enter()
    await heading('Scans').waitFor()
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.press('Enter')
    await nav().getByRole('link', { name: 'Issues' }).focus()
    await page.keyboard.press('Escape')
    await expectFocus(menu)
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
    await menu.press('Enter')
    await nav().getByRole('link', { name: 'Issues' }).press('Enter')
    await heading('Issues').waitFor()
    await page.goBack()
    await heading('Scans').waitFor()
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
  })

  it('keeps the language, the theme and the density that a user chose', async () => {
    const { page, signIn: enter, heading } = await shell.open()
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
    const { page, signIn: enter, heading } = await shell.open()
    await page.clock.install()
    await enter()
    await heading('Scans').waitFor()
    const sign = page.getByRole('status').getByText('The system has problems')
    // This system has no worker.
    await sign.waitFor()
    await expectAccessible(page)
    await page.route('**/actuator/health/system', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...((await response.json()) as object), status: 'UP' } })
    })
    await page.clock.runFor(61_000)
    await sign.waitFor({ state: 'hidden' })
    await page.unroute('**/actuator/health/system')
    await page.route('**/actuator/health/system', (route) => route.abort())
    await page.clock.runFor(61_000)
    await sign.waitFor()
  })
})

describe('the start', () => {
  it('says that it cannot begin without its configuration, and starts at the next attempt', async () => {
    const { page } = await shell.open()
    await page.route('**/config', (route) => route.abort())
    await page.goto(`${shell.product.url}/monitor`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await expectAccessible(page)
    await page.unroute('**/config')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('is under maintenance while migrations are not complete, and continues automatically', async () => {
    const { page, heading } = await shell.open()
    await page.clock.install()
    await page.route('**/actuator/health/system', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { details: { migrations: { status: string } } }
      body.details.migrations.status = 'RUNNING'
      await route.fulfill({ status: 503, json: body })
    })
    await page.goto(`${shell.product.url}/monitor`)
    await heading('Our system is currently undergoing maintenance.').waitFor()
    await expectAccessible(page)
    await page.unroute('**/actuator/health/system')
    await page.clock.runFor(16_000)
    await page.getByLabel('User name').waitFor()
  })

  it('requests the system status again only when the version has changed', async () => {
    const { page } = await shell.open()
    // The state of a system that is down is requested each time. This one works, without a worker.
    const readState = async () => {
      const reply = await fetch(`${shell.product.url}/monitor-api/actuator/health/system`)
      return ((await reply.json()) as { status: string }).status
    }
    await expect.poll(readState, { timeout: 30_000 }).toBe('DEGRADED')
    const statusRequests: string[] = []
    page.on('request', (request) => request.url().includes('/actuator/') && statusRequests.push(request.url()))
    await page.goto(`${shell.product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(statusRequests).toHaveLength(1)
    await page.goto(`${shell.product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(statusRequests).toHaveLength(1)
    // The page is titled Loading until the version has been compared.
    await page.goto(`${shell.product.url}/monitor/sso/logout`)
    await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
    await page.evaluate(() => localStorage.setItem('monitor.current-version', '0.0.0+0'))
    await page.goto(`${shell.product.url}/monitor`)
    await page.getByLabel('User name').waitFor()
    expect(statusRequests).toHaveLength(2)
  })

  it('says that the sign-in could not begin when the provider does not answer', async () => {
    const { page, heading } = await shell.open()
    await page.route('**/.well-known/openid-configuration', (route) => route.abort())
    await page.goto(`${shell.product.url}/monitor`)
    await heading('Failed to initialize auth').waitFor()
    await expectAccessible(page)
  })

  it('offers to reload when a part of the application cannot be loaded', async () => {
    const { page, signIn: enter, heading, nav } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.route('**/assets/issue-list-*.js', (route) => route.abort())
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('This screen could not be loaded').waitFor()
    await expectAccessible(page)
    await page.unroute('**/assets/issue-list-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading('Issues').waitFor()
  })

  it('offers to reload when the texts of the requested screen cannot be loaded', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.route('**/assets/later-texts-*.js', (route) => route.abort())
    await page.goto(`${shell.product.url}/monitor/issues`)
    await heading('This screen could not be loaded').waitFor()
    await page.unroute('**/assets/later-texts-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading('Issues').waitFor()
  })
})
