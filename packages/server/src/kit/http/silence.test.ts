import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchDatabaseSilence } from './silence.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('pings rarely without calls, and at once with the next one', async () => {
  let pingCount = 0
  const silence = watchDatabaseSilence(() => Promise.resolve(void pingCount++))
  const countPings = async (ms: number): Promise<number> => {
    const countBefore = pingCount
    await vi.advanceTimersByTimeAsync(ms)
    return pingCount - countBefore
  }
  try {
    expect(await countPings(10_000)).toBeGreaterThanOrEqual(9)
    await countPings(40_000)
    expect(await countPings(60_000)).toBeLessThanOrEqual(5)
    const countBefore = pingCount
    expect(silence.isSilent()).toBe(false)
    expect(pingCount - countBefore).toBe(1)
    expect(await countPings(5000)).toBeGreaterThanOrEqual(4)
  } finally {
    silence.stop()
  }
})

it('notices a database that falls silent without calls, three seconds after the next call', async () => {
  let isAnswering = true
  const silence = watchDatabaseSilence(() => (isAnswering ? Promise.resolve() : new Promise<void>(() => undefined)))
  try {
    await vi.advanceTimersByTimeAsync(60_000)
    isAnswering = false
    expect(silence.isSilent()).toBe(false)
    const work = silence.unlessSilent(new Promise<void>(() => undefined))
    const outcome = expect(work).rejects.toThrow('does not respond')
    await vi.advanceTimersByTimeAsync(3100)
    await outcome
    expect(silence.isSilent()).toBe(true)
  } finally {
    silence.stop()
  }
})
