/** @module-tag slow */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { buildRunMail } from '../packages/server/src/monitor/notification/mail/model.ts'
import { buildMentionMail } from '../packages/server/src/monitor/notification/mention/model.ts'
import { expectAccessible } from './screen/accessible.ts'
import { openBrowser } from './screen/looks.ts'

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  page = await browser.newPage({ viewport: { width: 320, height: 640 } })
})
afterAll(() => browser?.close())

const run = {
  number: 12,
  status: 'completed',
  startedAt: '2026-03-01T10:00:00Z',
  endedAt: '2026-03-01T10:10:00Z',
  score: 0.8125,
  pages: { completed: 1200, failed: 3, walled: 0, overLimit: 0 },
  openIssues: { critical: 1, serious: 2, moderate: 3, minor: 4, needsReview: 5 },
  change: { new: 6, fixed: 7, back: 8, issuesGone: 9, notRechecked: 10, ignored: 11 },
  problem: 'The host did not answer',
}

const languages = ['de', 'en', 'es', 'fr', 'it', 'ja']
async function expectValidMail(html: string): Promise<void> {
  await page.setContent(html)
  await expectAccessible(page)
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  if (sideways) throw new Error('It scrolls sideways')
}

it.each(languages)('mails in %s pass our own checks, also at 320 pixels', (language) => {
  const url = 'https://clearway.example.org/monitor/scans/a/12'
  const notificationData = { event: 'new-issues', scanId: 'a', scanName: 'Shop', run, url, language } as const
  return expectValidMail(buildRunMail(notificationData, 'Clearway').html)
})

it.each(languages)('mails about comments in %s pass, too', (language) =>
  expectValidMail(
    buildMentionMail({
      event: 'mentioned',
      scanName: 'Shop',
      author: 'Ada Lovelace',
      issue: 'Images must have alternative text',
      text: `@Grace Hopper\n${'https://example.org/'.repeat(10)}`,
      url: 'https://clearway.example.org/monitor/issues?issue=1',
      settingsUrl: 'https://clearway.example.org/monitor/account',
      language,
    }).html,
  ),
)
