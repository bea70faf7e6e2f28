import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus } from '../screen/keyboard.ts'
import { choose, deleteByTyping, checkEveryLook, createTextFile, closeMessage } from '../screen/looks.ts'
import type { Suite } from '../product/suite.ts'

type Rows<T> = { content: (T & { id: string })[] }

/** Creates a scan group, rejects a duplicate name, edits it and deletes it by name. */
export async function manageGroups({ page, client, open, heading }: Suite): Promise<void> {
  const createScan = (name: string) => client<{ id: string }>('POST', '/scans', { name, urls: ['https://example.org/'] })
  const [scan, deletedScan] = [await createScan('In a group'), await createScan('Soon gone')]
  await client('POST', '/groups', { scanGroupName: 'Taken' })
  await open('/admin')
  await heading('Scan groups')
  await page.getByRole('link', { name: 'New scan group' }).click()
  await heading('New scan group: General')
  const clickNext = (step: string) => page.getByRole('button', { name: `Next: ${step}` }).click()
  await clickNext('Scans')
  await page.getByRole('heading', { name: 'Fix 1 error' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Taken')
  await clickNext('Scans')
  await heading('New scan group: Scans')
  for (const name of ['In a group', 'Soon gone']) await page.getByLabel(name).check()
  await checkEveryLook(page)
  await clickNext('Teams')
  await heading('New scan group: Teams')
  // The step is in the URL: Back returns to it, and the choices stay.
  await page.goBack()
  await heading('New scan group: Scans')
  await expect.poll(() => page.getByLabel('In a group').isChecked()).toBe(true)
  await page.goForward()
  await heading('New scan group: Teams')
  await clickNext('Review')
  await page.getByText('In a group, Soon gone', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create scan group' }).click()
  // The server checks the names. It returns to the step with the field and keeps all input.
  await heading('New scan group: General')
  await page.getByText('This name is taken already. Choose a different one.').first().waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Public sites')
  const goToStep = (name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name }).click()
  await client('DELETE', `/scans/${deletedScan.id}`)
  await goToStep('Review')
  await page.getByRole('button', { name: 'Create scan group' }).click()
  // Another user has deleted a scan in the meantime. The step that chooses scans shows it.
  await heading('New scan group: Scans')
  await page.getByRole('button', { name: /^Scans: Choose one of the listed values/ }).click()
  await expectFocus(page.locator('#group-scans'))
  await expectAccessible(page)
  await page.getByLabel('Soon gone').uncheck()
  await goToStep('Review')
  await page.getByRole('button', { name: 'Create scan group' }).click()
  await closeMessage(page, 'Scan group saved: Public sites')
  await heading('Scan groups')
  await choose(page, 'Actions for Public sites', 'Edit')
  await heading('Public sites General')
  await goToStep('Scans')
  await page.getByLabel('In a group').uncheck()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await closeMessage(page, 'Scan group saved: Public sites')
  const { content } = await client<{ content: { scanGroupName: string; scanCount: number }[] }>(
    'GET',
    '/groups/scan-groups?search=Public',
  )
  expect(content).toMatchObject([{ scanGroupName: 'Public sites', scanCount: 0 }])
  await choose(page, 'Actions for Public sites', 'Delete…')
  await deleteByTyping(page, 'Public sites')
  await closeMessage(page, 'Scan group deleted: Public sites')
  await client('DELETE', `/scans/${scan.id}`)
}

const buildSessionScript = (url: string) =>
  `projects:\n  - name: s\n    id: s\n    pageList:\n      - name: start\n        url: ${url}/\n        actions:\n          - wait for 1s\n`

/** Writes a shared script, reads its errors by line, adds a variable and saves it. */
export async function manageScripts({ page, client, open, heading, site }: Suite): Promise<void> {
  await open('/admin/scripts')
  await heading('Shared scripts')
  await page.getByRole('link', { name: 'New script' }).click()
  await heading('New script')
  const nextButton = page.getByRole('button', { name: 'Next: Environment variables' })
  await nextButton.click()
  await page.getByRole('heading', { name: 'Fix 2 errors' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Sign in to the shop')
  await page.getByLabel('Sign-in').check()
  await page.getByText('What a script can do').click()
  await page.getByText('select the "France" option in "#country"').waitFor()
  await checkEveryLook(page)
  const scriptBox = page.getByRole('textbox', { name: 'Script' })
  await scriptBox.fill(buildSessionScript(site.url).replace('wait for 1s', 'wobble the page'))
  const faults = page.getByRole('list', { name: 'What is wrong with the script' })
  await faults.getByText('This action is not known').waitFor()
  await checkEveryLook(page)
  await faults.getByRole('button', { name: /Line 8/ }).click()
  const marked = await scriptBox.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  expect(marked).toContain('wobble')
  await scriptBox.fill(buildSessionScript(site.url))
  await page.getByText('The script is valid.').waitFor()
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await page.getByText('Script passed.').waitFor({ timeout: 90_000 })
  await expectAccessible(page)
  await nextButton.click()
  await heading('New script: Environment variables')
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByRole('button', { name: 'Next: Review' }).click()
  await page.getByRole('heading', { name: /^Fix \d+ errors?$/ }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('PASSWORD')
  await page.getByLabel('Value', { exact: true }).fill('secret')
  await page.getByRole('button', { name: 'Next: Review' }).click()
  await heading('New script: Review')
  await expectAccessible(page)
  // The server checks the names. It returns to the step with the field and keeps all input.
  await client('POST', '/scripts', { name: 'Sign in to the shop', type: 'SESSION', text: buildSessionScript(site.url) })
  await page.getByRole('button', { name: 'Create script' }).click()
  await page.getByRole('button', { name: /^Name: This name is taken already/ }).click()
  await heading('New script')
  await page.getByLabel('Name', { exact: true }).fill('Sign in to another shop')
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Create script' }).click()
  await closeMessage(page, 'Script saved: Sign in to another shop')
  const { content } = await client<Rows<{ name: string }>>('GET', '/scripts?shared=true')
  expect(content.map(({ name }) => name)).toContain('Sign in to another shop')
}

/** Turns a browser recording into a script and reports the steps without a counterpart. */
export async function importRecording({ page, open, heading, site }: Suite): Promise<void> {
  const recording = {
    title: 'Walk',
    steps: [
      { type: 'navigate', url: `${site.url}/` },
      { type: 'click', selectors: [['#menu']], target: 'main', offsetX: 1, offsetY: 1 },
      { type: 'emulateNetworkConditions', download: 1, upload: 1, latency: 1 },
    ],
  }
  await open('/admin/scripts/new')
  await heading('New script')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import a recording of Chrome…' }).click()
  await (await chooser).setFiles(createTextFile('walk.json', JSON.stringify(recording)))
  await page.getByText('Some steps of the recording have no counterpart and were skipped').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Script' }).inputValue()).toContain('click element')
  const nextFileChooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import a recording of Chrome…' }).click()
  await (await nextFileChooser).setFiles(createTextFile('other.json', '{"a":1}'))
  await page.getByText("This is not a JSON export from Chrome's Recorder.").waitFor()
}

/** A script that a scan uses cannot be deleted; without scans it can. */
export async function protectScriptsInUse({ page, client, open, heading, site }: Suite): Promise<void> {
  const { id } = await client<{ id: string }>('POST', '/scripts', {
    name: 'Used',
    type: 'SESSION',
    text: buildSessionScript(site.url),
  })
  const scan = await client<{ id: string }>('POST', '/scans', {
    name: 'Uses a script',
    urls: [`${site.url}/`],
    scripts: { shared: [id] },
  })
  await open('/admin/scripts')
  await heading('Shared scripts')
  const tryScript = async () => {
    await choose(page, 'Actions for Used', 'Delete…')
    await deleteByTyping(page, 'Used')
  }
  await tryScript()
  const dialog = page.getByRole('dialog', { name: 'Delete script' })
  await dialog
    .getByText(/is currently applied to one or more scans/)
    .last()
    .waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await client('DELETE', `/scans/${scan.id}`)
  await tryScript()
  await closeMessage(page, 'Script deleted: Used')
}

/** Completes the steps of a preset, returns to a field that the server refuses, and saves it. */
export async function managePresets({ page, client, open, heading }: Suite): Promise<void> {
  await client('POST', '/presets', { name: 'There already' })
  await open('/admin/presets/new')
  await heading('New preset: General')
  await page.getByRole('button', { name: 'Next: Common components' }).click()
  await page.getByRole('heading', { name: 'Fix 1 error' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('There already')
  await page.getByLabel('Public share link').selectOption('no')
  await page.getByLabel('Scan admins may override it').check()
  const rules = page.getByRole('region', { name: 'Rules' })
  await rules.getByLabel('Set the rules in this preset').check()
  await checkEveryLook(page)
  for (const step of ['Common components', 'Advanced', 'Review']) {
    await page.getByRole('button', { name: `Next: ${step}` }).click()
    await heading(`New preset: ${step}`)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create preset' }).click()
  // The server checks the names. It returns to the step with the field and keeps all input.
  await heading('New preset: General')
  await page.getByText('This name is taken already. Choose a different one.').first().waitFor()
  await page.getByLabel('Name', { exact: true }).fill('House rules')
  await page.getByRole('button', { name: 'Review', exact: false }).first().click()
  await page.getByRole('button', { name: 'Create preset' }).click()
  await closeMessage(page, 'Preset saved: House rules')
  const { content } = await client<Rows<object>>('GET', '/presets?search=House')
  const { settings } = await client<{ settings: object }>('GET', `/presets/${content[0]!.id}/settings`)
  expect(settings).toMatchObject({ shareLink: false, allowOverride: { shareLink: true } })
  await heading('Presets')
  await page.getByRole('link', { name: 'House rules' }).click()
  await heading('House rules General')
  await page.getByLabel('Name', { exact: true }).fill('House rules 2')
  await page.getByRole('button', { name: 'Review', exact: false }).first().click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await closeMessage(page, 'Preset saved: House rules 2')
  await choose(page, 'Actions for House rules 2', 'Delete…')
  await deleteByTyping(page, 'House rules 2')
  await closeMessage(page, 'Preset deleted: House rules 2')
}

/** Exports the entries that match the audit filters, all of one object. */
async function checkExport(page: Page, noun: string, name: string): Promise<void> {
  const download = page.waitForEvent('download')
  await choose(page, 'Export', 'CSV')
  const [head, ...rows] = readFileSync((await (await download).path()) ?? '', 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toMatch(/^Number,At,Person,/)
  expect(rows.filter((row) => !row.includes(`,${noun},`))).toEqual([])
  expect(rows.at(-1)).toContain(name)
}

/** Shows entries with the values before and after, narrows them in the URL, and exports the remaining ones. */
export async function browseAuditLog({ page, client, open, heading }: Suite): Promise<void> {
  const createGroup = (scanGroupName: string) => client<{ scanGroupId: string }>('POST', '/groups', { scanGroupName })
  const longNamedGroup = await createGroup('Public services for citizens, families and businesses of the metropolitan region')
  const { scanGroupId } = await createGroup('Recorded')
  await client('PATCH', `/groups/${scanGroupId}`, { scanGroupName: 'Recorded anew' })
  await open('/admin')
  await page.getByRole('navigation', { name: 'Administration' }).getByText('Audit log').click()
  await heading('Audit log')
  const getFilter = (name: string) => page.getByRole('search').getByLabel(name, { exact: true })
  await getFilter('Object').selectOption('Scan group')
  await expect.poll(() => page.url()).toContain('noun=group')
  const auditRow = page.getByRole('row', { name: /Scan group changed.*Recorded anew/ })
  await auditRow
    .getByRole('listitem')
    .filter({ hasText: /^name Recorded →changed to Recorded anew$/ })
    .waitFor()
  await auditRow.getByText('127.0.0.1').waitFor()
  await checkEveryLook(page)
  const countPersonLines = () =>
    auditRow.getByText('admin', { exact: true }).evaluate((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
  expect(await countPersonLines()).toBe(1)
  await auditRow.getByRole('link').click()
  const valuesTable = page.getByRole('table', { name: 'Values' })
  await valuesTable.waitFor()
  await expect.poll(() => getFilter('Object').inputValue()).toBe('group')
  // Next to the panel a long object name is cut, but a person's name must stay whole.
  expect(await countPersonLines()).toBe(1)
  await valuesTable.getByRole('row', { name: 'name Recorded Recorded anew' }).waitFor()
  await checkEveryLook(page)
  await page.getByRole('region', { name: 'Recorded anew' }).getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { level: 2, name: 'Recorded', exact: true }).waitFor()
  await expect.poll(() => valuesTable.getByRole('columnheader').allInnerTexts()).toEqual(['Field', 'After'])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/^entry-\d+$/)
  await checkExport(page, 'group', 'Recorded anew')
  await getFilter('From').fill('2999-01-01')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await expectAccessible(page)
  await page.goBack()
  await auditRow.getByRole('link').click()
  await page.getByRole('link', { name: 'All entries of this user' }).click()
  await expect.poll(() => page.url()).toMatch(/audit\?actor=/)
  await expect.poll(() => getFilter('User').locator('option:checked').innerText()).toContain('admin')
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => page.url()).toMatch(/audit$/)
  // A failure is reported and can be retried.
  await page.route('**/monitor-api/audit?*', (route) => route.fulfill({ status: 400 }))
  await page.reload()
  await page.getByText('The audit log could not be loaded.').waitFor()
  await expectAccessible(page)
  await page.unroute('**/monitor-api/audit?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page
    .getByRole('row', { name: /Recorded anew/ })
    .first()
    .waitFor()
  for (const id of [scanGroupId, longNamedGroup.scanGroupId]) await client('DELETE', `/groups/${id}`)
}
