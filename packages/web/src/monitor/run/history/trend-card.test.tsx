import type { ScanId } from '@clearway/contract/kit/id.ts'
import type { ScanSummary } from '@clearway/contract/monitor/scan/schema.ts'
import { describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, renderInPage, renderPart } from '../../../../test/show.tsx'
import type { MonitorApi } from '../../user/model.ts'
import { TrendCard } from './trend-card.tsx'

const scan = {
  id: '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111' as ScanId,
  rights: { manage: false, run: false } as ScanSummary['rights'],
}

describe('the trend', () => {
  const run = (number: number, score: number | null) => ({
    number,
    endedAt: `2026-03-${String(number + 9)}T06:00:00.000Z`,
    score,
    pages: 120,
    openIssues: { critical: 41, serious: 118, moderate: 86, minor: 49, needsReview: 17 },
    ruleSetChanged: number === 3,
    scoreByDecisions: 0,
    ignoredIssues: 0,
  })
  it('describes its content and omits runs without a score', async () => {
    await renderInPage(<TrendCard scan={scan} trend={[run(1, 0.58), run(2, null), run(3, 0.66), run(4, 0.76)]} />, 320)
    const figure = document.querySelector('figure')
    expect(figure?.querySelector('figcaption')?.textContent).toContain('Up 18 points over 3 runs')
    expect(figure?.querySelector('svg')?.getAttribute('aria-label')).toBe('Score by run: 58, 66, and 76')
    // Text keeps its size on small screens.
    expect(getComputedStyle(figure?.querySelector('text') ?? document.body).fontSize).toBe('12px')
    await expectAccessible()
  })
  it('labels each day once, regardless of its number of runs', async () => {
    const runs = [1, 2, 3, 4].map((number) => run(number, 0.5 + number / 100))
    const timestamps = ['2026-03-10T06:00:00Z', '2026-03-11T06:00:00Z', '2026-03-11T12:00:00Z', '2026-03-11T18:00:00Z']
    await renderInPage(<TrendCard scan={scan} trend={runs.map((one, i) => ({ ...one, endedAt: timestamps[i]! }))} />)
    const texts = [...document.querySelectorAll('svg text')].map(({ textContent }) => textContent)
    expect(texts.filter((text) => text?.startsWith('Mar'))).toEqual(['Mar 10', 'Mar 11'])
  })
  it('marks the target, notes and ignored issues in the chart, and lists them', async () => {
    const goals = {
      target: { score: 90, dueOn: '2026-01-01' },
      annotations: [{ id: 'n', day: '2026-03-11', text: 'Release 2.3', author: null, createdAt: '2026-03-11T06:00:00.000Z' }],
    }
    const trend = [run(1, 0.58), run(2, 0.66), { ...run(3, 0.76), ignoredIssues: 4 }]
    await renderPart(() => <TrendCard trend={trend} scan={scan} goals={goals} />, {} as MonitorApi, 320)
    await expect.element(page.getByText('Target: 90 by Jan 1, 2026. 14 points to go. Overdue.')).toBeVisible()
    const events = page.getByRole('list', { name: 'Events in the trend' }).getByRole('listitem')
    expect(events.elements().map(({ textContent }) => textContent)).toEqual([
      'AMar 11, 2026Release 2.3',
      'BAfter run 34 more issues ignored',
    ])
    const marks = [...document.querySelectorAll('svg text')].map(({ textContent }) => textContent)
    expect(marks).toEqual(expect.arrayContaining(['Target 90', 'A', 'rules changed B']))
    // Users who may only read have no buttons for notes and targets.
    expect(
      page
        .getByRole('button')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Show as table'])
    await expectAccessible()
  })
})
