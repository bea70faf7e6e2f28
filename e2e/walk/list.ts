import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { countStopsToFirstRow, getFocusedName } from '../screen/keyboard.ts'
import { choose, deleteByTyping, checkEveryLook, checkOption, closeMessage } from '../screen/looks.ts'
import { buildFixtureScan, waitForRunEnd } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

const manyScans = 27
type Rows = { content: { id: string }[]; page: { totalElements: number } }

const countScans = async ({ client }: Suite, query = ''): Promise<number> =>
  (await client<Rows>('GET', `/scans?size=1${query}`)).page.totalElements
const getPresetId = async ({ client }: Suite): Promise<string> =>
  (await client<Rows>('GET', '/presets?search=For+all')).content[0]!.id
const getCheckbox = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select: ${name}` })
const getSelectionBar = (page: Page) => page.getByRole('region', { name: 'What is selected' })

/** Creates more scans than one page of the list holds, a preset and a shared script. */
export async function createManyScans({ client, site }: Suite): Promise<void> {
  for (let i = 0; i < manyScans; i++) {
    const name = `Many ${String(i).padStart(2, '0')}`
    await client('POST', '/scans', { ...buildFixtureScan(name, site.url), priority: i < 2 ? 'high' : 'low' })
  }
  const script = `projects: [{ name: s, id: s, pageList: [{ name: a, url: "${site.url}/", actions: ["wait for 1s"] }] }]`
  await client('POST', '/scripts', { name: 'Sign in', type: 'SESSION', text: script })
  await client('POST', '/presets', { name: 'For all' })
}

/** Selects scans across pages, deselects some, and makes favorites of them. */
export async function selectAcrossPages(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const total = await countScans(suite)
  await open('/scans?sort=name,asc')
  await heading('Scans')
  expect(await countStopsToFirstRow(page)).toBeLessThanOrEqual(12)
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  await getSelectionBar(page).getByText('25 selected').waitFor()
  await getSelectionBar(page)
    .getByRole('button', { name: `Select all ${total}` })
    .click()
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await getCheckbox(page, 'Many 26').uncheck()
  await getSelectionBar(page).getByText(`All ${total} selected except 1`).waitFor()
  await expectAccessible(page)
  await getSelectionBar(page).getByRole('button', { name: 'Add to favorites' }).click()
  await closeMessage(page, `Added to favorites: ${total - 1} scans`)
  expect(await countScans(suite, '&favorites=true')).toBe(total - 1)
}

/** Assigns a preset, skips scans that have one, and reports both in one message. */
export async function assignPreset(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const { content } = await client<{ content: { id: string }[] }>('GET', '/scans?search=Many+03')
  await client('POST', `/scans/${content[0]!.id}/preset?presetId=${await getPresetId(suite)}`)
  await open('/scans?sort=name,asc&q=Many')
  await heading('Scans')
  for (const name of ['Many 03', 'Many 04', 'Many 05']) await getCheckbox(page, name).check()
  await getSelectionBar(page).getByRole('button', { name: 'Assign preset…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign a preset' })
  await dialog.getByText('1 of them has a preset already, and keeps it.').waitFor()
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await dialog.getByText('Choose a preset.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Preset').selectOption('For all')
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await closeMessage(page, 'Preset assigned to 2 scans. 1 already had a preset and was left alone.')
}

export async function applyScript(suite: Suite): Promise<void> {
  const { page, client } = suite
  await getCheckbox(page, 'Many 06').check()
  await getSelectionBar(page).getByRole('button', { name: 'Apply scripts…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply shared scripts' })
  await dialog.getByLabel('Shared session script').selectOption('Sign in')
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
  await closeMessage(page, 'Scripts applied to 1 scan.')
  const { content } = await client<{ content: { id: string }[] }>('GET', '/scans?search=Many+06')
  const { settings } = await client<{ settings: { scripts: { shared: string[] } } }>('GET', `/scans/${content[0]!.id}/settings`)
  expect(settings.scripts.shared).toHaveLength(1)
}

/** Deletes selected scans after their number was typed. */
export async function deleteSelected(suite: Suite): Promise<void> {
  const { page } = suite
  for (const name of ['Many 07', 'Many 08']) await getCheckbox(page, name).check()
  await getSelectionBar(page).getByRole('button', { name: 'Delete…' }).click()
  await deleteByTyping(page, '2', { fieldName: 'number of scans' })
  await closeMessage(page, '2 scans deleted.')
  await getCheckbox(page, 'Many 07').waitFor({ state: 'detached' })
  expect(await countScans(suite, '&search=Many')).toBe(manyScans - 2)
}

/** Groups the list, and counts pages instead of issues. */
export async function groupAndCount(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await open('/scans?q=Many')
  await heading('Scans')
  await page.getByLabel('Group by').selectOption('priority')
  await page.getByRole('heading', { level: 2, name: 'High priority' }).waitFor()
  const readColumns = (group: string) =>
    page
      .getByRole('table', { name: `Scans: ${group} priority` })
      .locator('thead th')
      .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().left)))
  const highColumns = await readColumns('High')
  expect(highColumns.length).toBeGreaterThan(4)
  expect(await readColumns('Low')).toEqual(highColumns)
  await page.getByRole('combobox', { name: /^Count/ }).selectOption('pages')
  await page.getByRole('table', { name: 'Scans: High priority' }).getByText('Critical pages').waitFor()
  expect(new URL(page.url()).searchParams.get('by')).toBe('pages')
  await expectAccessible(page)
  await page.goBack()
  await page.getByRole('table', { name: 'Scans: High priority' }).getByText('Critical', { exact: true }).waitFor()
}

/** Shows more columns, sorts by one of them, and exports the list as it is filtered. */
export async function chooseColumnsAndExport(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await page.mouse.move(0, 0)
  await open('/scans?q=Many')
  await heading('Scans')
  const table = page.getByRole('table', { name: 'Scans', exact: true })
  // A screen reader may press a control without pointer or focus.
  const pressFirstBox = () =>
    table
      .getByRole('checkbox')
      .nth(1)
      .evaluate((box: HTMLInputElement) => box.click())
  await pressFirstBox()
  await page.getByRole('region', { name: 'What is selected' }).getByText('1 selected').waitFor()
  await pressFirstBox()
  const extraColumns = ['Moderate', 'Next run', 'Owners']
  const toggleColumns = async (isChecked: boolean) => {
    await page.getByRole('button', { name: 'Columns…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columns' })
    for (const name of extraColumns) await dialog.getByLabel(name, { exact: true }).setChecked(isChecked)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect
      .poll(() =>
        table
          .getByRole('columnheader')
          .filter({ hasText: /Moderate|Next run|Owners/ })
          .count(),
      )
      .toBe(isChecked ? extraColumns.length : 0)
  }
  await toggleColumns(true)
  await table.getByRole('columnheader', { name: 'Next run' }).getByRole('button').click()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('nextRun,')
  await checkEveryLook(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^scans-\d{4}-\d{2}-\d{2}\.csv$/)
  const csvLines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(csvLines.length - 1).toBe(await countScans(suite, '&search=Many'))
  await toggleColumns(false)
}

/** Shows recurring issues, the runs, and the time of the next one on the overview. */
export async function showOverview(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  const body = {
    ...buildFixtureScan('Overview', site.url),
    depth: 1,
    pageLimit: 12,
    schedule: {
      frequency: 'weekly',
      startDate: '2099-01-05',
      startTime: '03:00',
      timeZone: 'America/New_York',
      weekdays: ['monday'],
    },
  }
  const { id } = await client<{ id: string }>('POST', '/scans', body)
  await client('POST', `/scans/${id}/startRun`)
  expect(await waitForRunEnd(client, id, 120_000)).toMatchObject({ status: 'completed' })
  await open(`/scans/${id}`)
  await heading('Overview')
  // With one run there is no line to draw, and no empty half next to the score.
  const getLeftEdge = (name: string) =>
    page.getByRole('heading', { name, exact: true }).evaluate((head) => head.getBoundingClientRect().left)
  await page.getByRole('heading', { name: 'Trend', exact: true }).waitFor()
  expect(await getLeftEdge('Trend')).toBe(await getLeftEdge('Accessibility score'))
  const repeats = page.getByRole('region', { name: 'Recurring issues' })
  await checkOption(repeats.getByRole('radio', { name: 'Selectors' }))
  await repeats.getByRole('table', { name: 'Selectors' }).getByRole('link').first().waitFor()
  await page
    .getByRole('region', { name: 'Upcoming runs' })
    .getByText(/in America\/New York/)
    .first()
    .waitFor()
  await page.getByRole('region', { name: 'Runs', exact: true }).getByRole('link', { name: 'Run 1' }).waitFor()
  await expectAccessible(page)
  const openIssues = await client<{ page: { totalElements: number } }>('GET', `/issues?scanId=${id}&status=open`)
  const download = page.waitForEvent('download')
  await choose(page, 'Export', 'JSON')
  const file = JSON.parse(await readFile(await (await download).path(), 'utf8')) as { issues: object[] }
  expect(file.issues).toHaveLength(openIssues.page.totalElements)
  await repeats.getByRole('table', { name: 'Selectors' }).getByRole('link').first().click()
  await heading('Issues')
  expect(await getFocusedName(page)).not.toBe('')
}

/** Tags selected scans, narrows the list to one tag, removes it again, and starts two runs. */
export async function tagAndStart(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  await open('/scans?sort=name,asc&q=Many')
  await heading('Scans')
  for (const name of ['Many 10', 'Many 11']) await getCheckbox(page, name).check()
  await getSelectionBar(page).getByRole('button', { name: 'Tags…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags' })
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await dialog.getByText('Enter a tag, or choose one to remove.').waitFor()
  await checkEveryLook(page)
  await dialog.getByLabel('Add tags').fill('shop, a much longer word for many scans')
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await closeMessage(page, 'Tags changed on 2 scans.')
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('shop')
  const rowHeaders = page.getByRole('table', { name: 'Scans' }).getByRole('rowheader')
  await expect.poll(() => rowHeaders.count()).toBe(2)
  await checkEveryLook(page)
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  await getSelectionBar(page).getByRole('button', { name: 'Start runs' }).click()
  await closeMessage(page, 'Runs of 2 scans started.')
  for (const name of ['10', '11']) {
    const { content } = await client<Rows>('GET', `/scans?search=Many+${name}`)
    await client('POST', `/scans/${content[0]!.id}/cancel`).catch(() => undefined)
    await waitForRunEnd(client, content[0]!.id, 60_000)
  }
  await choose(page, 'Actions for Many 11', 'Tags…')
  await dialog.getByLabel('shop').check()
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await closeMessage(page, 'Tags changed on 1 scan.')
  await expect.poll(() => rowHeaders.count()).toBe(1)
}

/** Duplicates a scan; its secrets must be entered again. */
export async function duplicateScan(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  const scanSettings = { name: 'With a secret', urls: [`${site.url}/`], type: 'custom', pageLimit: 7 }
  const connection = { authType: 'basic', username: 'somebody', password: 'secret-word' }
  await client('POST', '/scans', { ...buildFixtureScan('x', site.url), ...scanSettings, session: { connection, mark: null } })
  await open('/scans?q=With+a+secret')
  await heading('Scans')
  await choose(page, 'Actions for With a secret', 'Duplicate…')
  await heading('New scan: General')
  await page.goBack()
  await page.getByRole('rowheader').getByRole('link', { name: 'With a secret' }).click()
  await heading('With a secret')
  await choose(page, 'Actions for With a secret', 'Duplicate…')
  await heading('New scan: General')
  await page.getByText('These are the settings of With a secret').waitFor()
  await checkEveryLook(page)
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Copy of With a secret')
  await page.goto(`${page.url()}&step=review`)
  await heading('New scan: Review')
  await page.getByRole('button', { name: 'Create scan' }).click()
  await page.getByRole('group', { name: '1 other step needs a fix' }).getByRole('button', { name: 'Session' }).waitFor()
  expect((await client<Rows>('GET', '/scans?search=Copy+of')).content).toEqual([])
  expect(await page.content()).not.toContain('secret-word')
}
