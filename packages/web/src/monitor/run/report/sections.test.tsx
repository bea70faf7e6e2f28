import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import type { RunOverviewData } from '../queries.ts'
import { ReportSummary } from './sections.tsx'

it.each([
  ['both apart', { score: -0.02, byDecisions: 0.09 }, '−2 from changes on the site, +9 from decisions about issues.'],
  ['decisions alone', { score: 0, byDecisions: 0.09 }, '0 from changes on the site, +9 from decisions about issues.'],
  ['the site alone', { score: -0.02, byDecisions: 0 }, 'The score is 85 of 100, 2 points less than in run 52.'],
  ['no change', { score: 0, byDecisions: 0 }, 'The score is 85 of 100, unchanged since run 52.'],
])('tells what changed the score: %s', async (_, { score, byDecisions }, sentence) => {
  const run = {
    score: 0.85,
    openIssues: { critical: 1, serious: 2, moderate: 0, minor: 0, needsReview: 0 },
    pages: { walled: 0 },
    change: { score, byDecisions: { score: byDecisions }, notRechecked: 0, previousNumber: 52 },
  } as unknown as RunOverviewData
  await renderInPage(<ReportSummary run={run} rules={[]} />)
  expect(page.getByText(sentence, { exact: false }).elements()).toHaveLength(1)
  expect(page.getByText('3 issues are open: 1 critical and 2 serious.', { exact: false }).elements().length).toBeGreaterThan(0)
})
