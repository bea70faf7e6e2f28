import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus, getFocusedName } from '../screen/keyboard.ts'
import { choose, checkEveryLook, createTextFile, closeMessage } from '../screen/looks.ts'
import { adminPassword } from '../product/start.ts'
import { startReceiver } from '../product/receiver.ts'
import type { Suite } from '../product/suite.ts'

type Access = { content: { teamName: string; role: string; scan: { name: string } | null }[] }
const listAccess = async ({ client }: Suite, team: string): Promise<string[]> =>
  (await client<Access>('GET', `/team-access?search=${encodeURIComponent(team)}`)).content.map(
    ({ role, scan }) => `${role} ${scan?.name}`,
  )

/** Creates two teams in the account service, and two scans. */
export async function makeTeams({ client }: Suite): Promise<void> {
  for (const name of ['Shop', 'Blog']) await client('POST', '/scans', { name, urls: ['https://example.org/'] })
  for (const name of ['Shop team', 'Editors']) await client('POST', '/../axe-account/teams', { name, members: [] })
}

/** Gives a team a role on a scan, as another user would. */
async function giveAccess({ client }: Suite, team: string, role: string): Promise<void> {
  const findIdByName = async (listPath: string, name: string) =>
    (await client<{ id: string; name: string }[]>('GET', listPath)).find((entry) => entry.name === name)!.id
  const teamId = await findIdByName('/groups/teams/all', team)
  const scanId = await findIdByName('/groups/scans/all', 'Shop')
  await client('POST', '/team-access', { assignments: [{ teamId, scanId, role }] })
}

/**
 * Gives one team a role on a scan after a preview of the changes. Access that another user gave in the meantime is not
 * overwritten silently.
 */
export async function assignOneTeam(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await open('/admin/assign-team')
  await heading('Assign a team: Select a team')
  // The section of a form stays marked.
  const currentSection = page.getByRole('navigation', { name: 'Administration' }).locator('[aria-current]')
  expect(await currentSection.allTextContents()).toEqual(['Team access'])
  const nextButton = page.getByRole('button', { name: 'Next: Assign scans' })
  await page.getByLabel('Shop team').check()
  await nextButton.click()
  await heading('Assign a team: Assign scans')
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByRole('button', { name: 'Scan or Scan Group must not be empty' }).waitFor()
  await page.getByLabel('Role').selectOption('Scan Member')
  await page.getByLabel('Shop', { exact: true }).check()
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByText('1 change').waitFor()
  await checkEveryLook(page)
  await giveAccess(suite, 'Shop team', 'scanViewer')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Someone else changed this in the meantime.').waitFor()
  expect(await listAccess(suite, 'Shop team')).toEqual(['scanViewer Shop'])
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await closeMessage(page, 'Team access saved.')
  expect(await listAccess(suite, 'Shop team')).toEqual(['scanMember Shop'])
}

const getDescription = (control: Locator) =>
  control.evaluate((element) => {
    const id = element.getAttribute('aria-describedby')
    return id === null ? null : document.getElementById(id)?.textContent
  })

/** Gives two teams a role on two scans at once; existing access is shown as unchanged. */
export async function assignSeveralTeams(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const deletedScan = await client<{ id: string }>('POST', '/scans', {
    name: 'Gone',
    urls: ['https://example.org/'],
  })
  await open('/admin/assign-teams')
  await heading('Assign teams: Select teams')
  for (const name of ['Shop team', 'Editors']) await page.getByLabel(name).check()
  await page.getByRole('button', { name: 'Next: Assign scans' }).click()
  const shop = page.getByLabel('Shop', { exact: true })
  await expect.poll(() => getDescription(shop)).toBe('Now: Shop team: Scan Member')
  expect(await getDescription(page.getByLabel('Blog', { exact: true }))).toBe('Now: No access')
  await expectAccessible(page)
  await page.getByLabel('Role').selectOption('Scan Member')
  for (const name of ['Shop', 'Blog', 'Gone']) await page.getByLabel(name, { exact: true }).check()
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByText('5 changes').waitFor()
  // Another user deletes a scan in the meantime: the step that chooses scans shows it, and all other choices stay.
  await client('DELETE', `/scans/${deletedScan.id}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await heading('Assign teams: Assign scans')
  await page.getByRole('button', { name: 'Scans: Choose one of the listed values.' }).click()
  await expectAccessible(page)
  await page.getByLabel('Gone', { exact: true }).uncheck()
  await page.getByRole('button', { name: 'Next: Review changes' }).click()
  await page.getByText('3 changes').waitFor()
  await page.getByText('Unchanged: Scan Member').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await closeMessage(page, 'Team access saved.')
  expect((await listAccess(suite, 'Editors')).sort()).toEqual(['scanMember Blog', 'scanMember Shop'])
}

const buildCsv = (csvRows: string[]) =>
  createTextFile('access.csv', ['team,scan,scan group,role', ...csvRows].join('\n'), 'text/csv')

/**
 * Imports a CSV file. Each faulty line is shown and can be copied, and nothing is saved while any remains. Access that
 * another user gave in the meantime is shown before it is overwritten.
 */
export async function importAccess(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('/admin/assign-teams?by=file')
  await heading('Import team access')
  const chooseFile = async (button: string, csvRows: string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles(buildCsv(csvRows))
  }
  await chooseFile('Choose a file…', [
    'Nobody,Shop,,Scan Viewer',
    'Editors,No scan,,Scan Viewer',
    'Editors,,No group,Scan Viewer',
    'Editors,,,Scan Viewer',
    'Editors,Shop,,Boss',
  ])
  await page.getByText('Upload failed in access.csv').waitFor()
  const faultTexts = [
    'Line 2: There is no team “Nobody”.',
    'Line 3: There is no scan “No scan”.',
    'Line 4: There is no scan group “No group”.',
    'Line 5: Scan or Scan Group must not be empty',
    'Line 6: “Boss” is not a role. The roles are Scan Viewer, Scan Member and Scan Admin.',
  ]
  for (const faultText of faultTexts) await page.getByText(faultText).waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Copy the list' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(faultTexts.join('\n'))
  await chooseFile('Choose another file…', ['Editors,Shop,,Scan Viewer'])
  await page.getByText('1 change').waitFor()
  await giveAccess(suite, 'Editors', 'scanAdmin')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('alert').getByText('Someone else changed this in the meantime.').waitFor()
  await page.getByText('1 change').waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await closeMessage(page, 'Team access saved.')
  expect((await listAccess(suite, 'Editors')).sort()).toEqual(['scanMember Blog', 'scanViewer Shop'])
  await choose(page, 'Actions for Editors, Blog', 'Remove access…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove access' }).click()
  await closeMessage(page, 'Editors no longer has access to Blog.')
  expect(await listAccess(suite, 'Editors')).toEqual(['scanViewer Shop'])
}

/** Revokes the right of members to create scans. */
export async function changePermissions({ page, client, open, heading }: Suite): Promise<void> {
  await open('/admin/permissions-settings')
  await heading('Permissions')
  await page.getByLabel('Scan members may create scans').uncheck()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Permissions settings saved.')
  const otherPermissions = { allowScanMembersToCreateScans: false, allowScanViewersToCreateScans: true }
  expect(await client('GET', '/system-settings')).toMatchObject(otherPermissions)
  // Another administrator changes them in the meantime: the selection stays, and can overwrite that version.
  await client('PUT', '/system-settings', { ...otherPermissions, allowScanViewersToCreateScans: false })
  await page.getByLabel('Scan members may create scans').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else changed this in the meantime.').waitFor()
  await checkEveryLook(page)
  await expect.poll(() => page.getByLabel('Scan members may create scans').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await closeMessage(page, 'Permissions settings saved.')
  expect(await client('GET', '/system-settings')).toMatchObject({
    allowScanMembersToCreateScans: true,
    allowScanViewersToCreateScans: true,
  })
}

/** Sets how long runs are kept; an invalid number is reported at its field. */
export async function changeRetention({ page, client, open, heading }: Suite): Promise<void> {
  await open('/admin/retention')
  await heading('Retention')
  await page.getByLabel('Always keep latest runs').fill('0')
  await page.getByLabel('Delete runs after (days)').fill('a year')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a whole number from 1 to 10,000.').waitFor()
  await page.getByText('Enter a whole number from 0 to 36,500.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  await checkEveryLook(page)
  await page.getByLabel('Always keep latest runs').fill('20')
  await page.getByLabel('Delete runs after (days)').fill('365')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Retention saved.')
  expect(await client('GET', '/system-settings/retention')).toMatchObject({ deleteDays: 365, keepRuns: 20 })
}

/** Sets quotas per person; the next run of a user who has reached one is refused with an explanation. */
export async function changeQuotas({ page, client, open, heading }: Suite): Promise<void> {
  const { version: _, ...previousQuotas } = (await client('GET', '/system-settings/quotas')) as { version: number }
  await open('/admin/quotas')
  await heading('Quotas')
  // Defaults, until an administrator changes them.
  await expect.poll(() => page.getByLabel('Runs per person at once', { exact: true }).inputValue()).toBe('20')
  await page.getByLabel('Runs per person at once', { exact: true }).fill('0')
  await page.getByLabel('Scans per person', { exact: true }).fill('many')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a whole number from 1 to 1,000.').waitFor()
  await page.getByText('Enter a whole number from 1 to 100,000.').first().waitFor()
  await checkEveryLook(page)
  await page.getByLabel('Runs per person at once', { exact: true }).fill('7')
  await page.getByLabel('Scans per person', { exact: true }).fill('400')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await closeMessage(page, 'Quotas saved.')
  const { version, ...updatedQuotas } = (await client('GET', '/system-settings/quotas')) as { version: number }
  expect(updatedQuotas).toEqual({ ...previousQuotas, runs: 7, scans: 400 })
  await client('PUT', '/system-settings/quotas', { ...previousQuotas, version })
}

/** Performs an action that requires a recent sign-in, as if the session were old; the input stays. */
async function reauthenticate(page: Page, act: () => Promise<void>): Promise<void> {
  const stale = { type: 'about:blank', title: 'Sign in again to do this', status: 403, code: 'sign-in-again', requestId: '1' }
  await page.route('**/monitor-api/api-keys', (route) => route.fulfill({ status: 403, json: stale }), { times: 1 })
  await act()
  const dialog = page.getByRole('alertdialog', { name: 'Confirm that it is you' })
  await dialog.waitFor()
  await expectAccessible(page)
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  const popup = await opened
  await popup.getByLabel('User name').fill('admin')
  await popup.getByLabel('Password').fill(adminPassword)
  const closed = popup.waitForEvent('close')
  await popup.keyboard.press('Enter')
  await closed
  await dialog.waitFor({ state: 'detached' })
}

/** Creates a working API key and revokes it. */
export async function manageApiKeys({ page, product, open, heading }: Suite): Promise<void> {
  await open('/api-keys')
  await heading('API keys')
  const make = page.getByRole('button', { name: 'Create key' })
  await make.click()
  await page.getByText('Fill in this field.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Build server')
  await reauthenticate(page, () => make.click())
  await page.getByText('Key “Build server” created').waitFor()
  await checkEveryLook(page)
  const key = await page.getByRole('status').locator('code').first().innerText()
  const callApi = () => fetch(`${product.url}/monitor-public-api/v1/scans`, { headers: { 'x-api-key': key } })
  expect((await callApi()).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke key: Build server' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await closeMessage(page, 'Key revoked: Build server')
  expect((await callApi()).status).toBe(401)
}

/** Adds a webhook, sends a test, and checks its arrival. */
export async function manageWebhooks({ page, open, heading }: Suite): Promise<void> {
  const received: string[] = []
  const receiver = await startReceiver((headers) => received.push(String(headers['x-clearway-event'] ?? 'no event')))
  const url = `${receiver.url}/hook`
  try {
    await open('/webhooks')
    await heading('Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByLabel('URL').fill('not a URL')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await dialog.getByText('Choose a scan.').waitFor()
    await dialog.getByText('This is not a URL.').waitFor()
    await dialog.getByLabel('Scan').selectOption({ label: 'Shop' })
    // Errors that only the server detects are shown at the field, too.
    await dialog.getByLabel('URL').fill('https://me:secret@hooks.example.org/')
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await dialog.getByText('Do not include a user name or password').waitFor()
    await dialog.getByLabel('URL').fill(url)
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('This is the secret of its signatures.').waitFor()
    await expect.poll(() => getFocusedName(page)).toBe('Webhooks')
    await page.getByRole('row', { name: /Shop.*No deliveries yet/ }).waitFor()
    await page.getByRole('link', { name: `${receiver.url}/…` }).click()
    await heading(new URL(url).host)
    await page.getByText(url, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send a test message' }).click()
    await page.getByRole('cell', { name: 'Delivered' }).waitFor({ timeout: 40_000 })
    expect(received).toHaveLength(1)
    await checkEveryLook(page)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('row', { name: /Shop.*Delivered/ }).waitFor()
    await checkEveryLook(page)
    await page.getByRole('link', { name: `${receiver.url}/…` }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
    await closeMessage(page, 'Webhook deleted.')
  } finally {
    await receiver.close()
  }
}

export async function showHealth({ page, open, heading }: Suite): Promise<void> {
  await open('/admin/health')
  await heading('System health')
  const getRow = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) })
  await getRow('Database').getByText('Operational').waitFor()
  await getRow('Database')
    .getByText(/^PostgreSQL \d+/)
    .waitFor()
  await getRow('Browser').getByText('Operational').waitFor()
  await getRow('Browser')
    .getByText(/^Chromium \d+/)
    .waitFor()
  await page.getByRole('row', { name: /^Worker [0-9a-f]{8} Operational/ }).waitFor()
  // Nothing is wrong with a part that was never set up.
  await getRow('Email').getByText('Not set up', { exact: true }).waitFor()
  await getRow('Email').getByText('No mail server is set').waitFor()
  await checkEveryLook(page)
}

/** Explains each screen where no other documentation is configured, and returns the focus. */
export async function showHelp({ page, product, open, heading }: Suite): Promise<void> {
  const screens = [
    ['/scans', 'Scans', 'A scan visits the pages of a site'],
    ['/issues', 'Issues', 'Everything that was found in the runs in view.'],
    ['/admin/presets', 'Presets', 'A preset holds settings that many scans share.'],
  ] as const
  for (const [path, title, helpText] of screens) {
    await open(path)
    await heading(title)
    const button = page.getByRole('button', { name: 'Help', exact: true })
    await button.click()
    await page.getByRole('dialog', { name: 'About this screen' }).getByText(helpText).waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(button)
  }
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await checkEveryLook(page)
  // On the small screen the menu folded, and closed the dialog with it.
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  await page.getByRole('link', { name: 'Step by step, with an explanation of the terms' }).click()
  // The previous screen has the same heading.
  await page.getByRole('article').waitFor()
  await heading('Presets')
  expect(page.url()).toBe(`${product.url}/monitor/docs/presets`)
  await checkEveryLook(page)
  // Nothing in it is secret: it can be read without signing in.
  const stranger = await page.context().browser()!.newPage({ locale: 'de-DE' })
  await stranger.goto(`${product.url}/monitor/docs`)
  await stranger.getByRole('link', { name: 'Wer was darf' }).click()
  await stranger.getByRole('heading', { level: 1, name: 'Wer was darf' }).waitFor()
  await expectAccessible(stranger)
  await stranger.getByRole('button', { name: 'Anmelden' }).click()
  await stranger.waitForURL(/\/auth|realms/)
  await stranger.close()
}
