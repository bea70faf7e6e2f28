import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallCounts } from './rate.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] }))
afterEach(() => void vi.useRealTimers())

const window = 60_000
function openCounts() {
  const counts = new CallCounts()
  return (caller: string) => {
    let counted: { current: number; ttl: number } | undefined
    counts.incr(caller, (_, now) => (counted = now), window)
    return counted!
  }
}

it('counts the calls of a minute by caller, and begins anew after it', () => {
  const call = openCounts()
  expect([call('a').current, call('a').current, call('b').current]).toEqual([1, 2, 1])
  vi.advanceTimersByTime(59_000)
  expect(call('a')).toEqual({ current: 3, ttl: 1000 })
  vi.advanceTimersByTime(1000)
  expect(call('a')).toEqual({ current: 1, ttl: window })
})

it('lets nobody wait longer because the clock of the machine was set back', () => {
  const call = openCounts()
  call('a')
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(window)
  expect(call('a').current).toBe(1)
})

it('forgets who called long ago before it needs more memory', () => {
  const call = openCounts()
  call('first')
  for (let other = 0; other < 5000; other++) call(`other ${other}`)
  expect(call('first').current).toBe(1)
  expect(call('other 4999').current).toBe(2)
})
