import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallCounts } from './rate.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const windowMs = 60_000
function createCounter() {
  const callCounts = new CallCounts()
  return (caller: string) => {
    let countedCalls: { current: number; ttl: number } | undefined
    callCounts.incr(caller, (_, currentCount) => (countedCalls = currentCount), windowMs)
    return countedCalls!
  }
}

it('counts the calls of a minute by caller, and restarts after it', () => {
  const countCall = createCounter()
  expect([countCall('a').current, countCall('a').current, countCall('b').current]).toEqual([1, 2, 1])
  vi.advanceTimersByTime(59_000)
  expect(countCall('a')).toEqual({ current: 3, ttl: 1000 })
  vi.advanceTimersByTime(1000)
  expect(countCall('a')).toEqual({ current: 1, ttl: windowMs })
})

it('does not prolong the wait if the clock of the machine is set back', () => {
  const countCall = createCounter()
  countCall('a')
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(windowMs)
  expect(countCall('a').current).toBe(1)
})

it('evicts the oldest callers to limit memory', () => {
  const countCall = createCounter()
  countCall('first')
  for (let index = 0; index < 5000; index++) countCall(`other ${index}`)
  expect(countCall('first').current).toBe(1)
  expect(countCall('other 4999').current).toBe(2)
})
