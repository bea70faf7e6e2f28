import { expect, it } from 'vitest'
import { computeTimePositions } from './time-positions.ts'

const day = (number: number, hour = 6) => `2026-03-${String(number).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`

it('shows the time between points as distances', () => {
  expect(computeTimePositions([day(1), day(2), day(11)], 0, 100)).toEqual([0, 10, 100])
})

it('keeps points of one day apart, the last ones too', () => {
  expect(computeTimePositions([day(1), day(1, 7), day(21)], 0, 400)).toEqual([0, 10, 400])
  expect(computeTimePositions([day(1), day(21, 4), day(21, 5), day(21)], 0, 400)).toEqual([0, 380, 390, 400])
})

it('divides the width evenly if there is no room for more', () => {
  expect(computeTimePositions([day(1), day(2), day(9), day(11)], 0, 15)).toEqual([0, 5, 10, 15])
})

it('places undated and simultaneous points next to the previous one', () => {
  expect(computeTimePositions([day(1), day(11), null], 0, 100)).toEqual([0, 90, 100])
  expect(computeTimePositions([day(1), day(1)], 0, 100)).toEqual([0, 10])
  expect(computeTimePositions([null, day(1), day(11)], 0, 100)).toEqual([0, 10, 100])
  expect(computeTimePositions([null], 0, 100)).toEqual([0])
  expect(computeTimePositions([], 0, 100)).toEqual([])
})
