import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { closeMessage, checkEveryLook } from '../screen/looks.ts'
import type { Suite } from '../product/suite.ts'
import { buildIssuesPath, createScanWithResults } from './issue.ts'

/** Goes to the next issue and back; a comment draft is restored. */
async function walkAndReturn(panel: Locator): Promise<void> {
  await panel.getByLabel('New comment').fill('Half a thought')
  await panel.getByRole('button', { name: 'Next' }).click()
  await panel.getByText(/^2 of/).waitFor()
  await expect.poll(() => panel.getByLabel('New comment').inputValue()).toBe('')
  await panel.getByRole('button', { name: 'Previous' }).click()
  await panel.getByText(/^1 of/).waitFor()
  await expect.poll(() => panel.getByLabel('New comment').inputValue()).toBe('Half a thought')
}

async function chooseStatus(panel: Locator, status: string): Promise<void> {
  await panel.getByRole('button', { name: /^Status:/ }).click()
  await panel.page().getByRole('menuitemradio', { name: status, exact: true }).click()
}

/** Sets a status, and undoes that from its message. */
async function undoStatus({ page, client }: Suite, panel: Locator, id: string): Promise<void> {
  await chooseStatus(panel, 'Fixed')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await client<{ status: string }>('GET', `/issues/${id}`)).status).toBe('open')
}

/** Writes a comment that mentions a user, chosen by keyboard, and edits it. */
async function discuss(panel: Locator): Promise<void> {
  const comment = panel.getByLabel('New comment')
  await comment.fill('Looked at it ')
  await comment.pressSequentially('@adm')
  await panel.getByRole('option', { name: 'admin', selected: true }).waitFor()
  await expectAccessible(panel.page())
  await comment.press('Enter')
  await expect.poll(() => comment.inputValue()).toBe('Looked at it @admin ')
  await comment.press('Control+Enter')
  await panel.locator('li').getByText('Looked at it').first().waitFor()
  await panel.getByRole('button', { name: 'Edit comment' }).click()
  await panel.getByLabel('Edit comment').fill('Looked at it twice: https://example.org/why')
  await panel.getByRole('button', { name: 'Save comment' }).click()
  const edited = panel.locator('li').filter({ hasText: 'Looked at it twice' })
  await edited.getByRole('link', { name: /^https:\/\/example\.org\/why/ }).waitFor()
  await panel.getByText('(edited)').waitFor()
}

/** Links the issue to a ticket, and undoes another URL. */
async function linkTicket({ page }: Suite, panel: Locator): Promise<void> {
  const url = 'https://tickets.example.org/browse/WEB-7'
  const saveTicket = async (ticketText: string) => {
    await panel.getByLabel('Ticket URL').fill(ticketText)
    await panel.getByRole('button', { name: 'Save ticket' }).click()
  }
  await panel.getByText('Link a ticket…').click()
  await saveTicket('ftp://tickets.example.org/')
  await panel.getByText('The URL must start with http:// or https://.').waitFor()
  await saveTicket(url)
  await closeMessage(page, 'Ticket saved.')
  const link = panel.getByRole('link', { name: /^tickets\.example\.org\/browse\/WEB-7/ })
  expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([url, 'noopener noreferrer'])
  await saveTicket('')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await link.waitFor()
}

/** Checks that every part is visible. */
async function expectAllParts(panel: Locator): Promise<void> {
  for (const partName of ['Where', 'Code', 'Why it matters', 'How to fix', 'Rule', 'Comments', 'History'])
    await panel.getByRole('heading', { level: 3, name: partName, exact: true }).waitFor()
  await panel.getByText(/^Scan: /).waitFor()
  const criterion = panel.getByRole('link', { name: /^WCAG \d+\.\d+\.\d+/ }).first()
  expect(await criterion.getAttribute('href')).toContain('https://www.w3.org/WAI/WCAG22/Understanding/')
}

/** With an issue open, rows keep their height of two lines. Hidden columns return with the space. */
async function expectLowRows(page: Page): Promise<void> {
  const table = page.getByRole('table', { name: 'Issues' })
  const expectTwoLines = async () => {
    const heights = await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
    expect([...new Set(heights)]).toEqual([52])
  }
  await expectTwoLines()
  const heads = table.getByRole('columnheader', { name: 'Assignee' })
  expect(await heads.count()).toBe(0)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  // With no assignee in any row, the column would be empty in both layouts.
  await table.getByRole('columnheader', { name: 'Issue', exact: true }).waitFor()
  expect(await heads.count()).toBe(0)
  // A message about a change does not make rows higher, either.
  await table.getByText('New in this run').first().waitFor()
  await expectTwoLines()
  await table.getByRole('rowheader').getByRole('link').first().click()
}

/** The controls for decisions stay visible at the end of the page. */
async function expectHeadAtEnd(page: Page, panel: Locator): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(50)
  const top = () => panel.getByRole('button', { name: 'Next' }).evaluate((button) => button.getBoundingClientRect().top)
  await expect.poll(top).toBeGreaterThan(0)
  await page.evaluate(() => window.scrollTo(0, 0))
}

/** Copies the selector and the link of an issue; the next issue shows neither as copied. */
async function copySelectorAndLink(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Copy selector' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
  await panel.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await panel.getByRole('button', { name: 'Copied' }).last().waitFor()
  // The next issue's link is not copied yet.
  await page.keyboard.press('j')
  await panel.getByText(/^2 of/).waitFor()
  await panel.getByRole('button', { name: 'Copy link' }).waitFor()
  await page.keyboard.press('k')
  await panel.getByText(/^1 of/).waitFor()
}

/** Opens an issue, goes to the next one, and performs every action on it. */
export async function workOnIssue(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(buildIssuesPath(scan, '&severity=%5B%22critical%22%5D&sort=%22rule%2Casc%22'))
  await heading('Issues')
  const issueLinks = page.getByRole('table', { name: 'Issues' }).getByRole('rowheader').getByRole('link')
  await issueLinks.first().click()
  const panel = page.locator('section[aria-labelledby=detail]')
  await panel.getByText(/^1 of/).waitFor()
  await expectAllParts(panel)
  await expectLowRows(page)
  await expectHeadAtEnd(page, panel)
  await walkAndReturn(panel)
  await copySelectorAndLink(page, panel)
  await panel.getByText('Right', { exact: true }).waitFor()
  await panel.getByRole('list').getByText('Run 1').waitFor()
  await checkEveryLook(page)
  await panel.getByText('Add notes…').click()
  await panel.getByLabel('Notes').fill('Write an alt text')
  await panel.getByRole('button', { name: 'Save notes' }).click()
  await closeMessage(page, 'Remediation notes saved.')
  await panel.getByText('Add a label…').click()
  await panel.getByLabel('New label').fill('home')
  await panel.getByRole('button', { name: 'Add label' }).click()
  await panel.getByRole('button', { name: 'Remove label: home' }).waitFor()
  await discuss(panel)
  await linkTicket(suite, panel)
  await panel.getByRole('button', { name: 'Assignee: Nobody' }).click()
  await page.getByRole('menuitemradio', { name: /^Me: / }).click()
  await closeMessage(page, /Assigned to/)
  const id = new URL(page.url()).searchParams.get('issue')!.replaceAll('"', '')
  // Moving through the choices changes nothing.
  await panel.getByRole('button', { name: /^Status:/ }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Open', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  expect(await client('GET', `/issues/${id}`)).toMatchObject({ status: 'open' })
  await panel.getByRole('button', { name: /^Status:/ }).click()
  await page.getByRole('menuitem', { name: 'Ignore with a reason…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ignore' })
  await dialog.getByLabel('This element on every page').check()
  await dialog.getByLabel('Reason').fill('Goes with the relaunch')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ignore', exact: true }).click()
  await closeMessage(page, 'Ignored: This element on every page.')
  await panel.getByText('Reason: Goes with the relaunch').waitFor()
  expect(await client('GET', `/issues/${id}`)).toMatchObject({
    status: 'ignored',
    labels: ['home'],
    remediationComment: 'Write an alt text',
    ignore: { scope: 'group', reason: 'Goes with the relaunch' },
  })
  await chooseStatus(panel, 'Open')
  await closeMessage(page, 'Status changed to Open.')
  await undoStatus(suite, panel, id)
  await panel.getByRole('button', { name: 'Mark as not an issue' }).click()
  await closeMessage(page, 'It is no longer counted as an issue.')
  await panel.getByRole('button', { name: 'Mark as an issue' }).click()
  await closeMessage(page, 'It is now counted as an issue.')
}
