import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { choose, checkEveryLook, newPage, closeMessage } from '../screen/looks.ts'
import { submitSignIn, getHeading } from './people.ts'

/** Virtual passkey device of the browser, and a switch for its user's presence. */
async function addVirtualDevice(page: Page): Promise<(isThere: boolean) => Promise<unknown>> {
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

type Credentials = { email: string; password: string; codes: readonly string[] }
/** An administrator in a window, with a device that stores passkeys. */
type Owner = { url: string; page: Page; setThere: (isThere: boolean) => Promise<unknown>; credentials: Credentials }

const getDialog = ({ page }: Owner) => page.getByRole('dialog')
const getCard = ({ page }: Owner) => page.getByRole('region', { name: 'Passkeys' })

async function signOut({ page, url }: Owner): Promise<void> {
  await choose(page, 'admin', 'Log out')
  await page.waitForURL(/sso\/logout/)
  await page.goto(`${url}/monitor`)
}

async function addPasskey(owner: Owner): Promise<void> {
  const { page, setThere, credentials } = owner
  const [dialog, card] = [getDialog(owner), getCard(owner)]
  await choose(page, 'admin', 'My account')
  await card.getByRole('button', { name: 'Add a passkey…' }).click()
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Chrome, Linux')
  await dialog.getByLabel('Name').fill('Telephone')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByText('Fill in this field.').count()).toBe(2)
  await dialog.getByLabel('Current password').fill(credentials.password)
  await dialog.getByLabel('Code from the app, or a recovery code').fill(credentials.codes[1]!)
  await setThere(false)
  await page.keyboard.press('Enter')
  await dialog.getByText('No passkey was created. Try again.').waitFor()
  await checkEveryLook(page)
  await setThere(true)
  // The code is already used; no other one is required.
  await dialog.getByLabel('Current password').press('Enter')
  await closeMessage(page, 'Passkey added')
  await card.getByRole('rowheader', { name: 'Telephone' }).waitFor()
  await checkEveryLook(page)
}

async function signInByPasskey({ page, setThere }: Owner): Promise<void> {
  const passkey = page.getByRole('button', { name: 'Use a passkey' })
  await setThere(false)
  await passkey.click()
  await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor()
  await checkEveryLook(page)
  await setThere(true)
  await passkey.press('Enter')
  await getHeading(page, 'Scans')
}

/** Adds a passkey, signs in with it alone and after the password, and removes the authenticator app with it. */
export async function usePasskey(url: string, browser: Browser, credentials: Credentials): Promise<void> {
  const page = await newPage(browser)
  const owner = { url, page, setThere: await addVirtualDevice(page), credentials }
  await submitSignIn(page, url, credentials)
  await page.getByLabel('Code').fill(credentials.codes[0]!)
  await page.keyboard.press('Enter')
  await getHeading(page, 'Scans')
  await addPasskey(owner)
  await signOut(owner)
  await signInByPasskey(owner)
  await choose(page, 'admin', 'My account')
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await getDialog(owner).getByRole('button', { name: 'Use a passkey instead' }).click()
  await closeMessage(page, 'Authenticator app turned off')
  await page.getByText('On, with a passkey.').waitFor()
  // Administrators need a second factor here: the last one cannot be removed.
  expect(
    await getCard(owner)
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0)
  await signOut(owner)
  await submitSignIn(page, url, credentials)
  await page.getByText('Use your passkey, or enter one of your recovery codes.').waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await getHeading(page, 'Scans')
  await page.close()
}
