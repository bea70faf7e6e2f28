import { expect, it } from 'vitest'
import { toScorePoints } from './score.ts'

it.each([
  [1, 100],
  [0.9999, 99],
  [0.767, 77],
  [0.7633, 76],
  [0, 0],
])('shows %d as %d: 100 means a perfect score only', (score, points) => expect(toScorePoints(score)).toBe(points))
