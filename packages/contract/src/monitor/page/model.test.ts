import { describe, expect, it } from 'vitest'
import { computeHealth, computeScore } from './model.ts'

describe('health of a page', () => {
  it.each([
    [['minor', 'critical', 'serious'], 'critical'],
    [['moderate', 'serious'], 'serious'],
    [['moderate', 'minor'], 'moderate'],
    [['minor'], 'good'],
    [['needs review'], 'good'],
    [[], 'good'],
  ] as const)('%j is %s', (severities, health) => expect(computeHealth(severities)).toBe(health))
})

describe('score of a run', () => {
  it('is the mean over completed pages', () =>
    expect(computeScore({ critical: 9, serious: 22, moderate: 31, good: 58 })).toBe(0.7633))
  it('is unknown without a completed page', () =>
    expect(computeScore({ critical: 0, serious: 0, moderate: 0, good: 0 })).toBeNull())
})
