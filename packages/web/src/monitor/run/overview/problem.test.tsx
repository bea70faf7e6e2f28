import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import type { RunOverviewData } from '../queries.ts'
import { ReportSummary } from '../report/sections.tsx'
import { RunComponentsNotice, RunFontsNotice, RunUnconfirmedNotice, RunWaitNotice } from './problem.tsx'

it.each([
  [true, 1],
  [false, 0],
])('reports whether the browser of the run had few fonts: %s', async (limitedFonts, times) => {
  await renderInPage(<RunFontsNotice run={{ limitedFonts }} />)
  expect(page.getByText('The server has few fonts', { exact: false }).elements()).toHaveLength(times)
})

it('names the common components that are on no page', async () => {
  await renderInPage(<RunComponentsNotice run={{ missingComponents: ['Header', 'Footer'] }} />)
  expect(page.getByText('Header and Footer').elements()).toHaveLength(1)
})

it('states the issues that disappeared, wherever it says how many are open', async () => {
  const unconfirmed = { issues: 3, sinceUrl: 'https://example.org/a', pageId: null, previousPageId: null }
  const openIssues = { critical: 0, serious: 0, moderate: 0, minor: 0, needsReview: 0 }
  const change = { score: null, notRechecked: 8, previousNumber: 1 }
  const run = { score: 1, openIssues, pages: { walled: 2 }, change, unconfirmed } as unknown as RunOverviewData
  await renderInPage(
    <>
      <RunUnconfirmedNotice run={run} />
      <ReportSummary run={run} rules={[]} />
    </>,
  )
  for (const [text, count] of [
    ['3 issues disappeared with the content of their pages.', 1],
    ['No issues are open. 8 issues of earlier runs were not tested again.', 1],
    ['The content of 2 pages was not seen', 1],
  ] as const)
    expect(page.getByText(text, { exact: false }).elements()).toHaveLength(count)
})

it.each([
  ['queued', 1],
  ['running', 1],
  ['failed', 0],
] as const)('says why an unfinished run waits: %s', async (status, times) => {
  const run = { number: 4, status, problem: 'no-browser', problemDetail: 'chromium: not found' } as const
  await renderInPage(<RunWaitNotice run={run} />)
  expect(page.getByText('Run 4 waits').elements()).toHaveLength(times)
  expect(page.getByText('The server has no browser that it can start.').elements()).toHaveLength(times)
})
