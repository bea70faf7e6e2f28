import { expect, it } from 'vitest'
import { findScheduleErrors, isTimeZone } from './model.ts'
import type { Schedule } from './schema.ts'

it.each(['Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'UTC', 'Etc/GMT+10', 'America/Port-au-Prince', 'EST5EDT', 'Etc/UTC'])(
  'accepts the time zone %s',
  (name) => expect(isTimeZone(name)).toBe(true),
)
it.each(['europe/berlin', 'EUROPE/BERLIN', 'Europe/berlin', 'asia/kolkata', 'utc', '+02:00', 'Europe/Atlantis', ''])(
  'refuses the time zone %j',
  (name) => expect(isTimeZone(name)).toBe(false),
)

const weekly = (timeZone: string, weekdays: ('monday' | 'friday')[]): Schedule => ({
  frequency: 'weekly',
  startDate: '2030-01-01',
  startTime: '03:00',
  timeZone,
  timeoutMs: null,
  interval: 1,
  weekdays,
  end: { kind: 'never' },
})
const now = new Date('2029-01-01')

it('refuses a weekday twice', () =>
  expect(findScheduleErrors('schedule', weekly('Europe/Berlin', ['monday', 'friday', 'monday']), now)).toEqual([
    { path: 'schedule.weekdays.2', code: 'duplicate', params: { value: 'monday' } },
  ]))

it('keeps a stored time zone in another spelling until it is changed', () => {
  const stored = weekly('europe/berlin', ['monday'])
  expect(findScheduleErrors('schedule', weekly('europe/berlin', ['friday']), now, stored)).toEqual([])
  expect(findScheduleErrors('schedule', stored, now)).toMatchObject([{ path: 'schedule.timeZone', code: 'unknown-value' }])
})
