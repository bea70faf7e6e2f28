import { expect } from 'vitest'
import { expectAccessible } from '../screen/accessible.ts'
import { expectFocus, getFocusedName } from '../screen/keyboard.ts'
import { axeVersions, newestAxeVersion } from '@clearway/contract/monitor/ruleset/schema.ts'
import { createScanWithResults, uploadAxeResults } from './issue.ts'
import { checkEveryLook, wideViewport } from '../screen/looks.ts'
import type { Suite } from '../product/suite.ts'

type Issue = { id: string; status: string; assignedTo: { name: string } | null }

const getOpenIssueId = (url: string): string => new URL(url).searchParams.get('issue')?.replaceAll('"', '') ?? ''

/** Opens the first issue and handles ten by single keys: assign, fix, next. The list shortens along the way. */
export async function triageByKeyboard(suite: Suite): Promise<void> {
  const { page, client, open, heading } = suite
  const scan = await createScanWithResults(suite)
  await open(`/issues?scanId=%5B%22${scan}%22%5D&grouped=false&sort=%22rule%2Cdesc%22`)
  await heading('Issues')
  const issueLinks = page.getByRole('table', { name: 'Issues' }).getByRole('rowheader').getByRole('link')
  await issueLinks.nth(10).waitFor()
  const previousIssues = await client<{ page: { totalElements: number } }>('GET', `/issues?scanId=${scan}&status=open`)
  await page.keyboard.press('j')
  await expectFocus(issueLinks.first())
  await page.keyboard.press('Enter')
  const panel = page.locator('section[aria-labelledby=detail]')
  const fixedIds: string[] = []
  for (let number = 0; number < 10; number++) {
    await expect.poll(() => fixedIds.includes(getOpenIssueId(page.url()))).toBe(false)
    const id = getOpenIssueId(page.url())
    await panel.getByRole('button', { name: /^Assignee: Nobody/ }).waitFor()
    // At typing speed: no key waits for the previous one to complete.
    await page.keyboard.press('m')
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
    fixedIds.push(id)
    await page.keyboard.press('j')
  }
  expect(new Set(fixedIds).size).toBe(10)
  for (const id of fixedIds)
    await expect
      .poll(async () => {
        const { status, assignedTo } = await client<Issue>('GET', `/issues/${id}`)
        return [status, assignedTo?.name]
      })
      .toEqual(['fixed', 'admin'])
  const remainingIssues = await client<typeof previousIssues>('GET', `/issues?scanId=${scan}&status=open`)
  expect(remainingIssues.page.totalElements).toBe(previousIssues.page.totalElements - 10)
  await expect.poll(() => page.title()).toMatch(/ – Issues – /)
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  await emptyList(suite, scan)
  await page.getByRole('banner').getByRole('button', { name: 'admin' }).click()
  await page.getByRole('menuitem', { name: 'My issues' }).click()
  await page.getByRole('button', { name: 'Assigned to me', pressed: true }).waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Fixed')
  await expect.poll(() => issueLinks.count()).toBeGreaterThanOrEqual(1)
  await page.getByRole('button', { name: 'Assigned to me', pressed: true }).click()
  await page.getByRole('button', { name: 'Assigned to me', pressed: false }).waitFor()
}

const undecidedCount = 20

/** Results of axe-core that need review: each element has its own text. */
const buildUndecided = () => ({
  testEngine: { name: 'axe-core', version: axeVersions[newestAxeVersion] },
  url: 'https://undecided.example.org/',
  violations: [],
  incomplete: [
    {
      id: 'color-contrast',
      impact: 'serious',
      tags: ['wcag2aa', 'wcag143'],
      description: 'd',
      help: 'Elements must meet minimum color contrast ratio thresholds',
      helpUrl: 'https://example.org/help',
      nodes: Array.from({ length: undecidedCount }, (_, index) => ({
        html: `<p>Text ${index}</p>`,
        target: [`#text${index}`],
        any: [{ message: 'Image behind' }],
        all: [],
        none: [],
      })),
    },
  ],
})

/** Decides on every result that needs review by one key each: 22 keys for 20 results, from the list on. */
export async function reviewByKeyboard(suite: Suite): Promise<void> {
  const { page, client, open } = suite
  const scan = await createScanWithResults(suite)
  await uploadAxeResults(suite, scan, buildUndecided())
  await open(`/issues?scanId=%5B%22${scan}%22%5D&grouped=false&review=%5B%22open%22%5D&source=%5B%22uploaded%22%5D`)
  const issueLinks = page.getByRole('table', { name: 'Issues' }).getByRole('rowheader').getByRole('link')
  await expect.poll(() => issueLinks.count()).toBe(undecidedCount)
  // The title of an undecided result claims nothing, alone and in its group.
  const askingTitle = 'Check the contrast of this text'
  expect(await issueLinks.first().textContent()).toBe(askingTitle)
  await page
    .getByRole('checkbox', { name: `Select: ${askingTitle}` })
    .first()
    .waitFor()
  await page.getByLabel('Group by').selectOption('rule')
  const groupLinks = page.getByRole('table', { name: 'Issue groups' }).getByRole('rowheader').getByRole('link')
  await expect.poll(() => groupLinks.allTextContents()).toEqual([askingTitle])
  await page.getByLabel('Group by').selectOption('none')
  await expect.poll(() => issueLinks.count()).toBe(undecidedCount)
  let pressedCount = 0
  const pressKey = async (key: string) => {
    pressedCount++
    await page.keyboard.press(key)
  }
  await pressKey('j')
  await expectFocus(issueLinks.first())
  await pressKey('Enter')
  await page.getByRole('group', { name: 'Is it an issue?' }).waitFor()
  await page.getByText(/^0 of \d+ reviewed$/).waitFor()
  await checkEveryLook(page)
  for (let index = 0; index < undecidedCount; index++) await pressKey(index % 4 === 3 ? 'y' : 'n')
  type Counts = { totalIssues: number }
  const countAnswers = async (review: string) =>
    (await client<Counts>('GET', `/issues?scanId=${scan}&source=uploaded&review=${review}`)).totalIssues
  await expect
    .poll(async () => [await countAnswers('not-issue'), await countAnswers('issue'), await countAnswers('open')])
    .toEqual([15, 5, 0])
  expect(pressedCount).toBe(undecidedCount + 2)
  await page.keyboard.press('Escape')
  await page.getByLabel('Status', { exact: true }).selectOption('Reviewed: not an issue')
  await expect.poll(() => issueLinks.count()).toBe(15)
}

/** Fixes the only issue of a list and closes it: the title then has the focus. */
async function emptyList({ page, client, open }: Suite, scan: string): Promise<void> {
  const [lastIssue] = (await client<{ content: Issue[] }>('GET', `/issues?scanId=${scan}&status=open&size=1`)).content
  await client('POST', `/issues/${lastIssue!.id}/labels`, { labels: ['the last'] })
  await open(`/issues?scanId=%5B%22${scan}%22%5D&label=%5B%22the+last%22%5D`)
  await page.getByRole('table', { name: 'Issues' }).getByRole('rowheader').getByRole('link').press('Enter')
  await page.getByRole('button', { name: /^Status: Open/ }).waitFor()
  await page.keyboard.press('f')
  await page.getByRole('button', { name: /^Status: Fixed/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'No issue matches' }).waitFor()
  await expect.poll(() => getFocusedName(page)).toBe('Issues')
}

/** Chooses columns, which are remembered. */
export async function chooseColumns(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  const scan = await createScanWithResults(suite)
  const openIssues = async () => {
    await open(`/issues?scanId=%5B%22${scan}%22%5D`)
    await heading('Issues')
  }
  await openIssues()
  // They take no line of their own.
  await page.getByRole('navigation').getByRole('button', { name: 'Columns…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByLabel('Selector').check()
  await dialog.getByLabel('WCAG').check()
  await dialog.getByLabel('Labels').check()
  await dialog.getByLabel('Component').check()
  await dialog.getByLabel('Age', { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const table = page.getByRole('table', { name: 'Issues' })
  await table.getByRole('columnheader', { name: 'Selector' }).getByRole('button').click()
  await table.locator('th[aria-sort="ascending"]', { hasText: 'Selector' }).waitFor()
  await expect.poll(() => table.getByRole('columnheader', { name: 'Age', exact: true }).count()).toBe(0)
  await openIssues()
  await table.getByRole('columnheader', { name: 'Selector' }).waitFor()
  await table
    .getByRole('cell', { name: /^\d\.\d\.\d+/ })
    .first()
    .waitFor()
  await expectAccessible(page)
}

/** Finds the end of a run of an own scan in the inbox, and marks it as read. */
export async function readInbox(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await createScanWithResults(suite)
  await open('/inbox')
  await heading('Inbox')
  const entries = page.getByRole('list', { name: 'Inbox' }).getByRole('listitem')
  const unread = entries.filter({ hasText: 'With results' }).filter({ hasText: 'Unread' })
  await expect
    .poll(async () => (await unread.count()) || (await page.reload().then(() => 0)), { timeout: 30_000, interval: 2000 })
    .toBe(1)
  await checkEveryLook(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: /^Inbox: \d+ unread$/ }).waitFor()
  // In the menu of a small window, too.
  await page.setViewportSize({ width: 320, height: 800 })
  await page.getByRole('button', { name: /^Menu.*Inbox: \d+ unread$/ }).click()
  await page.getByRole('link', { name: /^Inbox: \d+ unread$/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.setViewportSize(wideViewport)
  await unread.getByRole('button', { name: /^Mark as read: With results, Run 1 is complete$/ }).press('Enter')
  await expect.poll(() => unread.count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^With results: Run 1 is complete$/)
}

/** Lists the shortcuts on ?, and turns them off for users who need the letters. */
export async function showShortcuts({ page, open, heading }: Suite): Promise<void> {
  await open('/issues')
  await heading('Issues')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('Search this list').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Use keyboard shortcuts').click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const search = page.getByLabel('Find in issues')
  await page.keyboard.press('/')
  await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(false)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await dialog.getByLabel('Use keyboard shortcuts').click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('/')
  await expectFocus(search)
  await page.keyboard.type('j?')
  await expect.poll(() => search.inputValue()).toBe('j?')
}

/** Finds a scan, a page, a rule and a screen from anywhere by keyboard; closing restores the focus. */
export async function searchEverything(suite: Suite): Promise<void> {
  const { page, open, heading } = suite
  await createScanWithResults(suite)
  await open('/issues')
  await heading('Issues')
  const suggestionList = page.getByLabel('Find in issues')
  await suggestionList.focus()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  const box = dialog.getByRole('combobox', { name: 'Search everything' })
  await box.waitFor()
  expect(await box.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await expectFocus(suggestionList)
  const searchFor = async (searchText: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await box.fill(searchText)
    const matchingOption = dialog.getByRole('option', { name: option }).first()
    await matchingOption.waitFor()
    await dialog.getByText(/^\d+ results?$/).waitFor()
    for (let step = 0; step < 60; step++) {
      if ((await matchingOption.getAttribute('data-focused')) !== null) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+k')
  await checkEveryLook(page)
  await box.fill('no such thing anywhere')
  await dialog.getByText('0 results').waitFor()
  await dialog.getByRole('option', { name: 'All issues that match “no such thing anywhere”' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await searchFor('With res', /^With results/)
  await heading('With results')
  // Uses the words that the list shows.
  await searchFor('image-al', /^An image has no alternative text.*image-alt$/)
  await page.getByText('Rule: image-alt').waitFor()
  await searchFor('dashb', /^Dashboard/)
  await heading('Dashboard')
  await searchFor('http', /· With results$/)
  await heading('Pages')
  expect(page.url()).toContain('view=')
  await page.getByRole('button', { name: 'Search everything' }).click()
  await box.waitFor()
  await page.keyboard.press('Escape')
}
