import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../screen/accessible.ts'

export type Account = { username: string; password: string }

/** Differences between identity providers. */
export type WalkedProvider = {
  /** Fills in and submits the provider's form, which the page shows. */
  fillIn: (page: Page, account: Account) => Promise<void>
  admin: Account
  /** An account without any role. */
  stranger: Account
  /** Time until a session is about to end by the page's own clock, ms; null to wait by the real clock. */
  leapMs: number | null
  rotateKeys: () => Promise<void>
}

type Step = (name: string, work: () => Promise<void>) => Promise<void>

const readToken = (page: Page) =>
  page
    .evaluate(() => (JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access?: string }).access ?? '')
    .catch(async (error: unknown) => {
      // The location says more than the lack of tokens.
      const text = await page.textContent('body').catch(() => '')
      throw new Error(`${String(error)} at ${page.url()}: ${text?.slice(0, 500)}`)
    })

const callApi = (page: Page, path: string) =>
  page.evaluate(
    async ({ path }) => {
      const { access } = JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access: string }
      const reply = await fetch(path, { headers: { authorization: `Bearer ${access}` } })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    },
    { path },
  )

const getKeyId = (token: string) => (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid

/** Opens the list of scans with no request in flight: leaving during a refresh loses the token that it returns. */
async function waitAtScans(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()
  await page.waitForLoadState('networkidle')
}

async function logOut(page: Page): Promise<void> {
  // The account menu shows the person's name.
  await page.locator('header').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/monitor\/sso\/logout/)
}

async function signIn(page: Page, url: string, provider: WalkedProvider, account: Account): Promise<void> {
  await page.goto(`${url}/monitor`)
  await provider.fillIn(page, account)
}

type Walk = { newPage: () => Promise<Page>; url: string; provider: WalkedProvider; step: Step }

/** One session, from sign-in to extension. */
async function walkSession({ url, provider, step }: Walk, page: Page): Promise<void> {
  await step('signs in, and is admin by the role on the resource client', async () => {
    await signIn(page, url, provider, provider.admin)
    await page.getByRole('alertdialog', { name: 'Welcome to Clearway' }).waitFor()
    const { status, body } = await callApi(page, '/monitor-api/users/permissions')
    assert.deepEqual([status, body.isAdmin], [200, true])
  })
  await step('agrees to the terms on the account page, which signs in by itself and leads back', async () => {
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Read the terms of use' }).click()
    await page.getByRole('heading', { level: 1, name: 'Terms of use' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nutzungsbedingungen' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('button', { name: 'I agree to these terms' }).click()
    await waitAtScans(page)
    assert.equal(await page.getByRole('alertdialog').count(), 0)
    assert.notEqual((await callApi(page, '/axe-account/me')).body.agreedAt, null)
  })
  await step('refreshes its token before it ends', async () => {
    const previousToken = await readToken(page)
    // Tokens live one minute here. The next call refreshes those with less than 90 seconds remaining.
    await page.reload()
    await waitAtScans(page)
    const isRenewed = ({ key, old: oldToken }: { key: string; old: string }) =>
      !(sessionStorage.getItem(key) ?? oldToken).includes(oldToken)
    await page.waitForFunction(isRenewed, { key: 'monitor.tokens', old: previousToken }, { timeout: 15_000 })
    assert.equal((await callApi(page, '/monitor-api/users/permissions')).status, 200)
  })
  await step('offers to extend the session one minute before it ends', async () => {
    if (provider.leapMs !== null) {
      await page.clock.install()
      await page.clock.fastForward(provider.leapMs)
      await page.clock.resume()
    }
    const dialog = page.getByRole('alertdialog', { name: 'Your session ends soon' })
    await dialog.waitFor({ timeout: 120_000 })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    // The page's clock is ahead, so the provider has added nothing.
    const message = provider.leapMs === null ? /Session extended by/ : /Session extended by|Unable to extend session/
    await page.getByText(message).first().waitFor()
  })
}

/** How sessions end, and events from outside: people without access, and new keys. */
async function walkSessionEnds({ newPage, url, provider, step }: Walk, page: Page): Promise<void> {
  await step('logs out at the provider too', async () => {
    const otherPage = await newPage()
    await signIn(otherPage, url, provider, provider.admin)
    await waitAtScans(otherPage)
    await logOut(otherPage)
    await otherPage.goto(`${url}/monitor`)
    await provider.fillIn(otherPage, provider.admin)
    await waitAtScans(otherPage)
    await otherPage.context().close()
  })
  await step('tells a user without access so', async () => {
    const otherPage = await newPage()
    await signIn(otherPage, url, provider, provider.stranger)
    await otherPage.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await otherPage.context().close()
  })
  await step('accepts tokens by a new key, and still those by the old one', async () => {
    const previousKeyId = getKeyId(await readToken(page))
    await provider.rotateKeys()
    assert.equal((await callApi(page, '/monitor-api/users/permissions')).status, 200)
    const otherPage = await newPage()
    await signIn(otherPage, url, provider, provider.admin)
    await waitAtScans(otherPage)
    assert.equal((await callApi(otherPage, '/monitor-api/users/permissions')).status, 200)
    assert.notEqual(getKeyId(await readToken(otherPage)), previousKeyId)
    await otherPage.context().close()
  })
}

/**
 * Covers every feature that uses an identity provider, in a real browser: sign-in, admin, terms, refresh, extension, logout,
 * a user without access, new keys.
 */
export async function walkIdentity(walk: Walk): Promise<void> {
  const firstPage = await walk.newPage()
  await walkSession(walk, firstPage)
  // Its clock may be ahead, and its session about to end.
  await firstPage.context().close()
  const page = await walk.newPage()
  await signIn(page, walk.url, walk.provider, walk.provider.admin)
  await waitAtScans(page)
  await walkSessionEnds(walk, page)
}
