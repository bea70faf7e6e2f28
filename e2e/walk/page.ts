import { readFileSync } from 'node:fs'
import type { Locator, Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { countStopsToFirstRow, expectFocus } from '../screen/keyboard.ts'
import { createScanWithResults } from './issue.ts'
import { choose, checkEveryLook, expectMarkVisible, checkOption, closeMessage } from '../screen/looks.ts'
import type { Suite } from '../product/suite.ts'

const buildPagesPath = (scan: string, extraQuery = '') => `/pages?scanId=%5B%22${scan}%22%5D${extraQuery}`

/** Link of the first row in the list of pages. */
const findFirstPage = (page: Page): Locator =>
  page
    .getByRole('table', { name: /^Pages/ })
    .getByRole('rowheader')
    .getByRole('link')
    .first()

/** Shows tested, failed and excluded pages, narrows them, and exports the selected ones. */
export async function browsePages(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await open(buildPagesPath(scan))
  await heading('Pages')
  const table = page.getByRole('table', { name: /^Pages/ })
  await table.getByRole('row').nth(1).waitFor()
  expect(await countStopsToFirstRow(page)).toBeLessThanOrEqual(12)
  await checkEveryLook(page)
  await checkOption(page.getByRole('checkbox', { name: 'Good' }))
  await expect.poll(() => page.url()).toContain('health=')
  await page.goBack()
  await expect.poll(() => page.url().includes('health=')).toBe(false)
  await page.getByLabel('Find a page').fill('Pale text')
  await page.keyboard.press('Enter')
  await page.getByText('1 tested page').waitFor()
  await page.getByLabel('Find a page').fill('')
  await page.keyboard.press('Enter')
  await browseFolders(page)
  await page.getByRole('checkbox', { name: 'Select this page of the list' }).check()
  const bar = page.getByRole('region', { name: 'What is selected' })
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export selection' }).click()
  await page.getByRole('menuitem', { name: 'JSON' }).click()
  const file = JSON.parse(readFileSync((await (await download).path()) ?? '', 'utf8')) as { pages: object[] }
  const statusText = await bar.getByRole('status').innerText()
  expect(file.pages).toHaveLength(Number(/\d+/.exec(statusText)![0]))
  await checkOption(page.getByRole('radio', { name: /^Failed/ }))
  await expect.poll(() => page.url()).toContain('tab=failed')
  await page.getByLabel('Reason').selectOption('The site answered 404: not found')
  await expect.poll(() => page.url()).toContain('http-404')
  await expectAccessible(page)
  await checkOption(page.getByRole('radio', { name: /^Not tested/ }))
  await expect.poll(() => page.url()).toContain('tab=excluded')
  await table.getByRole('columnheader', { name: 'Reason', exact: true }).waitFor()
}

/** Opens the folders of the site and the templates of one by keyboard, and lists the pages of one of them. */
async function browseFolders(page: Page): Promise<void> {
  await checkOption(page.getByRole('radio', { name: 'By folder' }))
  const tree = page.getByRole('region', { name: 'Pages by folder' })
  const critical = tree
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'critical/', exact: true }) })
    .last()
  // The only site is open at first; states of scripts and uploads are further sites.
  const site = tree.getByRole('button', { name: /^Folders in https?:/ }).first()
  await site.waitFor()
  if ((await site.getAttribute('aria-expanded')) === 'false') await site.press('Enter')
  await critical.getByText(/^Score \d+$/).waitFor()
  await tree.getByRole('list', { name: 'Not tested' }).first().waitFor()
  const templates = critical.getByRole('button', { name: 'Templates in critical/' })
  await templates.press('Enter')
  await critical.getByText('Template, with an example').first().waitFor()
  await checkEveryLook(page)
  await site.press('Enter')
  await expect.poll(() => critical.count()).toBe(0)
  await site.press('Enter')
  const pageCount = (
    await critical
      .getByText(/^\d+ pages$/)
      .first()
      .innerText()
  ).trim()
  await critical.getByRole('link', { name: 'critical/', exact: true }).press('Enter')
  await page.getByRole('status').getByText(pageCount.replace('pages', 'tested pages')).waitFor()
  await page.getByRole('table', { name: /^Pages/ }).waitFor()
  await page.getByLabel('Find a page').fill('')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url().includes('q=')).toBe(false)
}

/** Explains why a page failed, and how to fix it. */
export async function explainFailedPage(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const { content } = await client<{ content: { id: string; failure: string }[] }>(
    'GET',
    `/scans/${scan}/runs/1/pages?status=failed`,
  )
  const failedPageRow = content.find(({ failure }) => failure === 'http-404')!
  await open(buildPagesPath(scan, `&tab=failed&view=%22${failedPageRow.id}%22`))
  await heading('Pages')
  const panel = page.locator('section[aria-labelledby=detail]')
  await panel.getByText('The site answered 404: not found').waitFor()
  await panel.getByText('Visitors get the same answer. Fix the page, or the links that lead to it.').waitFor()
  await expectAccessible(page)
  // A link to it opens it next to the others that failed. Back from there, a tested page stays next to the tested ones.
  await open(buildPagesPath(scan))
  await findFirstPage(page).click()
  await panel.getByText(/^1 of/).waitFor()
  const testedTitle = await panel.getByRole('heading', { level: 2 }).textContent()
  const entryKey = await page.evaluate(() => navigation.currentEntry!.key)
  await checkOption(page.getByRole('radio', { name: /^Failed/ }))
  await findFirstPage(page).click()
  await panel.getByText('Failed', { exact: true }).waitFor()
  await page.evaluate((key) => void navigation.traverseTo(key), entryKey)
  await panel.getByRole('heading', { level: 2, name: testedTitle!, exact: true }).waitFor()
  await panel.getByText(/^1 of/).waitFor()
  expect(page.url()).not.toContain('tab=failed')
  await open(buildPagesPath(scan, `&view=%22${failedPageRow.id}%22`))
  await expect.poll(() => page.url()).toContain('tab=failed')
  await panel.getByText(/^\d+ of/).waitFor()
}

/**
 * Opens a page, views its screenshot, issues and source, follows a number in the screenshot, goes to the next page, and has
 * it checked again.
 */
export async function inspectPage(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const failedRequests: string[] = []
  const noteFailure = (response: Response) => response.status() >= 400 && failedRequests.push(response.url())
  page.on('response', noteFailure)
  await open(buildPagesPath(scan))
  await heading('Pages')
  await findFirstPage(page).click()
  const panel = page.locator('section[aria-labelledby=detail]')
  await panel.getByText(/^1 of/).waitFor()
  await panel.getByText(/^Score \d+ of 100\b/).waitFor()
  const picture = panel.getByRole('img', { name: /as it looked during the run/ })
  await picture.waitFor()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000)
  await expectDistinctNumbers(suite)
  const pageUrl = page.url()
  await panel.getByRole('list').filter({ hasText: /^1/ }).getByRole('link').first().click()
  await expect.poll(() => page.url()).toContain('/issues?')
  await page.getByRole('img', { name: /as it looks on .*, framed/ }).waitFor()
  await panel.getByRole('button', { name: 'Show in the source' }).press('Enter')
  await expectMarkVisible(panel.getByRole('region', { name: 'Source as it was tested' }))
  await expectAccessible(page)
  await page.goBack()
  await expect.poll(() => page.url()).toBe(pageUrl)
  await panel.getByRole('button', { name: 'Show the source' }).click()
  const source = panel.getByRole('region', { name: 'Source as it was tested' })
  await source.getByText(/<html/).waitFor()
  await panel.getByLabel('Mark the element of an issue').selectOption({ index: 1 })
  await panel.getByText(/^The element is marked, in line \d+\.$/).waitFor()
  await expectMarkVisible(source)
  await checkEveryLook(page)
  await panel.getByRole('button', { name: 'Next' }).click()
  await panel.getByText(/^2 of/).waitFor()
  await followReferrer(suite)
  page.off('response', noteFailure)
  expect(failedRequests).toEqual([])
  await panel.getByRole('button', { name: 'Check this page again' }).click()
  await panel.getByRole('status').getByText('The page was checked again.').waitFor({ timeout: 60_000 })
  await panel.getByText(/^New: 0\. Reappeared: 0\. Fixed: 0\. Still there: \d+\.$/).waitFor()
  const { content } = await client<{ content: { status: string }[] }>('GET', `/scans/${scan}/runs?size=1`)
  expect(content[0]!.status).toBe('completed')
  await panel.getByRole('button', { name: 'Delete page…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete pages' }).click()
  await closeMessage(page, 'Page deleted successfully!')
}

/** No number hides another one in the screenshot. Full size shows the true size in the whole window. */
async function expectDistinctNumbers({ page }: Suite): Promise<void> {
  const panel = page.locator('section[aria-labelledby=detail]')
  const picture = panel.getByRole('img', { name: /as it looked during the run/ })
  const countOverlaps = (image: Locator) =>
    image.locator('xpath=..').evaluate((sheet) => {
      const boxes = [...sheet.querySelectorAll('a > span')].map((marker) => marker.getBoundingClientRect())
      if (boxes.length < 2) throw new Error('The picture has no numbers.')
      return boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
          .map((b) => `${a.left} ${a.top}, ${b.left} ${b.top}`),
      )
    })
  await expect.poll(() => countOverlaps(picture)).toEqual([])
  const fullSizeButton = panel.getByRole('button', { name: 'Full size' })
  await fullSizeButton.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'What the page looked like' })
  const fullSizeImage = dialog.getByRole('img', { name: /as it looked during the run/ })
  const getMissingWidth = () => fullSizeImage.evaluate((image: HTMLImageElement) => image.naturalWidth - image.clientWidth)
  await expect.poll(getMissingWidth).toBe(0)
  await expect.poll(() => countOverlaps(fullSizeImage)).toEqual([])
  const region = dialog.getByRole('region', { name: 'Picture' })
  expect(await region.evaluate((element) => element.clientWidth)).toBeGreaterThan(1100)
  const closeBox = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!
  expect(closeBox.y + closeBox.height).toBeLessThanOrEqual(page.viewportSize()!.height)
  await checkEveryLook(page)
  await page.keyboard.press('Escape')
  await expectFocus(fullSizeButton)
}

/** Goes from a page to the details of one that links to it, and back. */
async function followReferrer({ page }: Suite): Promise<void> {
  const panel = page.locator('section[aria-labelledby=detail]')
  const pageUrl = page.url()
  const referrerSection = panel.locator('div').filter({ has: page.getByRole('heading', { name: 'Linked from' }) })
  const link = referrerSection.last().locator('..').getByRole('listitem').getByRole('link').first()
  const url = await link.textContent()
  await panel.getByRole('definition').getByRole('link', { name: url!, exact: true }).waitFor()
  await link.click()
  await expect.poll(() => page.url()).not.toBe(pageUrl)
  // Details of that page only.
  await panel.getByRole('heading', { name: 'Linked from' }).waitFor()
  await expect.poll(() => panel.locator(`a[href="${url}"]`).count()).toBeGreaterThan(0)
  await panel.getByRole('button', { name: 'Show the source' }).waitFor()
  await page.goBack()
  await panel.getByText(/^2 of/).waitFor()
}

/** In the classic view details replace their list. */
export async function useClassicView(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await open('/account')
  await heading('My account')
  const classic = page.getByRole('checkbox', { name: 'Classic view' })
  await classic.check()
  await open(buildPagesPath(scan))
  const table = page.getByRole('table', { name: /^Pages/ })
  await findFirstPage(page).click()
  await page.getByRole('button', { name: 'Back to the list' }).waitFor()
  await expect.poll(() => table.count()).toBe(0)
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await table.waitFor()
  await open('/account')
  await classic.uncheck()
  await choose(page, 'admin', 'API keys')
  await heading('API keys')
}
