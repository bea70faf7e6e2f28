import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectSharedStart } from '../screen/alignment.ts'
import { checkEveryLook, checkOption, wideViewport } from '../screen/looks.ts'
import { expectPrintedSheets } from '../screen/print.ts'
import { buildFixtureScan, waitForRunEnd } from '../product/results.ts'
import type { Suite } from '../product/suite.ts'

const getRegion = ({ page }: Suite, name: string | RegExp) => page.getByRole('region', { name })

/** Creates a scan in a group, with results, and one that never ran. */
export async function createRollupScans({ client, site }: Suite): Promise<void> {
  const createScan = async (name: string) =>
    (await client<{ id: string }>('POST', '/scans', { ...buildFixtureScan(name, site.url), pageLimit: 8 })).id
  const summed = await createScan('Summed up')
  await createScan('Never ran')
  await client('POST', '/groups', { scanGroupName: 'Board', scans: [summed] })
  await client('POST', `/scans/${summed}/startRun`)
  await waitForRunEnd(client, summed, 120_000)
}

/** Shows all scans on one board: score, new issues, issues by rule and template, lowest-scoring pages. */
export async function showRollup(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await open('/scans')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click()
  await heading('Dashboard')
  await getRegion(suite, 'Mean score of the scans')
    .getByText(/tested page/)
    .waitFor()
  const changes = getRegion(suite, /^New since /)
  await changes.getByRole('table').getByRole('link', { name: 'Summed up' }).waitFor()
  // It ran once, so there is nothing to compare with.
  await changes
    .getByRole('row', { name: /^Summed up / })
    .getByText('First run')
    .waitFor()
  const faults = getRegion(suite, 'Issues by rule')
  await expect.poll(() => faults.getByRole('row').count()).toBeGreaterThan(3)
  await getRegion(suite, 'Lowest-scoring pages').getByRole('table').getByRole('link').first().waitFor()
  // The start page was tested too, but has no issue.
  expect(await getRegion(suite, 'Lowest-scoring pages').getByText('A site with known faults').count()).toBe(0)
  for (const region of [changes, faults]) await expectSharedStart(region.getByRole('heading').first(), region.getByRole('table'))
  await checkEveryLook(page)
  await checkOption(page.getByRole('radio', { name: 'By template' }))
  await page.waitForURL(/faults=templates/)
  await getRegion(suite, 'Issues by template').locator('code').first().waitFor()
  await expectAccessible(page)
  await checkOption(page.getByRole('radio', { name: '30 days' }))
  await page.waitForURL(/days=30/)
  await page.goBack()
  await expect.poll(() => page.getByRole('radio', { name: '90 days' }).isChecked()).toBe(true)
  await getRegion(suite, 'Issues by template').getByRole('table').getByRole('link').first().click()
  await heading('Issues')
}

/** Covers the chosen scans and groups, also through the URL. */
export async function chooseScans(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await open('/rollup')
  await heading('Dashboard')
  await page.getByRole('button', { name: 'Choose scans and groups…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose scans and groups' })
  await dialog.getByRole('group', { name: 'Scan groups' }).getByRole('checkbox', { name: 'Board' }).check()
  await checkEveryLook(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await getRegion(suite, 'Score').getByText('1 scan with results').waitFor()
  expect(new URL(page.url()).search).toContain('groupId')
  await page.getByRole('button', { name: 'Remove filter: Group: Board' }).click()
  await page.getByRole('button', { name: 'Choose scans and groups…' }).click()
  await dialog.getByLabel('Find in: Scans').fill('Never')
  await dialog.getByRole('checkbox', { name: 'Never ran' }).check()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('None of the chosen scans has a completed run.').waitFor()
  await checkEveryLook(page)
  await page.getByRole('button', { name: 'Show all scans' }).click()
  await getRegion(suite, 'Mean score of the scans').waitFor()
}

/** A part that fails to load does not affect the others. */
export async function failOnePart(suite: Suite): Promise<void> {
  const { page, open } = suite
  await page.route(/\/rollup\/rules/, (route) => route.fulfill({ status: 404, body: '' }))
  await open('/rollup')
  await page.getByText('The issues could not be loaded.').waitFor()
  await getRegion(suite, 'Lowest-scoring pages').getByRole('table').waitFor()
  await expectAccessible(page)
  await page.unroute(/\/rollup\/rules/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await getRegion(suite, 'Issues by rule').getByRole('table').waitFor()
}

/** Prints as a report: no navigation, tables as wide as the paper. */
export async function printReport(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await open('/rollup')
  await heading('Dashboard')
  await getRegion(suite, 'Lowest-scoring pages').getByRole('table').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  // Width of A4 without its margins.
  await page.setViewportSize({ width: 703, height: 1000 })
  await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  await expect.poll(() => page.getByRole('button', { name: 'Print report' }).isVisible()).toBe(false)
  await page.getByRole('banner').getByText('Clearway', { exact: true }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Accessibility report' }).waitFor()
  await page.getByText('All scans · Time: 90 days').waitFor()
  await page.getByText(/^As of \w+ \d+, \d{4}$/).waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Dashboard' }).isVisible()).toBe(false)
  await getRegion(suite, 'Lowest-scoring pages').getByRole('table').waitFor()
  // Paper shows no focus indicator.
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.activeElement!).outlineColor)).toBe('rgba(0, 0, 0, 0)')
  // A dark theme prints as dark text on white paper.
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(21, 33, 44)')
  const wider = await page.evaluate(() =>
    [...document.querySelectorAll('table')].filter((table) => table.offsetWidth > 703).map((t) => t.innerText),
  )
  expect(wider).toEqual([])
  await expectPrintedSheets(page, 'Accessibility report')
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.setViewportSize(wideViewport)
}
