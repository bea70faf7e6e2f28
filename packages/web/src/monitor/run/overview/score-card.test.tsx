import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { renderInPage } from '../../../../test/show.tsx'
import { TrendCard } from '../history/trend-card.tsx'
import type { RunOverviewData } from '../queries.ts'
import { ScoreCard } from './score-card.tsx'

const noPages = { critical: 0, serious: 0, moderate: 0, good: 0 }
const overview = (score: number, change: number, decided = { byDecisions: 0, ignored: 0 }) =>
  ({
    score,
    status: 'completed',
    pagesByHealth: noPages,
    pages: { failed: 0, walled: 0 },
    change: {
      score: change - decided.byDecisions,
      byDecisions: { score: decided.byDecisions },
      newlyIgnored: decided.ignored,
      previousNumber: 1,
      ruleSetChanged: false,
    },
  }) as unknown as RunOverviewData
const point = (number: number, score: number, scoreByDecisions = 0) => ({
  number,
  scoreByDecisions,
  ignoredIssues: 0,
  endedAt: `2026-03-${String(number + 9)}T06:00:00.000Z`,
  score,
  pages: 120,
  openIssues: { critical: 0, serious: 0, moderate: 0, minor: 0, needsReview: 0 },
  ruleSetChanged: false,
})

// The rounded change alone would give a different number in each case.
it.each([
  [0.7044, 0.756, '6 points up since run 1', 'Up 6 points over 2 runs'],
  [0.985, 0.9976, 'Unchanged since run 1', 'Unchanged over 2 runs'],
  [1, 0.9976, '1 point down since run 1', 'Down 1 point over 2 runs'],
])('from %d to %d, it agrees with the trend', async (previousScore, currentScore, card, trend) => {
  await renderInPage(
    <>
      <ScoreCard run={overview(currentScore, currentScore - previousScore)} />
      <TrendCard scan={scan} trend={[point(1, previousScore), point(2, currentScore)]} />
    </>,
  )
  await expect.element(page.getByText(card)).toBeVisible()
  await expect.element(page.getByText(trend)).toBeVisible()
})

it.each([
  [0.51, 1, 0.49, 12, 'Unchanged since run 1', 'Not included: +49 from 12 ignored issues', 'From 51 to 100 over 2 runs'],
  [0.51, 1, 0.46, 12, '3 points up since run 1', 'Not included: +46 from 12 ignored issues', 'From 51 to 100 over 2 runs'],
  [0.8, 0.7, -0.1, 0, 'Unchanged since run 1', 'Not included: −10 from decisions about issues', 'From 80 to 70 over 2 runs'],
])(
  'from %d to %d with %d by decisions, it claims only the rest',
  async (before, now, byDecisions, ignored, card, rest, trend) => {
    await renderInPage(
      <>
        <ScoreCard run={overview(now, now - before, { byDecisions, ignored })} />
        <TrendCard scan={scan} trend={[point(1, before), point(2, now, byDecisions)]} />
      </>,
    )
    for (const text of [card, rest, trend]) await expect.element(page.getByText(text).first()).toBeVisible()
  },
)

const scan = {
  id: '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId,
  rights: { manage: false, run: false } as ScanSummary['rights'],
}

it.each([
  [0.6574, 0.7776, 0.1, 0.0202, '+10 from changes on the site, +2 from decisions about issues'],
  [0.6574, 0.7776, 0.05, 0.02, 'On the pages that both runs tested: +5 from changes on the site, +2 from decisions about issues'],
])('from %d to %d, its trend has the parts of the comparison: %d and %d', async (first, last, score, byDecisions, parts) => {
  const comparison = { run: { score: last }, score, scoreByDecisions: byDecisions } as unknown as RunComparison
  await renderInPage(<TrendCard scan={scan} trend={[point(1, first), point(2, last)]} comparison={comparison} />)
  await expect.element(page.getByText('From 66 to 78 over 2 runs')).toBeVisible()
  await expect.element(page.getByText(parts)).toBeVisible()
})

it('says nothing about decisions where they have no part in the trend', async () => {
  const comparison = { run: { score: 0.8 }, score: 0.1, scoreByDecisions: 0 } as unknown as RunComparison
  await renderInPage(<TrendCard scan={scan} trend={[point(1, 0.7), point(2, 0.8)]} comparison={comparison} />)
  await expect.element(page.getByRole('figure')).toBeVisible()
  expect(page.getByRole('figure').element().querySelector('figcaption > div')!.textContent).toBe('Up 10 points over 2 runs')
})

it('says where the score of the whole site is, from random pages', async () => {
  const sample = { pages: 11, score: 0.6, chosenScore: 0.76, error: 0.0812 }
  const run = { ...overview(0.75, 0), sample, pages: { failed: 0, walled: 0, overLimit: 900 } }
  await renderInPage(<ScoreCard run={run as unknown as RunOverviewData} />)
  await expect.element(page.getByText('± 9')).toBeVisible()
  const text =
    '900 known URLs are beyond the page limit. 11 pages chosen at random score 60, the others 76. The score of the whole site is probably between 66 and 84.'
  await expect.element(page.getByText(text)).toBeVisible()
})

it('claims no improvement by a rise without the pages that had issues', async () => {
  const rise = overview(1, 0.36)
  const run = { ...rise, change: { ...rise.change, fixed: 3, notRechecked: 12 } }
  await renderInPage(<ScoreCard run={run as unknown as RunOverviewData} />)
  await expect.element(page.getByText('12 issues of earlier runs were not tested again.')).toBeVisible()
  expect(document.body.textContent).not.toContain('points up')
  const mostlyFixed = { ...rise, change: { ...rise.change, fixed: 30, notRechecked: 1 } }
  await renderInPage(<ScoreCard run={mostlyFixed as unknown as RunOverviewData} />)
  await expect.element(page.getByText('36 points up since run 1')).toBeVisible()
})

it('claims no good page if the content of none was seen', async () => {
  const run = { ...overview(1, 0), score: null, change: null, pages: { failed: 0, walled: 3 } }
  await renderInPage(<ScoreCard run={run as unknown as RunOverviewData} />)
  await expect.element(page.getByText('The content of 3 pages was not seen; they are not counted.')).toBeVisible()
  expect(document.body.textContent).not.toContain('good.')
})
