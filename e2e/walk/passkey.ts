import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { choose, everyLook, newPage, confirmed } from '../screen/looks.ts'
import { enter, heading } from './people.ts'

/** A device that keeps passkeys, as a browser knows it, and whether its owner is at hand. */
async function deviceOf(page: Page): Promise<(isThere: boolean) => Promise<unknown>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

type Who = { email: string; password: string; codes: readonly string[] }
/** An administrator in a window, with a device that keeps passkeys. */
type Owner = { url: string; page: Page; setThere: (isThere: boolean) => Promise<unknown>; who: Who }

const dialogIn = ({ page }: Owner) => page.getByRole('dialog')
const cardIn = ({ page }: Owner) => page.getByRole('region', { name: 'Passkeys' })

async function leave({ page, url }: Owner): Promise<void> {
  await choose(page, 'admin', 'Log out')
  await page.waitForURL(/sso\/logout/)
  await page.goto(`${url}/monitor`)
}

async function addPasskey(owner: Owner): Promise<void> {
  const { page, setThere, who } = owner
  const [dialog, card] = [dialogIn(owner), cardIn(owner)]
  await choose(page, 'admin', 'My account')
  await card.getByRole('button', { name: 'Add a passkey…' }).click()
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Chrome, Linux')
  await dialog.getByLabel('Name').fill('Telephone')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByText('Fill in this field.').count()).toBe(2)
  await dialog.getByLabel('Current password').fill(who.password)
  await dialog.getByLabel('Code from the app, or a recovery code').fill(who.codes[1]!)
  await setThere(false)
  await page.keyboard.press('Enter')
  await dialog.getByText('No passkey was created. Try again.').waitFor()
  await everyLook(page)
  await setThere(true)
  // The code is used up by now; another is not asked for.
  await dialog.getByLabel('Current password').press('Enter')
  await confirmed(page, 'Passkey added')
  await card.getByRole('rowheader', { name: 'Telephone' }).waitFor()
  await everyLook(page)
}

async function enterByPasskey({ page, setThere }: Owner): Promise<void> {
  const passkey = page.getByRole('button', { name: 'Use a passkey' })
  await setThere(false)
  await passkey.click()
  await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor()
  await everyLook(page)
  await setThere(true)
  await passkey.press('Enter')
  await heading(page, 'Scans')
}

/** Adds a passkey, signs in by it alone and behind the password, and takes the authenticator app off with it. */
export async function usesPasskey(url: string, browser: Browser, who: Who): Promise<void> {
  const page = await newPage(browser)
  const owner = { url, page, setThere: await deviceOf(page), who }
  await enter(page, url, who)
  await page.getByLabel('Code').fill(who.codes[0]!)
  await page.keyboard.press('Enter')
  await heading(page, 'Scans')
  await addPasskey(owner)
  await leave(owner)
  await enterByPasskey(owner)
  await choose(page, 'admin', 'My account')
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await dialogIn(owner).getByRole('button', { name: 'Use a passkey instead' }).click()
  await confirmed(page, 'Authenticator app turned off')
  await page.getByText('On, with a passkey.').waitFor()
  // Administrators need a second factor here: the last one stays.
  expect(
    await cardIn(owner)
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0)
  await leave(owner)
  await enter(page, url, who)
  await page.getByText('Use your passkey, or enter one of your recovery codes.').waitFor()
  await everyLook(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await heading(page, 'Scans')
  await page.close()
}
