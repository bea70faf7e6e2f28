import { expect } from 'vitest'
import { expectFocus } from '../screen/keyboard.ts'
import { expectAccessible } from '../screen/accessible.ts'
import { choose, deleteByTyping, everyLook, pick, confirmed } from '../screen/looks.ts'
import { fixtureScan, runEnded } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

type Stored = { settings: Record<string, unknown>; version: number }
type Run = { number: number; status: string }

let walked = ''

async function newScan({ client, site }: Suite, name: string, more: object = {}): Promise<string> {
  const body = { ...fixtureScan(name, site.url), depth: 1, pageLimit: 10, ...more }
  return (await client<{ id: string }>('POST', '/scans', body)).id
}

/** A scan with one run, and slow enough from now on that a run can be watched. */
export async function makeWalked(suite: Suite): Promise<void> {
  const { client } = suite
  walked = await newScan(suite, 'Walked')
  await client('POST', `/scans/${walked}/startRun`)
  await runEnded(client, walked, 120_000)
  const { settings, version } = await client<Stored>('GET', `/scans/${walked}/settings`)
  const advanced = { ...(settings['advanced'] as object), pagesPerMinute: 60 }
  await client('PUT', `/scans/${walked}`, { version, settings: { ...settings, pageLimit: 6, advanced } })
}

/** Starts a run, watches it, stops watching, watches again, and sees its end. */
export async function watchesRun({ page, open, heading }: Suite): Promise<void> {
  await open(`/scans/${walked}`)
  await heading('Walked')
  await page.getByRole('button', { name: 'Start run' }).click()
  const live = page.getByRole('region', { name: 'Run 2' })
  const facts = page.getByRole('region', { name: 'This run' })
  await facts.getByText('Not yet').last().waitFor()
  // How many were found is known at the end.
  expect(await facts.getByText(/\d open/).count()).toBe(1)
  expect(await facts.getByText(/\d found/).count()).toBe(0)
  await live.getByRole('button', { name: 'Pause live updates' }).click()
  await live.getByRole('status').getByText('Live updates are paused.').waitFor()
  await live.getByText('The numbers on this page do not change until you resume.').waitFor()
  await expectAccessible(page)
  const still = await live.getByText(/of about|No page reached yet/).textContent()
  // A page a second comes; were they shown, the numbers would be others by now.
  await page.waitForTimeout(2500)
  expect(
    await live
      .getByText(/of about|No page reached yet/)
      .first()
      .textContent(),
  ).toBe(still)
  await live.getByRole('button', { name: 'Resume live updates' }).click()
  await live
    .getByRole('status')
    .getByText(/tested, \d+ open issue/)
    .waitFor({ state: 'attached' })
  await page.getByRole('status').getByText('Run 2 is complete.').waitFor({ timeout: 60_000 })
  await facts.getByText(/\d found/).waitFor()
  // The button that had the focus is gone.
  await expectFocus(page.getByRole('heading', { level: 1 }))
  await page.getByRole('region', { name: 'Since run 1' }).waitFor()
}

/** Offers the report of a scan once its first run has a result. */
export async function reportsResult(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const id = await newScan(suite, 'First run', { pageLimit: 3, advanced: { pagesPerMinute: 30 } })
  await client('POST', `/scans/${id}/startRun`)
  await open(`/scans/${id}`)
  await heading('First run')
  const report = page.getByRole('link', { name: 'Report', exact: true })
  await page.getByRole('region', { name: 'Run 1' }).waitFor()
  expect(await report.count()).toBe(0)
  await page.getByRole('status').getByText('Run 1 is complete.').waitFor({ timeout: 60_000 })
  await report.click()
  await heading('Dashboard')
}

async function chooseRun(page: Suite['page'], number: number): Promise<void> {
  await page.getByRole('button', { name: /^Run \d+, / }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^Run ${number},`) }).click()
}

/** Goes to another run, and compares two. */
export async function comparesRuns({ page, heading }: Suite): Promise<void> {
  await chooseRun(page, 1)
  await page.waitForURL(/\/scans\/[0-9a-f-]{36}\/1$/)
  await page.getByText('10 tested').waitFor()
  await chooseRun(page, 2)
  await page.getByText('6 tested').waitFor()
  await everyLook(page)
  const since = page.getByRole('region', { name: 'Since run 1' })
  // Each number leads to what it counts: fixed, new, still open.
  await expect.poll(() => since.locator('b').getByRole('link').count()).toBeGreaterThanOrEqual(3)
  expect(await since.locator('b a').first().getAttribute('href')).toContain('fixed')
  await since.getByRole('link', { name: 'Compare with run 1' }).click()
  await heading('Compare runs 2 and 1')
  await page.goBack()
  await choose(page, 'Actions for Walked', 'Compare with another run')
  await heading('Compare runs 2 and 1')
  await page.getByText('6 in both, 0 only in run 2, 4 only in run 1').waitFor()
  await page.getByText(/^\d+ in run 2, \d+ in run 1 \([+−]?\d+\)$/).waitFor()
  const rules = page.getByRole('region', { name: 'Rules' })
  await pick(rules.getByRole('radio', { name: /^Only in run 1 [1-9]/ }))
  const rule = page.getByRole('table', { name: 'Rules: Only in run 1' }).getByRole('link').first()
  const issues = page.getByRole('region', { name: 'Issues: Only in run 1' })
  const links = issues.getByRole('rowheader').getByRole('link')
  await links.first().waitFor()
  const all = await links.count()
  await rule.press('Enter')
  const chip = issues.getByText(/^Rule: /)
  await chip.waitFor()
  // As wide as its words.
  expect(await chip.evaluate((element) => element.getBoundingClientRect().width)).toBeLessThan(400)
  await expect.poll(() => links.count()).toBeLessThan(all)
  await everyLook(page)
  await issues.getByRole('button', { name: 'Clear all' }).click()
  await expect.poll(() => links.count()).toBe(all)
  const pages = page.getByRole('region', { name: 'Pages', exact: true })
  await pages.getByRole('rowheader').nth(3).waitFor()
  await expect.poll(() => pages.getByRole('rowheader').count()).toBe(4)
  await links.first().click()
  await heading('Issues')
  await page.locator('section[aria-labelledby=detail]').waitFor()
  expect(page.url()).toContain('run=1')
  await page.goBack()
  await page.getByLabel('Against').selectOption('2')
  await page.getByText('These are the same run: choose another.').waitFor()
  await page.getByLabel('This run').selectOption('1')
  await heading('Compare runs 1 and 2')
  await page.getByText('6 in both, 4 only in run 1, 0 only in run 2').waitFor()
}

/** Follows the way from the pages of a run to those that only the run before tested. */
export async function followsGonePages({ page, open, heading }: Suite): Promise<void> {
  await open(`/pages?scanId=["${walked}"]&run=2`)
  await heading('Pages')
  await page
    .getByRole('table', { name: /^Pages/ })
    .getByRole('columnheader', { name: 'Change', exact: true })
    .waitFor()
  const link = page.getByRole('link', { name: '4 pages of run 1 were not tested in run 2', exact: true })
  await link.waitFor()
  await everyLook(page)
  await link.press('Enter')
  await heading('Compare runs 2 and 1')
  const pages = page.getByRole('region', { name: 'Pages', exact: true })
  await pages.getByRole('rowheader').nth(3).waitFor()
  await expect.poll(() => pages.getByRole('rowheader').count()).toBe(4)
  // Of the run that had them.
  await pages.getByRole('rowheader').getByRole('link').first().press('Enter')
  await heading('Pages')
  await page.locator('section[aria-labelledby=detail]').waitFor()
  expect(page.url()).toContain('run=1')
}

/** Cancels a run, and lists all of them. */
export async function cancelsRun(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  await open(`/scans/${walked}`)
  await heading('Walked')
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.getByRole('region', { name: 'Run 3' }).waitFor()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('status').getByText('Run 3 has ended.').waitFor({ timeout: 60_000 })
  await page.getByRole('region', { name: 'This run' }).getByText('Canceled').waitFor()
  for (let number = 4; number <= 6; number++) {
    await client('POST', `/scans/${walked}/startRun`)
    await client<Run>('POST', `/scans/${walked}/cancel`)
    await runEnded(client, walked, 60_000)
  }
  await open(`/scans/${walked}/2`)
  await page.getByRole('button', { name: 'All runs…' }).click()
  const dialog = page.getByRole('dialog', { name: 'All runs' })
  await dialog.getByRole('link', { name: 'Run 1', exact: true }).waitFor()
  await everyLook(page)
  await dialog.getByRole('link', { name: 'Compare with run 1' }).click()
  await heading('Compare runs 2 and 1')
}

/** Says that a scan or a run is not there, and what to do about a run that failed. */
export async function unavailable(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  await open('/scans/00000000-0000-7000-8000-000000000000')
  await heading('Scan unavailable')
  await page.getByRole('heading', { name: 'This scan does not exist, or you cannot see it' }).waitFor()
  await everyLook(page)
  await open(`/scans/${walked}/99`)
  await page.getByRole('heading', { name: 'Run 99 does not exist' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Show the latest run' }).click()
  await page.getByRole('region', { name: 'This run' }).waitFor()
  await open(`/scans/${walked}/first`)
  await page.waitForURL(/\/scans\/[0-9a-f-]{36}$/)
  const id = await newScan(suite, 'Nobody answers', { urls: ['http://127.0.0.1:9/'] })
  await open(`/scans/${id}`)
  await page.getByRole('heading', { name: 'Not run yet' }).waitFor()
  await client('POST', `/scans/${id}/startRun`)
  await runEnded(client, id, 120_000)
  await page.reload()
  await page.getByText('Run 1 failed').waitFor()
  await page.getByText('None of the start URLs could be tested.').waitFor()
  await everyLook(page)
  await page.getByRole('link', { name: 'Change the settings of the scan' }).click()
  await heading('Edit scan: General')
}

/** Shares a scan by a link, which ends when sharing does. */
export async function sharesScan({ page, product, open, heading }: Suite): Promise<void> {
  await open(`/scans/${walked}`)
  await heading('Walked')
  // Beside the title where there is room, else in the menu.
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Actions for Walked', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Share publicly…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Share publicly…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share publicly' })
  const colorOf = (name: string) =>
    dialog.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
  const primary = await colorOf('Create link')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await page.mouse.move(0, 0)
  // What comes next is to copy it, not to make another one.
  await expect.poll(() => colorOf('Copy link')).toBe(primary)
  expect(await colorOf('Create new link')).not.toBe(primary)
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await everyLook(page)
  const token = new URL(link).searchParams.get('guestToken') ?? ''
  const seen = async () => {
    const headers = { 'x-guest-token': token, 'x-realm': 'clearway' }
    return (await fetch(`${product.url}/monitor-api/scans/${walked}`, { headers })).status
  }
  expect(await seen()).toBe(200)
  await dialog.getByRole('button', { name: 'Stop sharing' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).waitFor()
  expect(await seen()).toBeGreaterThanOrEqual(401)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Makes a scan a favorite, then deletes it once its name was typed. */
export async function deletesScan(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const id = await newScan(suite, 'To be deleted')
  await open(`/scans/${id}`)
  await heading('To be deleted')
  await choose(page, 'Actions for To be deleted', 'Add to favorites')
  await expect
    .poll(async () => (await client<{ favorite: boolean }>('GET', `/scans/${id}`)).favorite)
    .toBe(true)
  await choose(page, 'Actions for To be deleted', 'Delete…')
  await page.getByRole('dialog', { name: 'Delete scan' }).getByText('It has no runs yet.').waitFor()
  await deleteByTyping(page, 'To be deleted', { refused: everyLook })
  await heading('Scans')
  await confirmed(page, 'Scan deleted: To be deleted')
  await expect(client('GET', `/scans/${id}`)).rejects.toThrow('404')
}
