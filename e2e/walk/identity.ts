import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../screen/accessible.ts'

export type Account = { username: string; password: string }

/** What differs between identity providers. */
export type WalkedProvider = {
  /** Fills in and sends the provider's form, which the page shows. */
  fillIn: (page: Page, account: Account) => Promise<void>
  admin: Account
  /** Somebody without any role. */
  stranger: Account
  /** How long until a session is about to end, as the page's own clock has it, ms; null to wait for it by the real clock. */
  leapMs: number | null
  /** Makes the provider sign with a new key. */
  rotateKeys: () => Promise<void>
}

type Step = (name: string, work: () => Promise<void>) => Promise<void>

const tokenOf = (page: Page) =>
  page
    .evaluate(
      () =>
        (JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access?: string }).access ?? '',
    )
    .catch(async (error: unknown) => {
      // Where it is says more than that it has no tokens.
      const text = await page.textContent('body').catch(() => '')
      throw new Error(`${String(error)} at ${page.url()}: ${text?.slice(0, 500)}`)
    })

/** A call with the token of the page. */
const call = (page: Page, path: string) =>
  page.evaluate(
    async ({ path }) => {
      const { access } = JSON.parse(sessionStorage.getItem('monitor.tokens') ?? '{}') as { access: string }
      const reply = await fetch(path, { headers: { authorization: `Bearer ${access}` } })
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
    },
    { path },
  )

/** Which key signed a token. */
const keyOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid

/** The list of scans, with nothing under way: who leaves in the middle of a refresh loses the token that it brings. */
async function atScans(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Scans' }).waitFor()
  await page.waitForLoadState('networkidle')
}

async function logOut(page: Page): Promise<void> {
  // The account menu bears the name of the person.
  await page.locator('header').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/monitor\/sso\/logout/)
}

async function signIn(page: Page, url: string, provider: WalkedProvider, account: Account): Promise<void> {
  await page.goto(`${url}/monitor`)
  await provider.fillIn(page, account)
}

type Walk = { newPage: () => Promise<Page>; url: string; provider: WalkedProvider; step: Step }

/** One session, from its sign-in to its extension. */
async function walkSession({ url, provider, step }: Walk, page: Page): Promise<void> {
  await step('signs in, and is admin by the role on the resource client', async () => {
    await signIn(page, url, provider, provider.admin)
    await page.getByRole('alertdialog', { name: 'Welcome to Clearway' }).waitFor()
    const { status, body } = await call(page, '/monitor-api/users/permissions')
    assert.deepEqual([status, body.isAdmin], [200, true])
  })
  await step('agrees to the terms on the account page, which signs in by itself and leads back', async () => {
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to the account page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Terms of use' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { level: 1, name: 'Nutzungsbedingungen' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('button', { name: 'I agree to these terms' }).click()
    await atScans(page)
    assert.equal(await page.getByRole('alertdialog').count(), 0)
    assert.notEqual((await call(page, '/axe-account/me')).body.agreedAt, null)
  })
  await step('refreshes its token before it ends', async () => {
    const before = await tokenOf(page)
    // Tokens live a minute here, and are refreshed when less than 90 seconds are left: with the next call.
    await page.reload()
    await atScans(page)
    const renewed = ({ key, old }: { key: string; old: string }) =>
      !(sessionStorage.getItem(key) ?? old).includes(old)
    await page.waitForFunction(renewed, { key: 'monitor.tokens', old: before }, { timeout: 15_000 })
    assert.equal((await call(page, '/monitor-api/users/permissions')).status, 200)
  })
  await step('is asked one minute before the session ends, and extends it', async () => {
    if (provider.leapMs !== null) {
      await page.clock.install()
      await page.clock.fastForward(provider.leapMs)
      await page.clock.resume()
    }
    const dialog = page.getByRole('alertdialog', { name: 'Your session ends soon' })
    await dialog.waitFor({ timeout: 120_000 })
    await dialog.getByRole('button', { name: 'Continue' }).click()
    // By a clock that was put forward the provider has added nothing.
    const said =
      provider.leapMs === null ? /Session extended by/ : /Session extended by|Unable to extend session/
    await page.getByText(said).first().waitFor()
  })
}

/** How sessions end, and what comes from outside: people without access, and new keys. */
async function walkBorders({ newPage, url, provider, step }: Walk, page: Page): Promise<void> {
  await step('logs out at the provider too', async () => {
    const other = await newPage()
    await signIn(other, url, provider, provider.admin)
    await atScans(other)
    await logOut(other)
    await other.goto(`${url}/monitor`)
    await provider.fillIn(other, provider.admin)
    await atScans(other)
    await other.context().close()
  })
  await step('tells somebody without access so', async () => {
    const other = await newPage()
    await signIn(other, url, provider, provider.stranger)
    await other.getByRole('heading', { name: 'Unauthorized' }).waitFor()
    await other.context().close()
  })
  await step('takes tokens by a new key, and goes on with those by the old one', async () => {
    const before = keyOf(await tokenOf(page))
    await provider.rotateKeys()
    assert.equal((await call(page, '/monitor-api/users/permissions')).status, 200)
    const other = await newPage()
    await signIn(other, url, provider, provider.admin)
    await atScans(other)
    assert.equal((await call(other, '/monitor-api/users/permissions')).status, 200)
    assert.notEqual(keyOf(await tokenOf(other)), before)
    await other.context().close()
  })
}

/**
 * Walks everything that the product asks of an identity provider, in a real browser: sign-in, admin, terms, refresh,
 * extension, logout, somebody without access, new keys.
 */
export async function walkIdentity(walk: Walk): Promise<void> {
  const first = await walk.newPage()
  await walkSession(walk, first)
  // Its clock may be ahead, and its session about to end.
  await first.context().close()
  const page = await walk.newPage()
  await signIn(page, walk.url, walk.provider, walk.provider.admin)
  await atScans(page)
  await walkBorders(walk, page)
}
