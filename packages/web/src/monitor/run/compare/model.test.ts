import type { RunComparison } from '@clearway/contract/monitor/run/schema.ts'
import { expect, it } from 'vitest'
import { countChanges, countOfImpact, listShownChanges, toListQuery } from './model.ts'

const none = { critical: 0, serious: 0, moderate: 0, minor: 0, needsReview: 0 }
/** Run 3 found five issues that are not open in run 2, three of which run 2 did not test; and one less the other way round. */
const newerFirst = {
  run: { number: 3 },
  other: { number: 2 },
  onlyHere: { ...none, serious: 5 },
  onlyThere: { ...none, serious: 2 },
  both: none,
  ignored: { onlyHere: none, onlyThere: none },
  notRecheckedByImpact: { onlyHere: { ...none, serious: 3 }, onlyThere: { ...none, serious: 1 } },
  rules: [{ rule: 'label', onlyHere: 5, onlyThere: 2, both: 0, ignored: 0, notRechecked: { onlyHere: 3, onlyThere: 1 } }],
} as unknown as RunComparison
const olderFirst = {
  ...newerFirst,
  run: newerFirst.other,
  other: newerFirst.run,
  onlyHere: newerFirst.onlyThere,
  onlyThere: newerFirst.onlyHere,
  notRecheckedByImpact: {
    onlyHere: newerFirst.notRecheckedByImpact.onlyThere,
    onlyThere: newerFirst.notRecheckedByImpact.onlyHere,
  },
  rules: [{ ...newerFirst.rules[0], onlyHere: 2, onlyThere: 5, notRechecked: { onlyHere: 1, onlyThere: 3 } }],
} as RunComparison

it.each([
  ['newer', newerFirst, 'onlyHere', 'onlyThere'],
  ['older', olderFirst, 'onlyThere', 'onlyHere'],
] as const)('counts issues that the older run did not test as not new, the %s run first', (_name, comparison, newer, older) => {
  const expected = { new: 2, notTestedBefore: 3, fixed: 1, notRechecked: 1, ignored: 0, unchanged: 0 }
  expect(countChanges(comparison)).toEqual(expected)
  expect(countOfImpact(comparison, 'serious')).toEqual(expected)
  expect(toListQuery(comparison, 'new')).toEqual({ side: newer, notRechecked: false })
  expect(toListQuery(comparison, 'notTestedBefore')).toEqual({ side: newer, notRechecked: true })
  expect(toListQuery(comparison, 'fixed')).toEqual({ side: older, notRechecked: false })
})

it('shows rare changes only where they occur', () => {
  expect(listShownChanges({ ...countChanges(newerFirst), notRechecked: 0 })).toEqual([
    'new',
    'fixed',
    'notTestedBefore',
    'ignored',
    'unchanged',
  ])
})
