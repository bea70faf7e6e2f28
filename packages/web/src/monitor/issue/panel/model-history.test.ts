import type { IssueMoment } from '@clearway/contract/monitor/issue/schema.ts'
import { expect, it } from 'vitest'
import { foldHistory } from './model-history.ts'

const buildMoment = (
  runNumber: number,
  change: IssueMoment['change'],
  severity: IssueMoment['severity'] = 'serious',
): IssueMoment => ({
  runNumber,
  endedAt: null,
  change,
  severity,
})

it('folds consecutive runs with the same result, and loses none', () => {
  const moments = [
    ...Array.from({ length: 48 }, (_, index) => buildMoment(60 - index, 'still')),
    buildMoment(12, 'still', 'critical'),
    buildMoment(11, 'back'),
    buildMoment(10, 'fixed'),
    buildMoment(9, 'still'),
    buildMoment(8, 'new'),
  ]
  const intervals = foldHistory(moments)
  expect(intervals.map((interval) => [interval.change, interval.severity, interval.moments.length])).toEqual([
    ['still', 'serious', 48],
    ['still', 'critical', 1],
    ['back', 'serious', 1],
    ['fixed', 'serious', 1],
    ['still', 'serious', 1],
    ['new', 'serious', 1],
  ])
  expect(intervals.flatMap((interval) => interval.moments)).toEqual(moments)
  expect(foldHistory([])).toEqual([])
})
