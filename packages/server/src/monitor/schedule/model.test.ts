import { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'zod/mini'
import { listStartsAfter, countRemainingStarts } from './model.ts'

const berlin = { startDate: '2026-01-01', startTime: '02:30', timeZone: 'Europe/Berlin' }
const listStarts = (schedule: object, after: string, count = 3, started = 0) =>
  listStartsAfter(parse(Schedule, { ...berlin, ...schedule }), new Date(after), { count, started }).map((at) =>
    at.toISOString().slice(0, 16),
  )
const createWeekly = (more: object = {}) => ({ frequency: 'weekly', weekdays: ['sunday'], ...more })
const createMonthly = (day: object, more: object = {}) => ({ frequency: 'monthly', day, ...more })

describe('starts of a schedule', () => {
  it('keep their hour across daylight saving changes, and lose none', () => {
    // 02:30 does not exist on 29 March: the start is an hour later. Winter time before, summer time after.
    expect(listStarts(createWeekly(), '2026-03-20T00:00Z')).toEqual(['2026-03-22T01:30', '2026-03-29T01:30', '2026-04-05T00:30'])
    // 02:30 occurs twice on 25 October: only the first one, in summer time, is a start.
    expect(listStarts(createWeekly(), '2026-10-18T12:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-11-01T01:30'])
    expect(listStarts(createWeekly(), '2026-10-25T00:30Z', 1)).toEqual(['2026-11-01T01:30'])
  })

  it.each([
    ['31', { kind: 'day', day: 31 }, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['29 in a leap year', { kind: 'day', day: 29 }, ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
    ['28', { kind: 'day', day: 28 }, ['2027-01-28', '2027-02-28', '2027-03-28', '2027-04-28']],
    ['last', { kind: 'last' }, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['first', { kind: 'first' }, ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01']],
    [
      'last Sunday',
      { kind: 'weekday', week: 'last', weekday: 'sunday' },
      ['2027-01-31', '2027-02-28', '2027-03-28', '2027-04-25'],
    ],
    [
      'second Tuesday',
      { kind: 'weekday', week: 'second', weekday: 'tuesday' },
      ['2027-01-12', '2027-02-09', '2027-03-09', '2027-04-13'],
    ],
  ])('on day %s of the month', (_name, day, expected) => {
    const got = listStarts({ ...createMonthly(day), startDate: '2027-01-01', timeZone: 'UTC' }, '2026-12-31T00:00Z', 4)
    expect(got.map((at) => at.slice(0, 10))).toEqual(expected)
  })

  it('every second week counts weeks from the start, Monday first', () => {
    const schedule = createWeekly({ interval: 2, weekdays: ['monday', 'wednesday'], startDate: '2026-10-21', timeZone: 'UTC' })
    expect(listStarts(schedule, '2026-10-01T00:00Z', 4).map((at) => at.slice(0, 10))).toEqual([
      '2026-10-21',
      '2026-11-02',
      '2026-11-04',
      '2026-11-16',
    ])
  })

  it('a start date on none of the days is not a start', () => {
    expect(listStarts(createWeekly({ weekdays: ['friday'], timeZone: 'UTC' }), '2025-12-01T00:00Z', 1)).toEqual([
      '2026-01-02T02:30',
    ])
  })

  it('end on a date, after N runs, or never', () => {
    const on = createWeekly({ end: { kind: 'on', date: '2026-01-11' } })
    expect(listStarts(on, '2026-01-01T00:00Z', 10)).toHaveLength(2)
    const after = createWeekly({ end: { kind: 'after', runs: 5 } })
    expect(listStarts(after, '2026-01-01T00:00Z', 10, 3)).toHaveLength(2)
    expect(listStarts(after, '2026-01-01T00:00Z', 10, 5)).toEqual([])
    expect(countRemainingStarts(parse(Schedule, { ...berlin, ...after }), 4)).toBe(1)
    expect(listStarts(createWeekly(), '2036-01-01T00:00Z', 1)).toEqual(['2036-01-06T01:30'])
    expect(listStarts({ frequency: 'once' }, '2025-12-01T00:00Z')).toEqual(['2026-01-01T01:30'])
    expect(listStarts({ frequency: 'once' }, '2026-01-01T01:30Z')).toEqual([])
  })
})

describe('errors of a schedule', () => {
  const now = new Date('2026-06-15T22:30:00Z')
  const listErrors = (more: object, previousFields?: object) =>
    findScheduleErrors(
      's',
      parse(Schedule, { ...berlin, frequency: 'once', ...more }),
      now,
      previousFields ? parse(Schedule, { ...berlin, frequency: 'once', ...previousFields }) : null,
    ).map((error) => `${error.path} ${error.code}`)
  it('include a past date in its own time zone, unless unchanged', () => {
    // It is already the 16th in Berlin.
    expect(listErrors({ startDate: '2026-06-15' })).toEqual(['s.startDate in-past'])
    expect(listErrors({ startDate: '2026-06-15', timeZone: 'America/New_York' })).toEqual([])
    expect(listErrors({ startDate: '2026-06-15' }, { startDate: '2026-06-15' })).toEqual([])
    expect(listErrors({ timeZone: 'Mars/Olympus' })).toEqual(['s.timeZone unknown-value'])
    expect(listErrors({ timeZone: '+02:00' })).toEqual(['s.timeZone unknown-value'])
    const endsOn = (date: string) => listErrors({ ...createWeekly({ end: { kind: 'on', date } }), startDate: '2026-07-01' })
    expect(endsOn('2026-06-01')).toEqual(['s.end.date in-past'])
    expect(endsOn('2026-06-20')).toEqual(['s.end.date too-small'])
  })
})
