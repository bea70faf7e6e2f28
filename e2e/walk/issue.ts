import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectCenteredSeverities } from '../screen/alignment.ts'
import { choose, checkEveryLook, checkOption, createTextFile, closeMessage, wideViewport } from '../screen/looks.ts'
import { countStopsToFirstRow, expectFocus, pressOn } from '../screen/keyboard.ts'
import { buildFixtureScan, waitForRunEnd } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

type Issues = { content: { id: string; rule: string; status: string }[]; page: { totalElements: number } }
const scanName = 'With results'

/** Creates a scan with a run, for every walk that needs results. Returns its id. */
export async function createScanWithResults({ client, site }: Suite): Promise<string> {
  const { content } = await client<{ content: { id: string }[] }>('GET', '/scans?search=With+results')
  if (content[0]) return content[0].id
  const { id } = await client<{ id: string }>('POST', '/scans', {
    ...buildFixtureScan(scanName, site.url),
    urls: [`${site.url}/`, `${site.url}/not/there`],
    depth: 1,
    pageLimit: 25,
  })
  await client('POST', `/scans/${id}/startRun`)
  const run = await waitForRunEnd(client, id, 120_000)
  // Without results, each of many tests would wait for them in vain.
  if (run.status !== 'completed') await client('DELETE', `/scans/${id}`)
  expect(run).toMatchObject({ status: 'completed' })
  return id
}

export const buildIssuesPath = (scan: string, extraQuery = '') => `/issues?scanId=%5B%22${scan}%22%5D${extraQuery}`
async function openIssues({ open, heading }: Suite, scan: string): Promise<void> {
  await open(buildIssuesPath(scan))
  await heading('Issues')
}

/** Narrows the list by each kind of filter. Each filter is in the URL, and the back button undoes it. */
export async function filterIssues(suite: Suite): Promise<void> {
  const { page, client } = suite
  const scan = await createScanWithResults(suite)
  await openIssues(suite, scan)
  const tableRows = page.getByRole('table', { name: 'Issues' }).getByRole('row')
  await tableRows.nth(1).waitFor()
  expect(await countStopsToFirstRow(page)).toBeLessThanOrEqual(12)
  await expectCenteredSeverities(page.getByRole('table', { name: 'Issues' }))
  const expectInUrl = (urlPart: string) => expect.poll(() => decodeURIComponent(page.url())).toContain(urlPart)
  await checkOption(page.getByRole('checkbox', { name: /^Critical/ }))
  await expectInUrl('severity=')
  await page.goBack()
  await expect.poll(() => page.url().includes('severity')).toBe(false)
  await page.getByLabel('Find in issues').fill('alternative text')
  await page.keyboard.press('Enter')
  await expectInUrl('q=alternative')
  await page
    .getByRole('status')
    .getByText(/· \d+ open issues?(?: on \d+ elements?)?$/)
    .first()
    .waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Fixed')
  await page.getByRole('heading', { name: 'No issue matches' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await tableRows.nth(1).waitFor()
  await page.getByRole('button', { name: 'More filters…' }).click()
  const dialog = page.getByRole('dialog', { name: 'More filters' })
  await dialog.getByLabel('First found from').fill('2999-01-01')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.getByText('This date is in the future. Choose today or earlier.').waitFor()
  await dialog.getByLabel('First found from').fill('2020-01-01')
  await dialog.locator('summary', { hasText: 'Rules' }).click()
  await dialog.getByLabel(/\(image-alt\)/).check()
  await dialog.locator('summary', { hasText: 'Success criteria' }).click()
  await dialog.getByLabel('WCAG 1.1.1 Non-text Content', { exact: true }).check()
  await dialog.getByLabel('New in this run').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expectInUrl('image-alt')
  await page.getByText('Rule: image-alt').waitFor()
  await page.getByText('Tag: WCAG 1.1.1').waitFor()
  await page.getByRole('button', { name: 'Scans and runs…' }).click()
  const runs = page.getByRole('dialog', { name: 'Select scans and a run' })
  await runs.getByLabel(/^Run 1,/).check()
  await runs.getByRole('button', { name: 'Apply' }).click()
  await expectInUrl('run=1')
  // The assignee that a shared link names.
  const { id } = await client<{ id: string }>('GET', '/users/permissions')
  await suite.open(buildIssuesPath(scan, `&assignedTo=%5B%22${id}%22%5D`))
  await page.getByText('Assigned to me', { exact: true }).last().waitFor()
  await suite.open(buildIssuesPath(scan, '&assignedTo=%5B%2200000000-0000-7000-8000-000000000000%22%5D'))
  await page.getByText('Assigned to Former member').waitFor()
}

/** On a small screen one button holds the filters and shows how many are active. */
export async function useFoldedFilters(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [path, title] of [
    [buildIssuesPath(scan, '&rule=%5B%22image-alt%22%5D'), 'Issues'],
    ['/pages?q=http', 'Pages'],
    ['/scans?q=With', 'Scans'],
    ['/admin/audit?action=created', 'Audit log'],
  ] as const) {
    await open(path)
    await heading(title)
    const fold = page.getByRole('button', { name: /^Filters \(\d on\)$/ })
    if (title === 'Issues') await expectShortCards(page)
    await fold.press('Enter')
    await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('search', { name: title }).getByRole('combobox').first().waitFor()
    await expectAccessible(page)
    await fold.press('Enter')
    await expect.poll(() => page.getByRole('search', { name: title }).getByRole('combobox').count()).toBe(0)
  }
  // A window of 1280 by 800 pixels with text of 200 %: rows begin in the upper two thirds.
  await page.setViewportSize({ width: 640, height: 400 })
  await open(buildIssuesPath(scan))
  const firstRow = page.getByRole('list', { name: 'Issues' }).getByRole('listitem').first()
  await firstRow.waitFor()
  expect((await firstRow.boundingBox())!.y).toBeLessThan(267)
  await page.setViewportSize(wideViewport)
}

/** Asserts that the cards of issues on a phone are at most 110 px high. */
async function expectShortCards(page: Page): Promise<void> {
  const cards = page.getByRole('list', { name: 'Issues' }).getByRole('listitem')
  await cards.first().waitFor()
  const heights = await cards.evaluateAll((elements) => elements.map((card) => card.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(110)
}

/** Message after a bulk change. */
const describeIssues = (count: number, action: string) => `${count} ${count === 1 ? 'issue' : 'issues'} ${action}.`

/** Selects issues across pages, sets a status on all of them, labels some, and exports the others. */
export async function changeInBulk(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await open(buildIssuesPath(scan, '&rule=%5B%22image-alt%22%5D&grouped=false'))
  await heading('Issues')
  const bar = page.getByRole('region', { name: 'What is selected' })
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  const openImageAltIssues = await client<Issues>('GET', `/issues?scanId=${scan}&rule=image-alt&status=open`)
  await bar.getByText(`${openImageAltIssues.page.totalElements} selected`).waitFor()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Ignored' }).click()
  await page.getByText(describeIssues(openImageAltIssues.page.totalElements, 'changed')).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await closeMessage(page, describeIssues(openImageAltIssues.page.totalElements, 'restored'))
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Ignored' }).click()
  await closeMessage(page, describeIssues(openImageAltIssues.page.totalElements, 'changed'))
  await page.getByLabel('Status', { exact: true }).selectOption('Ignored')
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  await choose(page, 'More actions', 'Add a label…')
  await page.getByLabel('New label').fill('later')
  await page.getByRole('button', { name: 'Add label' }).click()
  await closeMessage(page, describeIssues(openImageAltIssues.page.totalElements, 'changed'))
  await filterByLabel(page, 'later')
  const download = page.waitForEvent('download')
  await choose(page, 'Export', 'JSON')
  const file = JSON.parse(readFileSync((await (await download).path()) ?? '', 'utf8')) as {
    issues: { status: string; labels: string[] }[]
  }
  expect(file.issues.map(({ status, labels }) => [status, ...labels])).toEqual(
    openImageAltIssues.content.map(() => ['ignored', 'later']),
  )
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
  await closeMessage(page, describeIssues(openImageAltIssues.page.totalElements, 'changed'))
  await changeOneIssue(suite, scan)
}

async function filterByLabel(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'More filters…' }).click()
  const dialog = page.getByRole('dialog', { name: 'More filters' })
  await dialog.locator('summary', { hasText: 'Labels' }).click()
  await dialog.getByLabel(label, { exact: true }).check()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => decodeURIComponent(page.url())).toContain(`label=["${label}"]`)
  await page.getByText(`Label: ${label}`).waitFor()
}

/** Ignores one issue; the message uses the singular. */
async function changeOneIssue({ page, open }: Suite, scan: string): Promise<void> {
  await open(buildIssuesPath(scan, '&grouped=false'))
  await page
    .getByRole('checkbox', { name: /^Select: / })
    .first()
    .check()
  await page.getByRole('region', { name: 'What is selected' }).getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Ignored' }).click()
  await page.getByRole('region', { name: 'Messages' }).getByText('1 issue changed.').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await closeMessage(page, '1 issue restored.')
}

/** A scan with every issue ignored: the list is empty, and one click shows the ignored issues. */
export async function showEmptyList(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const { undo } = await client<{ undo: string }>('PATCH', '/bulk/issues', {
    filters: { scanId: [scan], status: ['open'] },
    selected: { selectAllMode: true },
    fieldsToUpdate: { status: 'ignored' },
  })
  await open(buildIssuesPath(scan))
  await heading('Issues')
  await page.getByRole('heading', { name: 'Nothing left to do' }).waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Show every status' }).press('Enter')
  const rowHeaders = page.getByRole('table', { name: 'Issues' }).getByRole('rowheader')
  await rowHeaders.first().waitFor()
  await open(buildIssuesPath(scan, '&q=zzzz'))
  await page.getByRole('heading', { name: 'No issue matches' }).waitFor()
  await client('POST', '/bulk/issues/undo', { undo })
  await open(buildIssuesPath(scan))
  await rowHeaders.first().waitFor()
}

/** Groups issues by rule, page and component; assigns a whole group by keyboard, and opens it by its link. */
export async function groupIssues(suite: Suite): Promise<void> {
  const { page, client } = suite
  const scan = await createScanWithResults(suite)
  await openIssues(suite, scan)
  const table = page.getByRole('table', { name: 'Issue groups' })
  for (const [groupedBy, column] of [
    ['Component', 'Component'],
    ['Page', 'Page'],
    ['Rule', 'Rule'],
  ] as const) {
    await page.getByLabel('Group by').selectOption(groupedBy)
    await table.getByRole('columnheader', { name: column, exact: true }).waitFor()
    // Without common components, a single row holds all issues.
    if (groupedBy === 'Component') await expect.poll(() => table.locator('tbody tr').count()).toBe(1)
    await checkEveryLook(page)
  }
  const openImageIssues = await client<Issues>('GET', `/issues?scanId=${scan}&status=open&rule=image-alt`)
  const box = page.getByRole('checkbox', { name: /^Select: An image has no alternative text/ })
  await box.focus()
  await page.keyboard.press('Space')
  const bar = page.getByRole('region', { name: 'What is selected' })
  await bar.getByText(new RegExp(`^1 selected \\(${openImageIssues.page.totalElements} issues?\\)$`)).waitFor()
  await pressOn(page, 'Set status')
  await page.getByRole('menuitem', { name: 'Ignored' }).press('Enter')
  await closeMessage(page, describeIssues(openImageIssues.page.totalElements, 'changed'))
  expect((await client<Issues>('GET', `/issues?scanId=${scan}&status=open&rule=image-alt`)).page.totalElements).toBe(0)
  await page.getByLabel('Status', { exact: true }).selectOption('Ignored')
  await box.check()
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expectFocus(bar)
  await box.check()
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Open', exact: true }).click()
  await closeMessage(page, describeIssues(openImageIssues.page.totalElements, 'changed'))
  await page.getByLabel('Status', { exact: true }).selectOption('Open')
  await table.getByRole('link', { name: /^An image has no alternative text/ }).click()
  await page.getByText('Rule: image-alt').waitFor()
  await page.getByRole('table', { name: 'Issues', exact: true }).waitFor()
  await page.goBack()
  await table.waitFor()
  await expectDistinctRows(suite, scan)
}

/** On the overview every recurring issue is distinct, because it names its element. */
async function expectDistinctRows({ page, open }: Suite, scan: string): Promise<void> {
  await open(`/scans/${scan}`)
  const groupHeaders = page.getByRole('table', { name: 'Issue groups' }).getByRole('rowheader')
  await groupHeaders.nth(1).waitFor()
  const rowTexts = await groupHeaders.allTextContents()
  expect(new Set(rowTexts).size).toBe(rowTexts.length)
}

/** Uploads results of axe-core to the newest run of a scan, by the dialog. */
export async function uploadAxeResults(suite: Suite, scan: string, results: object): Promise<void> {
  const { page } = suite
  await openIssues(suite, scan)
  await page.getByRole('button', { name: 'Upload results…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload results' })
  await dialog.getByLabel('Files', { exact: true }).setInputFiles([createTextFile('a.json', JSON.stringify(results))])
  await dialog.getByRole('button', { name: 'Upload 1 file', exact: true }).click()
  await page.getByRole('dialog', { name: 'Results uploaded' }).getByRole('button', { name: 'Close' }).click()
}

const buildResults = (version: string) => ({
  testEngine: { name: 'axe-core', version },
  url: 'https://uploaded.example.org/',
  violations: [
    {
      id: 'image-alt',
      impact: 'critical',
      tags: ['wcag2a'],
      description: 'd',
      help: 'Images must have alternative text',
      helpUrl: 'https://example.org/help',
      nodes: [{ html: '<img>', target: ['img'], any: [{ message: 'No alt' }], all: [], none: [] }],
    },
  ],
})

/** Creates a folder with a file one megabyte over the upload limit. */
async function createOversizedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clearway-big-'))
  await writeFile(join(folder, 'big.json'), Buffer.alloc(21 * 1024 * 1024, ' '))
  return folder
}

/** Uploads results, and checks each reason to reject a file. */
export async function uploadResults(suite: Suite): Promise<void> {
  const { page } = suite
  const scan = await createScanWithResults(suite)
  await openIssues(suite, scan)
  await page.getByRole('button', { name: 'Upload results…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload results' })
  const sendFiles = async (...files: ReturnType<typeof createTextFile>[]) => {
    await dialog.getByLabel('Files', { exact: true }).setInputFiles(files)
    await dialog
      .getByRole('button', { name: files.length === 1 ? 'Upload 1 file' : `Upload ${files.length} files`, exact: true })
      .click()
  }
  const toJsonFile = (value: unknown) => createTextFile('a.json', JSON.stringify(value))
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByText('Choose at least one file.').waitFor()
  await sendFiles(createTextFile('page.html', '<html>', 'text/html'))
  await dialog.getByText('The file is not JSON (application/json).').waitFor()
  await sendFiles(toJsonFile([{ ...buildResults(axeVersions[newestAxeVersion]), violations: [{ id: 'x' }] }]))
  await dialog.getByText('The file contains no valid results of axe-core.').waitFor()
  await expectAccessible(page)
  await sendFiles(toJsonFile(buildResults('3.5.0')))
  await dialog.getByText('a version of axe-core that does not match this run').waitFor()
  await sendFiles(toJsonFile({ ...buildResults(axeVersions[newestAxeVersion]), testEngine: { name: 'htmlcs', version: '2' } }))
  await dialog.getByText('Unsupported source.').waitFor()
  await sendFiles(...Array.from({ length: 21 }, (_, i) => createTextFile(`${i}.json`, '{}')))
  await dialog.getByText('These are too many files at once.').waitFor()
  const oversizedFile = await createOversizedFile()
  await dialog.getByLabel('Files', { exact: true }).setInputFiles(join(oversizedFile, 'big.json'))
  // Said before the upload; the earlier error is gone.
  await dialog.getByRole('list', { name: 'Chosen files' }).getByText('too large').waitFor()
  expect(await dialog.getByText('These are too many files at once.').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Upload 1 file', exact: true }).click()
  await dialog.getByText('The file is too large.').waitFor()
  await rm(oversizedFile, { recursive: true })
  await page.route('**/axeIssues', (route) => route.fulfill({ status: 500, body: '' }))
  await sendFiles(toJsonFile(buildResults(axeVersions[newestAxeVersion])))
  await dialog.getByText(/The server failed/).waitFor()
  await page.unroute('**/axeIssues')
  await sendFiles(toJsonFile(buildResults(axeVersions[newestAxeVersion])))
  const doneDialog = page.getByRole('dialog', { name: 'Results uploaded' })
  await doneDialog.getByText('1 page, 1 issue').waitFor()
  await doneDialog.getByRole('button', { name: 'Close' }).click()
  await filterByUploaded(page)
}

/** Narrows the list to uploaded issues, and shows their column. */
async function filterByUploaded(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More filters…' }).click()
  const dialog = page.getByRole('dialog', { name: 'More filters' })
  await dialog.getByRole('group', { name: 'Source' }).getByLabel('Uploaded').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('source=["uploaded"]')
  await page.getByRole('button', { name: 'Columns…' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByLabel('Source').check()
  await columns.getByRole('button', { name: 'Close' }).click()
  const table = page.getByRole('table', { name: 'Issues' })
  await expect.poll(() => table.getByRole('rowheader').count()).toBe(1)
  await table.getByRole('cell', { name: 'Uploaded', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove filter: Source: Uploaded' }).click()
  await expect.poll(() => table.getByRole('rowheader').count()).toBeGreaterThan(1)
}
