import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectFocus, getFocusedName } from '../screen/keyboard.ts'
import { expectAccessible } from '../screen/accessible.ts'
import { choose, deleteByTyping, checkEveryLook, checkOption, closeMessage, newPage, wideViewport } from '../screen/looks.ts'
import { buildFixtureScan, waitForRunEnd } from '../product/results.ts'
import { expectPrintedSheets } from '../screen/print.ts'
import type { Suite } from '../product/suite.ts'

type StoredScan = { settings: Record<string, unknown>; version: number }
type Run = { number: number; status: string }

let walked = ''

async function createScan({ client, site }: Suite, name: string, extraSettings: object = {}): Promise<string> {
  const body = { ...buildFixtureScan(name, site.url), depth: 1, pageLimit: 10, ...extraSettings }
  return (await client<{ id: string }>('POST', '/scans', body)).id
}

/** Creates a scan with one run, then slows it down so that a run can be watched. */
export async function createWatchedScan(suite: Suite): Promise<void> {
  const { client } = suite
  walked = await createScan(suite, 'Walked')
  await client('POST', `/scans/${walked}/startRun`)
  await waitForRunEnd(client, walked, 120_000)
  const { settings, version } = await client<StoredScan>('GET', `/scans/${walked}/settings`)
  const advanced = { ...(settings['advanced'] as object), pagesPerMinute: 60 }
  await client('PUT', `/scans/${walked}`, { version, settings: { ...settings, pageLimit: 6, advanced } })
}

/** Starts a run, watches it, stops watching, watches again until its end. */
export async function watchRun({ page, open, heading }: Suite): Promise<void> {
  await open(`/scans/${walked}`)
  await heading('Walked')
  await page.getByRole('button', { name: 'Start run' }).click()
  const live = page.getByRole('region', { name: 'Run 2' })
  const facts = page.getByRole('region', { name: 'This run' })
  await facts.getByText('Still to test').waitFor()
  expect(await facts.getByText('Ended').count()).toBe(0)
  // The number of issues is known at the end.
  expect(await facts.getByText(/\d open/).count()).toBe(1)
  expect(await facts.getByText(/of \d+ results?/).count()).toBe(0)
  await live.getByRole('button', { name: 'Pause live updates' }).click()
  await live.getByRole('status').getByText('Live updates are paused.').waitFor()
  await live.getByText('The numbers on this page do not change until you resume.').waitFor()
  await expectAccessible(page)
  const pausedText = await live.getByText(/of about|No page reached yet/).textContent()
  // One page per second is recorded: with live updates the numbers would have changed by now.
  await page.waitForTimeout(2500)
  expect(
    await live
      .getByText(/of about|No page reached yet/)
      .first()
      .textContent(),
  ).toBe(pausedText)
  await live.getByRole('button', { name: 'Resume live updates' }).click()
  await live
    .getByRole('status')
    .getByText(/tested, \d+ open issue/)
    .waitFor({ state: 'attached' })
  await page.getByRole('status').getByText('Run 2 is complete.').waitFor({ timeout: 60_000 })
  await facts.getByText(/of \d+ results?/).waitFor()
  // The button that had the focus is gone.
  await expectFocus(page.getByRole('heading', { level: 1 }))
  await page.getByRole('region', { name: 'Since run 1' }).waitFor()
}

/** Offers the report of a scan once its first run has a result. */
export async function offerReport(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const id = await createScan(suite, 'First run', { pageLimit: 3, advanced: { pagesPerMinute: 30 } })
  await client('POST', `/scans/${id}/startRun`)
  await open(`/scans/${id}`)
  await heading('First run')
  const report = page.getByRole('link', { name: 'Report', exact: true })
  await page.getByRole('region', { name: 'Run 1' }).waitFor()
  expect(await report.count()).toBe(0)
  await page.getByRole('status').getByText('Run 1 is complete.').waitFor({ timeout: 60_000 })
  await report.click()
  await heading('Accessibility report: First run')
  for (const name of ['Summary', 'Success criteria', 'Coverage', 'Method']) await page.getByRole('region', { name }).waitFor()
  await page.getByText(/^The score is \d+ of 100.*\d+ issues? (is|are) open: /).waitFor()
  await checkEveryLook(page)
}

async function chooseRun(page: Suite['page'], number: number): Promise<void> {
  await page.getByRole('button', { name: /^Run \d+, / }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^Run ${number},`) }).click()
}

/** Sets a target and adds a note by keyboard; the note is deleted again. */
async function explainTrend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set target…' }).press('Enter')
  const targetDialog = page.getByRole('dialog', { name: 'Target of the score' })
  await targetDialog.getByLabel('Score to reach').fill('101')
  await targetDialog.getByRole('button', { name: 'Save' }).press('Enter')
  await targetDialog.getByText('Enter a whole number from 1 to 100.').waitFor()
  await targetDialog.getByLabel('Score to reach').fill('100')
  await targetDialog.getByLabel('Due on').fill('2020-01-31')
  await targetDialog.getByRole('button', { name: 'Save' }).press('Enter')
  await closeMessage(page, 'Saved.')
  await page.getByText('Target: 100 by Jan 31, 2020.').waitFor()
  await page.getByText('Overdue.').waitFor()
  const addNote = async (text: string) => {
    await page.getByRole('button', { name: 'Add note…' }).press('Enter')
    const noteDialog = page.getByRole('dialog', { name: 'Add a note to the trend' })
    await noteDialog.getByLabel('Note').fill(text)
    await noteDialog.getByLabel('Note').press('Enter')
    await noteDialog.waitFor({ state: 'detached' })
  }
  await addNote('Release 2.3')
  const events = page.getByRole('list', { name: 'Events in the trend' }).getByRole('listitem')
  await events.filter({ hasText: 'Release 2.3' }).waitFor()
  await addNote('Wrong')
  await page.getByRole('button', { name: 'Delete note: Wrong' }).press('Enter')
  await events.filter({ hasText: 'Wrong' }).waitFor({ state: 'detached' })
  await expectFocus(page.getByRole('heading', { level: 1 }))
}

/** On paper, an overview says which run it shows, and has no buttons to press. */
async function expectPrinted(page: Page): Promise<void> {
  const runText = page.locator('main p').filter({ hasText: /^Run 2, .*\d/ })
  const startButton = page.getByRole('button', { name: 'Start run' })
  expect([await runText.isVisible(), await startButton.isVisible()]).toEqual([false, true])
  // A hidden button cannot keep the focus: unlike a print, the emulation lasts.
  await page.getByRole('heading', { level: 1 }).focus()
  await page.emulateMedia({ media: 'print' })
  await runText.waitFor()
  const visibleButtons = await page.locator('main button:visible').allInnerTexts()
  await page.emulateMedia({ media: 'screen' })
  expect(visibleButtons).toEqual([])
  await expectPrintedSheets(page, /Run 2, .*\d/)
}

/** Goes to another run, and compares two. */
export async function compareRuns({ page, heading }: Suite): Promise<void> {
  await chooseRun(page, 1)
  await page.waitForURL(/\/scans\/[0-9a-f-]{36}\/1$/)
  await page.getByText('10 tested').waitFor()
  // Each run has a report of its own, also an older one.
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.waitForURL(/\/1\/report$/)
  await heading('Accessibility report: Walked')
  await page.goBack()
  await page.getByText('10 tested').waitFor()
  await chooseRun(page, 2)
  await page.getByText('6 tested').waitFor()
  await expectPrinted(page)
  await explainTrend(page)
  await checkEveryLook(page)
  const comparisonRegion = page.getByRole('region', { name: 'Since run 1' })
  // Fixed, new, still open: each number links to the issues that it counts; a zero has none to show.
  await expect.poll(() => comparisonRegion.locator('b').count()).toBeGreaterThanOrEqual(3)
  expect(await comparisonRegion.locator('b a').first().getAttribute('href')).toMatch(/change=.*(fixed|new|back|still)/)
  expect(await comparisonRegion.locator('b', { hasText: /^0$/ }).getByRole('link').count()).toBe(0)
  await comparisonRegion.getByRole('link', { name: 'Compare with run 1' }).click()
  await heading('Compare runs 1 and 2')
  await page.goBack()
  await choose(page, 'Actions for Walked', 'Compare with another run')
  await heading('Compare runs 1 and 2')
  await page.getByText('Pages: 6 in both, 0 only in run 2, 4 only in run 1').waitFor()
  // The answer comes first, then the list of changes.
  const headings = page.locator('main h2')
  expect((await headings.allTextContents()).slice(0, 2)).toEqual(['At a glance', 'Issues'])
  await page.getByText(/^([+−]?\d+ from run 1 to run 2|Unchanged since run 1)$/).waitFor()
  const choice = page.getByRole('group', { name: 'Issues', exact: true })
  await choice.getByRole('radio', { name: 'Fixed 0', exact: true }).waitFor()
  await checkOption(choice.getByRole('radio', { name: /^Not tested again [1-9]/ }))
  const rule = page.getByRole('table', { name: 'Rules: Not tested again' }).getByRole('link').first()
  const issues = page.getByRole('region', { name: 'Issues', exact: true })
  await issues.getByText('Open in run 1, and not tested again in run 2: this is no improvement.').waitFor()
  const links = issues.getByRole('rowheader').getByRole('link')
  await links.first().waitFor()
  const linkCount = await links.count()
  await rule.press('Enter')
  const chip = issues.getByText(/^Rule: /)
  await chip.waitFor()
  // As wide as its text.
  expect(await chip.evaluate((element) => element.getBoundingClientRect().width)).toBeLessThan(400)
  await expect.poll(() => links.count()).toBeLessThan(linkCount)
  await checkEveryLook(page)
  await issues.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => links.count()).toBe(linkCount)
  const pages = page.getByRole('region', { name: 'Pages', exact: true })
  await pages.getByRole('rowheader').nth(3).waitFor()
  await expect.poll(() => pages.getByRole('rowheader').count()).toBe(4)
  await links.first().click()
  await heading('Issues')
  await page.locator('section[aria-labelledby=detail]').waitFor()
  expect(page.url()).toContain('run=1')
  await page.goBack()
  await chooseComparedRuns(page)
  // The direction stays: from the older run to the newer one.
  await choice.getByRole('radio', { name: /^Not tested again [1-9]/ }).waitFor()
}

const getRunNames = async (runSearch: Locator) =>
  (await runSearch.getByRole('button', { name: /^Run \d/ }).allTextContents()).map((text) => /^Run \d+/.exec(text)?.[0])

/** Finds a run of a comparison among all other runs; the older one is named first. */
async function chooseComparedRuns(page: Page): Promise<void> {
  const choices = page.locator('main').getByRole('button', { name: /^(Older|Newer) run: Run \d/ })
  expect((await choices.allTextContents()).map((text) => text.split(',')[0])).toEqual(['Older run: Run 1', 'Newer run: Run 2'])
  await choices.first().click()
  const runSearch = page.getByRole('dialog', { name: 'Older run' })
  // A run is never compared with itself.
  await expect.poll(() => getRunNames(runSearch)).toEqual(['Run 1'])
  await checkEveryLook(page)
  await runSearch.getByLabel('Find a run by number or date').fill('run 9999')
  await runSearch.getByText('No run matches').waitFor()
  await runSearch.getByLabel('Find a run by number or date').fill('run 1')
  await page.keyboard.press('Enter')
  await expect.poll(() => getFocusedName(page)).toMatch(/^Older run: Run 1/)
  await page.getByRole('heading', { level: 1, name: 'Compare runs 1 and 2' }).waitFor()
}

/** Follows the link from the pages of a run to those that only the previous run tested. */
export async function followGonePages({ page, open, heading }: Suite): Promise<void> {
  await open(`/pages?scanId=["${walked}"]&run=2`)
  await heading('Pages')
  const columns = page.getByRole('table', { name: /^Pages/ }).getByRole('columnheader')
  await columns.filter({ hasText: 'Open issues' }).waitFor()
  // No page that both runs tested has more or fewer issues.
  expect(await columns.filter({ hasText: 'Change' }).count()).toBe(0)
  const link = page.getByRole('link', { name: '4 pages of run 1 were not tested in run 2', exact: true })
  await link.waitFor()
  await checkEveryLook(page)
  await link.press('Enter')
  await heading('Compare runs 1 and 2')
  const pages = page.getByRole('region', { name: 'Pages', exact: true })
  await pages.getByRole('rowheader').nth(3).waitFor()
  await expect.poll(() => pages.getByRole('rowheader').count()).toBe(4)
  // From the run that tested them.
  await pages.getByRole('rowheader').getByRole('link').first().press('Enter')
  await heading('Pages')
  await page.locator('section[aria-labelledby=detail]').waitFor()
  expect(page.url()).toContain('run=1')
}

/** Cancels a run, and lists all of them. */
export async function cancelRun(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  await open(`/scans/${walked}`)
  await heading('Walked')
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.getByRole('region', { name: 'Run 3' }).waitFor()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('status').getByText('Run 3 was canceled.').waitFor({ timeout: 60_000 })
  await page.getByRole('region', { name: 'This run' }).getByText('Canceled').waitFor()
  for (let number = 4; number <= 6; number++) {
    await client('POST', `/scans/${walked}/startRun`)
    await client<Run>('POST', `/scans/${walked}/cancel`)
    await waitForRunEnd(client, walked, 60_000)
  }
  await open(`/scans/${walked}/2`)
  await page.getByRole('button', { name: 'All runs…' }).click()
  const dialog = page.getByRole('dialog', { name: 'All runs' })
  await dialog.getByRole('link', { name: 'Run 1', exact: true }).waitFor()
  await checkEveryLook(page)
  await dialog.getByRole('link', { name: 'Compare with run 1' }).click()
  await heading('Compare runs 1 and 2')
}

/** Explains that a scan or a run does not exist, and how to handle a failed run. */
export async function showUnavailable(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  await open('/scans/00000000-0000-7000-8000-000000000000')
  await heading('Scan unavailable')
  await page.getByRole('heading', { name: 'This scan does not exist, or you cannot see it' }).waitFor()
  await checkEveryLook(page)
  await open(`/scans/${walked}/99`)
  await page.getByRole('heading', { name: 'Run 99 does not exist' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Show the latest run' }).click()
  await page.getByRole('region', { name: 'This run' }).waitFor()
  await open(`/scans/${walked}/first`)
  await page.waitForURL(/\/scans\/[0-9a-f-]{36}$/)
  const id = await createScan(suite, 'Nobody answers', { urls: ['http://127.0.0.1:9/'] })
  await open(`/scans/${id}`)
  await page.getByRole('heading', { name: 'Not run yet' }).waitFor()
  await client('POST', `/scans/${id}/startRun`)
  await waitForRunEnd(client, id, 120_000)
  await page.reload()
  await page.getByText('Run 1 failed').waitFor()
  await page.getByText('None of the start URLs could be tested.').waitFor()
  await checkEveryLook(page)
  await page.getByRole('link', { name: 'Change the settings of the scan' }).click()
  await heading('Edit scan: General')
  await repairFirstRun(suite)
}

/** A site without https: a host is completed by its scheme, and a failed run is repaired by one click. */
async function repairFirstRun(suite: Suite): Promise<void> {
  const { page, client, open, heading, site } = suite
  const { host } = new URL(site.url)
  await open(`/scans/new?url=%22${encodeURIComponent(host)}%22`)
  await heading('New scan: General')
  await expect.poll(() => page.getByLabel('Start URLs').inputValue(), { timeout: 15_000 }).toBe(`${site.url}/`)
  await page.getByText(`${host} does not answer by https. The scan uses http.`).waitFor()
  const id = await createScan(suite, 'Only http', { urls: [`https://${host}/`], type: 'quick' })
  await client('POST', `/scans/${id}/startRun`)
  await waitForRunEnd(client, id, 120_000)
  await open(`/scans/${id}`)
  await page.getByText('Run 1 failed').waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Use it, and start a new run' }).click()
  await expect
    .poll(async () => (await client<{ content: { number: number }[] }>('GET', `/scans/${id}/runs`)).content.length)
    .toBe(2)
  await client('POST', `/scans/${id}/cancel`)
  type Stored = { settings: { urls: string[] } }
  expect((await client<Stored>('GET', `/scans/${id}/settings`)).settings.urls).toEqual([`${site.url}/`])
}

/** Shares a scan by a link, which is valid only while sharing is on. */
export async function shareScan({ page, product, open, heading }: Suite): Promise<void> {
  await open(`/scans/${walked}`)
  await heading('Walked')
  // Next to the title if space allows, otherwise in the menu.
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Actions for Walked', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Share publicly…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize(wideViewport)
  await page.getByRole('button', { name: 'Share publicly…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Shared? publicly$/ })
  const getColor = (name: string) =>
    dialog.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  const primary = await getColor('Create link')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.mouse.move(0, 0)
  // The next step is to copy it, not to create another one.
  await expect.poll(() => getColor('Copy link')).toBe(primary)
  expect(await dialog.getByRole('button', { name: 'Create new link' }).count()).toBe(0)
  // The button behind the dialog states it.
  await page.getByText('Shared publicly…', { exact: true }).waitFor({ state: 'attached' })
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await checkEveryLook(page)
  const token = new URL(link).searchParams.get('guestToken') ?? ''
  const isVisibleToGuest = async () => {
    const headers = { 'x-guest-token': token, 'x-realm': 'clearway' }
    return (await fetch(`${product.url}/monitor-api/scans/${walked}`, { headers })).status
  }
  expect(await isVisibleToGuest()).toBe(200)
  await readReportAsGuest(page, link)
  await dialog.getByRole('button', { name: 'Stop sharing' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).waitFor()
  expect(await isVisibleToGuest()).toBeGreaterThanOrEqual(401)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

async function readReportAsGuest(page: Page, link: string): Promise<void> {
  const guestPage = await newPage(page.context().browser()!)
  const refusals: string[] = []
  guestPage.on('response', (response) => {
    if ([401, 403].includes(response.status())) refusals.push(`${response.status()} ${response.url()}`)
  })
  await guestPage.goto(link)
  await guestPage.getByRole('link', { name: 'Report', exact: true }).click()
  await guestPage.getByRole('heading', { level: 1, name: 'Accessibility report: Walked' }).waitFor()
  await guestPage.getByRole('heading', { level: 2, name: 'Method' }).waitFor()
  await guestPage.waitForLoadState('networkidle')
  expect(refusals).toEqual([])
  await guestPage.context().close()
}

/** Makes a scan a favorite, then deletes it after its name was typed. */
export async function deleteScan(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const id = await createScan(suite, 'To be deleted')
  await open(`/scans/${id}`)
  await heading('To be deleted')
  await choose(page, 'Actions for To be deleted', 'Add to favorites')
  await expect.poll(async () => (await client<{ favorite: boolean }>('GET', `/scans/${id}`)).favorite).toBe(true)
  await choose(page, 'Actions for To be deleted', 'Delete…')
  await page.getByRole('dialog', { name: 'Delete scan' }).getByText('It has no runs yet.').waitFor()
  await deleteByTyping(page, 'To be deleted', { refused: checkEveryLook })
  await heading('Scans')
  await closeMessage(page, 'Scan deleted: To be deleted')
  await expect(client('GET', `/scans/${id}`)).rejects.toThrow('404')
}
