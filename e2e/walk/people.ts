import { expect } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus } from '../screen/keyboard.ts'
import { totpCode } from '../../packages/server/src/idp/totp.ts'
import { choose, everyLook, newPage, textFile, confirmed } from '../screen/looks.ts'

/** The product as somebody sees it who has just started it: nobody has an account yet. */
export type House = {
  url: string
  /** The link that the start printed. */
  setup: string
  browser: Browser
  /** The first administrator's window. */
  page: Page
}

export const first = { email: 'first@example.org', password: 'a wholly unlikely sentence' }
const second = { email: 'ada@example.org', password: 'another unlikely sentence' }

/** The code that an authenticator app shows now, or some steps later. */
const codeOf = (key: string, later = 0): string =>
  totpCode(key.replaceAll(' ', ''), Math.floor(Date.now() / 30_000) + later)
export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
export const enter = async (
  page: Page,
  url: string,
  who: { email: string; password: string },
): Promise<void> => {
  await page.goto(`${url}/monitor`)
  await page.getByLabel('User name or email').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The first start: the printed link makes the first administrator, who is signed in at once. */
export async function firstStart({ url, setup, page, browser }: House): Promise<void> {
  // Whoever comes without it is told of it.
  await page.goto(`${url}/monitor`)
  await page.getByText('There is no administrator yet.').waitFor()
  await everyLook(page)
  await page.goto(setup)
  await heading(page, 'Set up Clearway')
  await everyLook(page)
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Email', { exact: true }).fill('nothing')
  await page.getByLabel('New password').fill('password1234')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter an email address, like name@example.org.').waitFor()
  await page.getByText('This password is among the first that attackers try.').waitFor()
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Grace')
  await expectFocus(page.locator('#lastName'))
  await everyLook(page)
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('Email', { exact: true }).fill(first.email)
  await page.getByLabel('New password').fill(first.password)
  await page.keyboard.press('Enter')
  await heading(page, 'Scans')
  await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()
  const late = await newPage(browser)
  await late.goto(setup)
  await heading(late, 'This link no longer works')
  await everyLook(late)
  await enter(late, url, first)
  await heading(late, 'Scans')
  await late.close()
}

/** Invites somebody, who takes the account by the link and is signed in at once. */
export async function invites({ url, page, browser }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await heading(page, 'People')
  await page.getByText('1 person').waitFor()
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Email', { exact: true }).fill(first.email.toUpperCase())
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('Somebody has this email already.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email', { exact: true }).fill(second.email)
  await page.getByLabel('Role', { exact: true }).selectOption('Auditor')
  await page.keyboard.press('Enter')
  const link = (await page.getByRole('status').locator('code').textContent())!
  await page.getByRole('row', { name: /ada@example\.org.*Auditor.*Invited/ }).waitFor()
  await everyLook(page)
  const guest = await newPage(browser)
  await guest.goto(link)
  await heading(guest, 'Accept the invitation')
  await everyLook(guest)
  await guest.getByLabel('First name').fill('Ada')
  await guest.getByLabel('Last name').fill('Lovelace')
  await guest.getByLabel('New password').fill(second.password)
  await guest.keyboard.press('Enter')
  await heading(guest, 'Scans')
  await guest.close()
  await page.reload()
  await page.getByRole('row', { name: /Ada Lovelace.*Auditor.*Active/ }).waitFor()
}

/** Narrows and sorts the list, changes a role, makes a link, deactivates, reactivates. */
export async function manages({ url, page, browser }: House): Promise<void> {
  const ada = await newPage(browser)
  await enter(ada, url, second)
  await heading(ada, 'Scans')
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Change role…')
  await page.getByLabel('Role', { exact: true }).selectOption('User')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await confirmed(page, 'Ada Lovelace: User')
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
  await confirmed(page, 'Ada Lovelace: Deactivated')
  // Her window is signed out at its next step.
  await ada.reload()
  await ada.getByLabel('User name or email').waitFor()
  await enter(ada, url, second)
  await ada.getByText('The user name or the password is wrong.').waitFor()
  await everyLook(ada)
  await ada.close()
  await page.getByLabel('Status', { exact: true }).selectOption('Deactivated')
  await choose(page, 'Actions for Ada Lovelace', 'Reactivate…')
  await dialog.getByRole('button', { name: 'Reactivate' }).click()
  await confirmed(page, 'Ada Lovelace: Reactivated')
  await page.getByRole('button', { name: 'Remove the search “lovelace”' }).click()
  await page.getByRole('link', { name: 'Clear all' }).click()
  await choose(page, 'Actions for Ada Lovelace', 'Reset password')
  await page.getByText('Link for Ada Lovelace').waitFor()
}

/** Somebody has lost a second factor: an administrator removes it. */
export async function losesSecondFactor({ url, page, browser }: House): Promise<void> {
  const ada = await newPage(browser)
  await enter(ada, url, second)
  await heading(ada, 'Scans')
  await choose(ada, 'Ada Lovelace', 'My account')
  await ada.getByRole('button', { name: 'Set up…' }).click()
  const own = ada.getByRole('dialog')
  await own.getByLabel('Code from the app').fill(codeOf((await own.locator('code').textContent())!))
  await own.getByLabel('Current password').fill(second.password)
  await ada.keyboard.press('Enter')
  await ada.getByText('10 recovery codes are left.').waitFor()
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Remove second factor…')
  await everyLook(page)
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Remove second factor' }).click()
  await confirmed(page, 'Ada Lovelace: Second factor removed')
  await ada.reload()
  await enter(ada, url, second)
  await heading(ada, 'Scans')
  await ada.close()
}

/** Invites many by a file. */
export async function importsPeople({ url, page }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await page.getByRole('link', { name: 'Import…' }).click()
  await heading(page, 'Import people')
  const pick = async (button: string, rows: string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles(textFile('people.csv', ['email,role', ...rows].join('\n'), 'text/csv'))
  }
  await pick('Choose a file…', ['ada@example.org,user', 'nobody,boss'])
  await page.getByText('Upload failed in people.csv').waitFor()
  for (const line of [
    'Line 2: Somebody has the email “ada@example.org” already.',
    'Line 3: “nobody” is not an email address.',
    'Line 3: “boss” is not a role. The roles are admin, auditor and user.',
  ])
    await page.getByText(line).waitFor()
  await everyLook(page)
  await pick('Choose another file…', ['one@example.org,user', 'two@example.org,auditor'])
  await page.getByRole('row', { name: /two@example\.org.*Auditor/ }).waitFor()
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('2 people are invited.').waitFor()
  await page.getByRole('button', { name: 'Copy the links' }).waitFor()
  await everyLook(page)
}

/** Makes a team, renames it, gives it access, and deletes it with what it gave. */
export async function teams({ url, page }: House): Promise<void> {
  // Where teams are chosen, it is said that there are none, with the way to make one.
  for (const path of ['scans/new?step=access', 'admin/assign-team']) {
    await page.goto(`${url}/monitor/${path}`)
    await page.getByRole('heading', { name: 'No teams yet' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'New team' }).waitFor()
  }
  await page.goto(`${url}/monitor/admin/teams`)
  await page.getByText('No teams yet').waitFor()
  await everyLook(page)
  await page.getByRole('link', { name: 'New team' }).click()
  await heading(page, 'New team')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Editors')
  await page.getByLabel('Ada Lovelace (ada@example.org)').check()
  await everyLook(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await confirmed(page, 'Team saved: Editors')
  await page.getByRole('row', { name: /Editors.*1/ }).waitFor()
  await page.getByRole('link', { name: 'Editors' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Editors of the shop')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await confirmed(page, 'Team saved: Editors of the shop')
  // It can be given access at once.
  await letsView(page, url, 'Editors of the shop', 'Shop')
  await page.goto(`${url}/monitor/admin/teams`)
  await choose(page, 'Actions for Editors of the shop', 'Delete…')
  await page.getByText('It has 1 member. Its access to 1 scan or scan group ends.').waitFor()
  await everyLook(page)
  await page.getByLabel('Type the name: Editors of the shop').fill('Editors of the shop')
  await page.getByRole('button', { name: 'Delete team' }).click()
  await confirmed(page, 'Team deleted: Editors of the shop')
  await page.goto(`${url}/monitor/admin/team-access`)
  await page.getByText('Editors of the shop').waitFor({ state: 'detached' })
  // Who is in a team decides who sees what: each change is on record, and by whom.
  await page.goto(`${url}/monitor/admin/audit?noun=team`)
  for (const entry of [
    /Deletion.*Editors of the shop/,
    /Modification.*Editors of the shop/,
    /Creation.*Editors\b/,
  ])
    await page.getByRole('row', { name: entry }).getByText('Grace Hopper').first().waitFor()
  await page
    .getByRole('row', { name: /Modification/ })
    .getByRole('link')
    .click()
  await page
    .getByRole('table', { name: 'Values' })
    .getByRole('row', { name: 'name Editors Editors of the shop' })
    .waitFor()
}

/** Lets a team view a scan. */
export async function letsView(page: Page, url: string, team: string, scan: string): Promise<void> {
  await page.goto(`${url}/monitor/admin/assign-team`)
  await page.getByLabel(team).check()
  await page.getByRole('button', { name: 'Next: Assign scans' }).click()
  await page.getByLabel('Role', { exact: true }).selectOption('Scan Viewer')
  await page.getByLabel(scan, { exact: true }).check()
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await confirmed(page, 'Team access saved.')
}

/** Deletes somebody; what was done stays by nobody's name. */
export async function forgets({ url, page }: House): Promise<void> {
  await page.goto(`${url}/monitor/admin/people`)
  await choose(page, 'Actions for Ada Lovelace', 'Delete…')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('What they did is kept under the name “Former member”.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await confirmed(page, 'Ada Lovelace: Deleted')
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor({ state: 'detached' })
}

/** Signs in again, in another window, which asks for a code after the password. */
async function askedForCode(url: string, browser: Browser, code: string): Promise<Page> {
  const other = await newPage(browser)
  await enter(other, url, first)
  await heading(other, 'Two-factor sign-in')
  await other.getByLabel('Code').fill('000000')
  await other.keyboard.press('Enter')
  await other.getByText('This code is wrong, or was used already.').waitFor()
  await everyLook(other)
  await other.getByLabel('Code').fill(code)
  await other.keyboard.press('Enter')
  await heading(other, 'Scans')
  return other
}

/** One's own account: name, a second factor, sessions, and another password. */
export async function ownAccount({ url, page, browser }: House): Promise<void> {
  await page.goto(`${url}/monitor/scans`)
  await choose(page, 'Grace Hopper', 'My account')
  await page.getByText('This server sends no email.').waitFor()
  await page.getByLabel('First name').fill('Amazing')
  await everyLook(page)
  await page.getByRole('button', { name: 'Save name' }).click()
  await confirmed(page, 'Name saved. It appears everywhere after your next sign-in.')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect.poll(() => page.getByText('Fill in this field.').count()).toBe(2)
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog')
  const key = (await dialog.locator('code').textContent())!
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByLabel('Current password').fill(first.password)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is wrong, or was used already.').waitFor()
  await everyLook(page)
  await dialog.getByLabel('Code from the app').fill(codeOf(key))
  await page.keyboard.press('Enter')
  await page.getByText('10 recovery codes are left.').waitFor()
  const codes = await page.getByRole('status').locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await everyLook(page)
  const other = await askedForCode(url, browser, codes[0]!)
  await page.reload()
  await page.getByText('9 recovery codes are left.').waitFor()
  await page
    .getByRole('button', { name: /^Sign out: Chrome, Linux, / })
    .first()
    .click()
  await confirmed(page, /Signed out: Chrome, Linux, /)
  await other.reload()
  await other.getByLabel('User name or email').waitFor()
  await other.close()
  await page.getByRole('button', { name: 'Turn off…' }).click()
  await dialog.getByLabel('Current password').fill('not my password')
  await page.keyboard.press('Enter')
  await dialog.getByText('Fill in this field.').waitFor()
  await dialog.getByLabel('Code from the app, or a recovery code').fill(codes[1]!)
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not your password.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Current password').fill(first.password)
  await page.keyboard.press('Enter')
  await confirmed(page, 'Authenticator app turned off')
  const next = 'yet another unlikely sentence'
  await page.getByLabel('Current password').fill(first.password)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByLabel('User name or email').fill(first.email)
  await page.getByLabel('Password').fill(next)
  await page.keyboard.press('Enter')
  await heading(page, 'My account')
  await page.getByRole('button', { name: 'Amazing Hopper' }).waitFor()
}

/** An administrator who needs a second factor sets it up at the sign-in. */
export async function enrols(
  url: string,
  browser: Browser,
  who: { email: string; password: string },
): Promise<string[]> {
  const page = await newPage(browser)
  await enter(page, url, who)
  await heading(page, 'Set up two-factor sign-in')
  await everyLook(page)
  const key = (await page.locator('code').textContent())!
  await page.getByLabel('Code').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('This code is wrong, or was used already.').waitFor()
  await expect.poll(() => page.locator('code').textContent()).toBe(key)
  await page.getByLabel('Code').fill(codeOf(key))
  await page.keyboard.press('Enter')
  await heading(page, 'Recovery codes')
  await everyLook(page)
  const codes = await page.locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Scans')
  await page.close()
  return codes
}
