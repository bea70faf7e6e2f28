import { expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus } from '../screen/keyboard.ts'
import { computeTotpCode } from '../../packages/server/src/idp/totp.ts'
import { choose, checkEveryLook, newPage, createTextFile, closeMessage } from '../screen/looks.ts'

/** The product right after its first start, without any account. */
export type House = {
  url: string
  /** Setup link that the start printed. */
  setup: string
  browser: Browser
  /** Window of the first administrator. */
  page: Page
}

export const firstAdmin = { email: 'first@example.org', password: 'a wholly unlikely sentence' }
const second = { email: 'ada@example.org', password: 'another unlikely sentence' }

/** Returns the current code of an authenticator app, or the one some steps later. */
const computeCode = (key: string, stepsAhead = 0): string =>
  computeTotpCode(key.replaceAll(' ', ''), Math.floor(Date.now() / 30_000) + stepsAhead)
export const getHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
export const submitSignIn = async (page: Page, url: string, credentials: { email: string; password: string }): Promise<void> => {
  await page.goto(`${url}/monitor`)
  await page.getByLabel('User name or email').fill(credentials.email)
  await page.getByLabel('Password').fill(credentials.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** First start: the printed link creates the first administrator, who is signed in immediately. */
export async function createFirstAdmin({ url, setup, page, browser }: House): Promise<void> {
  // Visitors without the link learn that they need it.
  await page.goto(`${url}/monitor`)
  await page.getByText('There is no administrator yet.').waitFor()
  await checkEveryLook(page)
  await page.goto(setup)
  await getHeading(page, 'Set up Clearway')
  await checkEveryLook(page)
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Email', { exact: true }).fill('nothing')
  await page.getByLabel('New password').fill('password1234')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter an email address, like name@example.org.').waitFor()
  await page.getByText('This password is among the first that attackers try.').waitFor()
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Grace')
  await expectFocus(page.locator('#lastName'))
  await checkEveryLook(page)
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Email', { exact: true }).fill(firstAdmin.email)
  await page.getByLabel('New password').fill(firstAdmin.password)
  await page.keyboard.press('Enter')
  await getHeading(page, 'Scans')
  await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()
  const latePage = await newPage(browser)
  await latePage.goto(setup)
  await getHeading(latePage, 'This link no longer works')
  await checkEveryLook(latePage)
  await submitSignIn(latePage, url, firstAdmin)
  await getHeading(latePage, 'Scans')
  await latePage.close()
}

/** Invites a user, who accepts by the link and is signed in immediately. */
export async function invitePerson({ url, page, browser }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await getHeading(page, 'People')
  await page.getByText('1 person').waitFor()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Email', { exact: true }).fill(firstAdmin.email.toUpperCase())
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('This email is already in use.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email', { exact: true }).fill(second.email)
  await page.getByLabel('Role', { exact: true }).selectOption('Auditor')
  await page.keyboard.press('Enter')
  const link = (await page.getByRole('status').locator('code').textContent())!
  await page.getByRole('row', { name: /ada@example\.org.*Auditor.*Invited/ }).waitFor()
  await checkEveryLook(page)
  const guest = await newPage(browser)
  await guest.goto(link)
  await getHeading(guest, 'Accept the invitation')
  await checkEveryLook(guest)
  await guest.getByLabel('First name').fill('Ada')
  await guest.getByLabel('Last name').fill('Lovelace')
  await guest.getByLabel('New password').fill(second.password)
  await guest.keyboard.press('Enter')
  await getHeading(guest, 'Scans')
  await guest.close()
  await page.reload()
  await page.getByRole('row', { name: /Ada Lovelace.*Auditor.*Active/ }).waitFor()
}

/** Narrows and sorts the list, changes a role, creates a link, deactivates, reactivates. */
export async function managePeople({ url, page, browser }: House): Promise<void> {
  const ada = await newPage(browser)
  await submitSignIn(ada, url, second)
  await getHeading(ada, 'Scans')
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Change role…')
  await page.getByLabel('Role', { exact: true }).selectOption('User')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Ada Lovelace: User')
  await choose(page, 'Actions for Grace Hopper', 'Deactivate…')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByText('There has to be at least one administrator.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('searchbox').fill('lovelace')
  await page.getByText('1 person').waitFor()
  await choose(page, 'Actions for Ada Lovelace', 'Deactivate…')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await closeMessage(page, 'Ada Lovelace: Deactivated')
  // Her window is signed out at its next step.
  await ada.reload()
  await ada.getByLabel('User name or email').waitFor()
  await submitSignIn(ada, url, second)
  await ada.getByText('The user name or the password is wrong.').waitFor()
  await checkEveryLook(ada)
  await ada.close()
  await page.getByLabel('Status', { exact: true }).selectOption('Deactivated')
  await choose(page, 'Actions for Ada Lovelace', 'Reactivate…')
  await dialog.getByRole('button', { name: 'Reactivate' }).click()
  await closeMessage(page, 'Ada Lovelace: Reactivated')
  await page.getByRole('button', { name: 'Remove the search “lovelace”' }).click()
  await page.getByRole('link', { name: 'Clear all' }).click()
  await choose(page, 'Actions for Ada Lovelace', 'Reset password')
  await page.getByText('Link for Ada Lovelace').waitFor()
}

/** A user has lost a second factor: an administrator removes it. */
export async function removeSecondFactor({ url, page, browser }: House): Promise<void> {
  const ada = await newPage(browser)
  await submitSignIn(ada, url, second)
  await getHeading(ada, 'Scans')
  await choose(ada, 'Ada Lovelace', 'My account')
  await ada.getByRole('button', { name: 'Set up…' }).click()
  const adaDialog = ada.getByRole('dialog')
  await adaDialog.getByLabel('Code from the app').fill(computeCode((await adaDialog.locator('code').textContent())!))
  await adaDialog.getByLabel('Current password').fill(second.password)
  await ada.keyboard.press('Enter')
  await ada.getByText('10 recovery codes are left.').waitFor()
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Remove second factor…')
  await checkEveryLook(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Remove second factor' }).click()
  await closeMessage(page, 'Ada Lovelace: Second factor removed')
  await ada.reload()
  await submitSignIn(ada, url, second)
  await getHeading(ada, 'Scans')
  await ada.close()
}

/** Invites many people by a file. */
export async function importPeople({ url, page }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await page.getByRole('link', { name: 'Import a CSV file' }).click()
  await getHeading(page, 'Import people')
  const chooseFile = async (button: string, csvRows: string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles(createTextFile('people.csv', ['email,role', ...csvRows].join('\n'), 'text/csv'))
  }
  await chooseFile('Choose a file…', ['ada@example.org,user', 'nobody,boss'])
  await page.getByText('Upload failed in people.csv').waitFor()
  for (const faultText of [
    'Line 2: The email “ada@example.org” is already in use.',
    'Line 3: “nobody” is not an email address.',
    'Line 3: “boss” is not a role. The roles are admin, auditor and user.',
  ])
    await page.getByText(faultText).waitFor()
  await checkEveryLook(page)
  await chooseFile('Choose another file…', ['one@example.org,user', 'two@example.org,auditor'])
  await page.getByRole('row', { name: /two@example\.org.*Auditor/ }).waitFor()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('2 people are invited.').waitFor()
  await page.getByRole('button', { name: 'Copy the links' }).waitFor()
  await checkEveryLook(page)
}

/** Creates a team, renames it, gives it access, and deletes it together with that access. */
export async function manageTeams({ url, page }: House): Promise<void> {
  // Where teams are chosen, a message says that there are none and how to create one.
  for (const path of ['scans/new?step=access', 'admin/assign-team']) {
    await page.goto(`${url}/monitor/${path}`)
    await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New team' }).waitFor()
  }
  await page.goto(`${url}/monitor/admin/teams`)
  await page.getByText('No teams yet').waitFor()
  await checkEveryLook(page)
  await page.getByRole('link', { name: 'New team' }).click()
  await getHeading(page, 'New team')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Editors')
  await page.getByLabel('Ada Lovelace (ada@example.org)').check()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Team saved: Editors')
  await page.getByRole('row', { name: /Editors.*1/ }).waitFor()
  await page.getByRole('link', { name: 'Editors' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Editors of the shop')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Team saved: Editors of the shop')
  // It can be given access immediately.
  await giveViewAccess(page, url, 'Editors of the shop', 'Shop')
  await page.goto(`${url}/monitor/admin/teams`)
  await choose(page, 'Actions for Editors of the shop', 'Delete…')
  await page.getByText('It has 1 member. Its access to 1 scan or scan group ends.').waitFor()
  await checkEveryLook(page)
  await page.getByLabel('Type the name: Editors of the shop').fill('Editors of the shop')
  await page.getByRole('button', { name: 'Delete team' }).click()
  await closeMessage(page, 'Team deleted: Editors of the shop')
  await page.goto(`${url}/monitor/admin/team-access`)
  await page.getByText('Editors of the shop').waitFor({ state: 'detached' })
  // Team membership decides who sees what, so each change is recorded with its author.
  await page.goto(`${url}/monitor/admin/audit?noun=team`)
  for (const entryText of [/Team deleted.*Editors of the shop/, /Team changed.*Editors of the shop/, /Team created.*Editors\b/])
    await page.getByRole('row', { name: entryText }).getByText('Grace Hopper').first().waitFor()
  await page
    .getByRole('row', { name: /Team changed/ })
    .getByRole('link')
    .click()
  await page.getByRole('table', { name: 'Values' }).getByRole('row', { name: 'name Editors Editors of the shop' }).waitFor()
}

export async function giveViewAccess(page: Page, url: string, team: string, scan: string): Promise<void> {
  await page.goto(`${url}/monitor/admin/assign-team`)
  await page.getByLabel(team).check()
  await page.getByRole('button', { name: 'Next: Assign scans' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('Scan Viewer')
  await page.getByLabel(scan, { exact: true }).check()
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await closeMessage(page, 'Team access saved.')
}

/** Deletes a user; past actions remain without a name. */
export async function deletePerson({ url, page }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Delete…')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('What they did is kept under the name “Former member”.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await closeMessage(page, 'Ada Lovelace: Deleted')
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor({ state: 'detached' })
}

/** Signs in again in another window, which requires a code after the password. */
async function signInWithCode(url: string, browser: Browser, code: string): Promise<Page> {
  const otherPage = await newPage(browser)
  await submitSignIn(otherPage, url, firstAdmin)
  await getHeading(otherPage, 'Two-factor sign-in')
  await otherPage.getByLabel('Code').fill('000000')
  await otherPage.keyboard.press('Enter')
  await otherPage.getByText('This code is wrong, or was used already.').waitFor()
  await checkEveryLook(otherPage)
  await otherPage.getByLabel('Code').fill(code)
  await otherPage.keyboard.press('Enter')
  await getHeading(otherPage, 'Scans')
  return otherPage
}

/** A user's own account: name, second factor, sessions, and a new password. */
export async function editOwnAccount({ url, page, browser }: House): Promise<void> {
  await page.goto(`${url}/monitor/scans`)
  await choose(page, 'Grace Hopper', 'My account')
  await page.getByText('This server sends no email.').waitFor()
  await page.getByLabel('First name').fill('Amazing')
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Save name' }).click()
  await closeMessage(page, 'Name saved. It appears everywhere after your next sign-in.')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(2)
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog')
  const key = (await dialog.locator('code').textContent())!
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByLabel('Current password').fill(firstAdmin.password)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is wrong, or was used already.').waitFor()
  await checkEveryLook(page)
  await dialog.getByLabel('Code from the app').fill(computeCode(key))
  await page.keyboard.press('Enter')
  await page.getByText('10 recovery codes are left.').waitFor()
  const codes = await page.getByRole('status').locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await checkEveryLook(page)
  const otherPage = await signInWithCode(url, browser, codes[0]!)
  await page.reload()
  await page.getByText('9 recovery codes are left.').waitFor()
  await page
    .getByRole('button', { name: /^Sign out: Chrome, Linux, / })
    .first()
    .click()
  await closeMessage(page, /Signed out: Chrome, Linux, /)
  await otherPage.reload()
  await otherPage.getByLabel('User name or email').waitFor()
  await otherPage.close()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await dialog.getByLabel('Current password').fill('not my password')
  await page.keyboard.press('Enter')
  await dialog.getByText('Fill in this field.').waitFor()
  await dialog.getByLabel('Code from the app, or a recovery code').fill(codes[1]!)
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not your password.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Current password').fill(firstAdmin.password)
  await page.keyboard.press('Enter')
  await closeMessage(page, 'Authenticator app turned off')
  const nextPassword = 'yet another unlikely sentence'
  await page.getByLabel('Current password').fill(firstAdmin.password)
  await page.getByLabel('New password').fill(nextPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('User name or email').fill(firstAdmin.email)
  await page.getByLabel('Password').fill(nextPassword)
  await page.keyboard.press('Enter')
  await getHeading(page, 'My account')
  await page.getByRole('button', { name: 'Amazing Hopper' }).waitFor()
}

/** An administrator who needs a second factor sets it up at sign-in. */
export async function enrollSecondFactor(
  url: string,
  browser: Browser,
  credentials: { email: string; password: string },
): Promise<string[]> {
  const page = await newPage(browser)
  await submitSignIn(page, url, credentials)
  await getHeading(page, 'Set up two-factor sign-in')
  await checkEveryLook(page)
  const key = (await page.locator('code').textContent())!
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong, or was used already.').waitFor()
  await expect.poll(() => page.locator('code').textContent()).toBe(key)
  await page.getByLabel('Code').fill(computeCode(key))
  await page.keyboard.press('Enter')
  await getHeading(page, 'Recovery codes')
  await checkEveryLook(page)
  const codes = await page.locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Continue' }).click()
  await getHeading(page, 'Scans')
  await page.close()
  return codes
}
