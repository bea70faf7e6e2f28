/** @module-tag slow */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './screen/accessible.ts'
import { getFocusedName } from './screen/keyboard.ts'
import { type Shell, startShell, viewer } from './walk/shell.ts'

/** Sessions: their duration, the data that the browser keeps, and the view of guests. */

let shell: Shell
beforeAll(async () => {
  shell = await startShell()
})
afterAll(() => shell?.close())
afterEach(() => shell?.closeVisits())

describe('the session', () => {
  const advanceClock = async (page: Page, minutes = 4.5) => {
    await page.clock.install()
    await page.clock.fastForward(minutes * 60_000)
    await page.clock.resume()
    const dialog = page.getByRole('alertdialog', { name: 'Your session ends soon' })
    await dialog.waitFor()
    return dialog
  }

  it('offers five extensions a minute before its end, and goes on as before when it is dismissed', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    const dialog = await advanceClock(page)
    await expect.poll(() => getFocusedName(page)).toBe('Continue')
    const choice = dialog.getByLabel('Extend by')
    await expect.poll(() => choice.inputValue()).toBe('5')
    expect(await choice.locator('option').evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value))).toEqual([
      '5',
      '10',
      '15',
      '30',
      '60',
    ])
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await heading('Scans').waitFor()
  })

  it('says that it could not be extended, and remains open', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.waitForLoadState('networkidle')
    await page.route('**/protocol/openid-connect/token', (route) => route.abort())
    const dialog = await advanceClock(page)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Failed to extend session').waitFor()
    await expectAccessible(page)
  })
})

describe('a renewal of the session', () => {
  const tokenUrl = '**/protocol/openid-connect/token'
  /** Reloads the page with a token that is renewed before its next use. */
  const reloadNearExpiry = async (page: Page) => {
    await page.evaluate(() => {
      const tokens = JSON.parse(sessionStorage.getItem('monitor.tokens')!) as { expiresAt: number }
      sessionStorage.setItem('monitor.tokens', JSON.stringify({ ...tokens, expiresAt: Date.now() + 60_000 }))
    })
    await page.reload()
  }

  it('may be interrupted by a reload', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    const renewal = Promise.withResolvers<void>()
    let isRenewed = false
    // The provider renews the token, and the page is left before the answer arrives.
    await page.route(tokenUrl, async (route) => {
      if (isRenewed) return route.continue()
      isRenewed = true
      await route.fetch()
      renewal.resolve()
    })
    await reloadNearExpiry(page)
    await renewal.promise
    await page.reload()
    await heading('Scans').waitFor()
    // The session has not ended, so that the next renewal succeeds.
    const nextRenewal = page.waitForResponse(tokenUrl)
    await reloadNearExpiry(page)
    expect((await nextRenewal).status()).toBe(200)
    await heading('Scans').waitFor()
  })

  it('serves a duplicate of the tab too', async () => {
    const { page, context, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    const storedTokens = await page.evaluate(() => sessionStorage.getItem('monitor.tokens')!)
    const duplicate = await context.newPage()
    // A browser copies the session storage of a tab that it duplicates.
    await duplicate.goto(`${new URL(page.url()).origin}/monitor/docs`)
    await duplicate.evaluate((tokens) => sessionStorage.setItem('monitor.tokens', tokens), storedTokens)
    await duplicate.goto(page.url())
    await duplicate.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()
    await reloadNearExpiry(page)
    await page.getByRole('link', { name: 'Shared' }).waitFor()
    const readRefreshToken = (tab: Page) =>
      tab.evaluate(() => (JSON.parse(sessionStorage.getItem('monitor.tokens')!) as { refresh: string }).refresh)
    const oldToken = (JSON.parse(storedTokens) as { refresh: string }).refresh
    await expect.poll(() => readRefreshToken(duplicate)).not.toBe(oldToken)
    await reloadNearExpiry(duplicate)
    await duplicate.getByRole('link', { name: 'Shared' }).click()
    await duplicate.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    await page.getByRole('link', { name: 'Shared' }).click()
    await heading('Shared').waitFor()
  })
})

describe('the end of a session', () => {
  it('logs out when nothing was said', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.clock.install()
    await page.clock.fastForward(5.1 * 60_000)
    await page.clock.resume()
    await page.waitForURL(/sso\/logout/)
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('monitor.tokens'))).toBeNull()
  })
})

describe('notices', () => {
  it('says that the connection is gone, and stops saying so', async () => {
    const { page, context, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await expectAccessible(page)
    await context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
  })

  it('repeats a failed load automatically once the connection is back', async () => {
    const { page, context, signIn: enter, heading, nav } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    const search = page.getByLabel('Find a scan')
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await search.fill('no such scan')
    await search.press('Enter')
    await page.getByText('Waiting for the connection. Content loads automatically.').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'No scan matches' }).waitFor()
    await expect.poll(() => search.inputValue()).toBe('no such scan')
    await page.getByText('The connection is back.').waitFor({ state: 'attached' })
    // A screen that was never loaded waits as well, and the surrounding page keeps its state.
    await context.setOffline(true)
    await nav().getByRole('link', { name: 'Dashboard' }).click()
    await heading('Not loaded yet').waitFor()
    await expectAccessible(page)
    await context.setOffline(false)
    await heading('Dashboard').waitFor()
  })

  it('detects an unreachable server on a working network, and its return', async () => {
    const { page, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    await page.route(/\/(config|monitor-api)/, (route) => route.abort())
    const search = page.getByLabel('Find a scan')
    await search.fill('Shared')
    await search.press('Enter')
    await page.getByText('The server cannot be reached', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.unroute(/\/(config|monitor-api)/)
    await page.getByText('The server cannot be reached', { exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Shared' }).waitFor()
  })

  it('shows what the administrators say until it is dismissed', async () => {
    await shell.client('PUT', '/../axe-account/global-config', { message: 'No scans on Sunday' })
    const { page, signIn: enter, heading } = await shell.open(320)
    await enter()
    await heading('Scans').waitFor()
    const notice = page.getByRole('region', { name: 'Message from the administrators' })
    await notice.getByText('No scans on Sunday').waitFor()
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Remind me in two weeks' }).click()
    await notice.waitFor({ state: 'detached' })
    const noticeResponse = page.waitForResponse('**/global-config-notice')
    await page.reload()
    await noticeResponse
    await heading('Scans').waitFor()
    await expect.poll(() => notice.count()).toBe(0)
  })
})

describe('what the browser keeps', () => {
  const readStored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(`monitor.${name}`), key)

  it('remembers for each person which scans and which run the lists show', async () => {
    const { page, signIn: enter, heading, nav } = await shell.open()
    await enter(`/monitor/issues?scanId=%5B%22${shell.scanId}%22%5D&run=1`)
    await heading('Issues').waitFor()
    await nav().getByRole('link', { name: 'Pages' }).click()
    await heading('Pages').waitFor()
    expect(page.url()).toContain(shell.scanId)
    expect(page.url()).toContain('run=1')
    expect(JSON.parse((await readStored(page, 'user-sessions'))!)).toEqual([
      { userId: 'admin', userData: { activeScans: [{ scanId: shell.scanId }] } },
    ])
    expect(JSON.parse((await readStored(page, 'scan-runs-filter'))!)).toEqual({ scanId: shell.scanId, run: 1 })
    await page.goto(`${shell.product.url}/monitor/scans`)
    await heading('Scans').waitFor()
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('Issues').waitFor()
    expect(page.url()).toContain(shell.scanId)
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/sso\/logout/)
    await enter('/monitor', viewer)
    await heading('Scans').waitFor()
    await nav().getByRole('link', { name: 'Issues' }).click()
    await heading('Issues').waitFor()
    expect(page.url()).not.toContain(shell.scanId)
  })

  it('opens a shared link as the person who is signed in, in another tab too, until the logout', async () => {
    const { page, context, signIn: enter, heading } = await shell.open()
    await enter()
    await heading('Scans').waitFor()
    expect(Number(await readStored(page, 'active-session'))).toBeGreaterThan(Date.now())
    const otherPage = await context.newPage()
    await otherPage.goto(shell.guestLink)
    await otherPage.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    await otherPage.getByRole('link', { name: 'Administration' }).waitFor()
    await page.locator('header').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL(/sso\/logout/)
    expect(await readStored(page, 'active-session')).toBeNull()
    const third = await context.newPage()
    await third.goto(shell.guestLink)
    await third.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    expect(await third.evaluate(() => sessionStorage.getItem('monitor.guest-token'))).not.toBeNull()
    expect(await third.getByRole('link', { name: 'Administration' }).count()).toBe(0)
  })
})

describe('a guest', () => {
  it('sees one scan by its link, without signing in, and can sign in', async () => {
    const { page, heading, nav } = await shell.open()
    await page.goto(shell.guestLink)
    await heading('Shared').waitFor()
    expect(page.url()).not.toContain('guestToken')
    expect(await nav().getByRole('link').allTextContents()).toEqual(['Overview', 'Issues', 'Pages'])
    await expectAccessible(page)
    await nav().getByRole('link', { name: 'Pages' }).click()
    await heading('Pages').waitFor()
    expect(await nav().getByRole('link', { name: 'Pages' }).getAttribute('aria-current')).toBe('page')
    for (const path of ['inbox', 'account', 'api-keys', 'webhooks', 'ignored']) {
      await page.goto(`${shell.product.url}/monitor/${path}`)
      await page.waitForURL(new RegExp(`/scans/${shell.scanId}`))
    }
    await page.goto(`${shell.product.url}/monitor/admin`)
    await page.waitForURL(new RegExp(`/scans/${shell.scanId}`))
    await page.reload()
    await heading('Shared').waitFor()
    await page.getByText(/^You see a read-only result of Shared, shared from 127/).waitFor()
    await page.locator('header').getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('User name').waitFor()
  })

  it('is told when the link does not work any more', async () => {
    const { page, heading } = await shell.open()
    await page.goto(shell.guestLink.replace(/.$/, (lastCharacter) => (lastCharacter === 'A' ? 'B' : 'A')))
    await heading('This link no longer works').waitFor()
    await expectAccessible(page)
  })
})
