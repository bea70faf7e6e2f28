import { expect } from 'vitest'
import type { Browser } from 'playwright-core'
import { getDescription } from '../screen/keyboard.ts'
import { choose, checkEveryLook, newPage, closeMessage } from '../screen/looks.ts'
import { submitSignIn, getHeading } from './people.ts'

type Mails = readonly { to: string; text: string }[]
type MailWalk = { url: string; browser: Browser; mails: Mails; password: string }

/** Changes an email address by the mailed link, and turns mails about comments off. */
export async function chooseMails({ url, browser, mails, password }: MailWalk): Promise<void> {
  const page = await newPage(browser)
  await submitSignIn(page, url, { email: 'admin', password })
  await getHeading(page, 'Scans')
  await page.goto(`${url}/monitor/account`)
  const unreachable = page.getByRole('checkbox', { name: 'Comments that mention you' })
  await expect.poll(() => unreachable.isDisabled()).toBe(true)
  expect(await getDescription(unreachable)).toContain('Your account has no email address.')
  await page.goto(`${url}/monitor/scans/new?step=schedule`)
  const me = page.getByRole('checkbox', { name: 'Me', exact: true })
  await expect.poll(() => me.isDisabled()).toBe(true)
  expect(await getDescription(me)).toBe('Your account has no email address.')
  await page.goto(`${url}/monitor/account`)
  await page.getByRole('button', { name: 'Change email…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill('boss@example.org')
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('Email sent to boss@example.org').waitFor()
  const mail = mails.findLast(({ to }) => to === 'boss@example.org')!
  await page.goto(/http\S+email\?token=[\w-]+/.exec(mail.text)![0])
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Sign in with the new email from now on.').waitFor()

  await submitSignIn(page, url, { email: 'boss@example.org', password })
  await getHeading(page, 'Scans')
  await choose(page, 'admin', 'My account')
  const mentionsCheckbox = page.getByRole('checkbox', { name: 'Comments that mention you' })
  await expect.poll(() => mentionsCheckbox.isChecked()).toBe(true)
  await checkEveryLook(page)
  await mentionsCheckbox.focus()
  await page.keyboard.press('Space')
  await page.getByText('These emails are turned off.').waitFor()
  expect(await mentionsCheckbox.evaluate((box) => box === document.activeElement)).toBe(true)
  await closeMessage(page, 'These emails are turned off.')
  await page.reload()
  await mentionsCheckbox.waitFor()
  expect(await mentionsCheckbox.isChecked()).toBe(false)
  await page.route('**/monitor-api/users/settings', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503 }) : route.continue(),
  )
  await mentionsCheckbox.click()
  await page.getByRole('region', { name: 'Messages' }).getByText('Error').waitFor()
  // A setting that could not be saved is unchanged.
  await expect.poll(() => mentionsCheckbox.isChecked()).toBe(false)
  await page.close()
}
