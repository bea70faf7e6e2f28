import { expect, it } from 'vitest'
import { getTargetState, listTrendMarks } from './model-goal.ts'

const run = (number: number, day: number, ignoredIssues = 0) => ({
  number,
  endedAt: `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  score: 0.5,
  pages: 1,
  openIssues: { critical: 0, serious: 0, moderate: 0, minor: 0, needsReview: 0 },
  ruleSetChanged: false,
  scoreByDecisions: 0,
  ignoredIssues,
})
const note = (day: string, text: string) => ({ id: text, day, text, author: null, createdAt: `${day}T00:00:00.000Z` })
const describeMarks = (...args: Parameters<typeof listTrendMarks>) =>
  listTrendMarks(...args).map((mark) => [mark.letter, mark.runNumber, mark.kind === 'note' ? mark.annotation.text : mark.count])

it('marks notes at the first run of their day or later, and runs that ignore more', () => {
  const trend = [run(1, 10, 2), run(2, 17, 2), run(3, 24, 7), run(4, 30, 1)]
  const notes = [
    note('2026-03-09', 'Before'),
    note('2026-03-11', 'Release'),
    note('2026-03-24', 'Same day'),
    note('2026-04-01', 'New'),
  ]
  expect(describeMarks(trend, notes)).toEqual([
    ['A', 2, 'Release'],
    ['B', 3, 'Same day'],
    ['C', 3, 5],
    ['D', null, 'New'],
  ])
  expect(describeMarks([], notes)).toEqual([])
})

it('continues after Z', () => {
  const notes = Array.from({ length: 28 }, (_, i) => note('2026-03-10', `${i}`))
  expect(describeMarks([run(1, 10)], notes).at(-1)?.[0]).toBe('B1')
})

it.each([
  [90, '2026-06-30', 'reached'],
  [89, '2026-06-30', 'open'],
  [89, '2026-07-01', 'overdue'],
  [95, '2027-01-01', 'reached'],
  [null, '2026-07-01', 'overdue'],
])('a target of 90 by June 30 with %s points on %s is %s', (points, today, state) =>
  expect(getTargetState({ score: 90, dueOn: '2026-06-30' }, points, today)).toBe(state),
)
