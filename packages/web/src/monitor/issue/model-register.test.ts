import { describe, expect, it } from 'vitest'
import { isPossibleEnd, toEndOfDay, toLastDay } from './model-register.ts'

describe('the last day of an ignore', () => {
  it.each(['2026-03-28', '2026-03-29', '2026-10-25', '2028-02-29', '2026-12-31'])('%s is the same after storing it', (day) => {
    const end = toEndOfDay(day)!
    expect(toLastDay(end)).toBe(day)
    expect(Date.parse(end)).toBeGreaterThan(Date.parse(`${day}T23:59:59`))
  })

  it('is empty for no end', () => {
    expect([toEndOfDay(''), toLastDay(null)]).toEqual([null, ''])
  })

  it('is today or later, in full', () => {
    const today = toLastDay(new Date(Date.now() + 1).toISOString())
    const yesterday = toLastDay(new Date(Date.now() - 86_400_000).toISOString())
    expect(['', today, '2999-12-31', yesterday, '0002-01-01', '2020-01-01'].map(isPossibleEnd)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
