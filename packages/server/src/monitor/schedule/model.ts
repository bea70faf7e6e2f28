import type { Recurrence, Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

type Rule = ConstructorParameters<typeof RRuleTemporal>[0]

const dayCodes = {
  monday: 'MO',
  tuesday: 'TU',
  wednesday: 'WE',
  thursday: 'TH',
  friday: 'FR',
  saturday: 'SA',
  sunday: 'SU',
} as const
const weekNumbers = { first: 1, second: 2, third: 3, fourth: 4, last: -1 } as const

type DayOfMonth = Extract<Recurrence, { frequency: 'monthly' }>['day']

/** The days of a month. A 29th, 30th or 31st that a month does not have is its last day. */
function daysOf(day: DayOfMonth) {
  switch (day.kind) {
    case 'first':
      return { byMonthDay: [1] }
    case 'last':
      return { byMonthDay: [-1] }
    case 'day':
      if (day.day <= 28) return { byMonthDay: [day.day] }
      return { byMonthDay: [28, 29, 30, 31].filter((one) => one <= day.day), bySetPos: [-1] }
    case 'weekday':
      return { byDay: [`${weekNumbers[day.week]}${dayCodes[day.weekday]}`] }
  }
}

/**
 * The recurrence on a clock that never changes: dates first, moments later. So no start gets lost when clocks go forward,
 * and none happens twice when they go back.
 */
function ruleOf(recurrence: Recurrence) {
  const { startDate, startTime } = recurrence
  const dtstart = Temporal.PlainDateTime.from(`${startDate}T${startTime}`).toZonedDateTime('UTC')
  const own = (): object => {
    if (recurrence.frequency === 'once') return { freq: 'DAILY', count: 1 }
    if (recurrence.frequency === 'weekly')
      return {
        freq: 'WEEKLY',
        interval: recurrence.interval,
        byDay: recurrence.weekdays.map((day) => dayCodes[day]),
        wkst: 'MO',
      }
    return { freq: 'MONTHLY', interval: recurrence.interval, ...daysOf(recurrence.day) }
  }
  return new RRuleTemporal({ ...own(), dtstart, temporal: Temporal } as unknown as Rule)
}

/** How many starts are left; null for no end by number. */
export function startsLeft(schedule: Schedule, started: number): number | null {
  if (schedule.frequency === 'manual') return 0
  if (schedule.frequency === 'once') return Math.max(0, 1 - started)
  return schedule.end.kind === 'after' ? Math.max(0, schedule.end.runs - started) : null
}

const mostSteps = 50_000
/** Later ones cannot be told: schedules of before there was a rule have any year. */
const lastYear = 9999

/**
 * The starts of a schedule after a moment, soonest first, at most `count` and none after `until`.
 * @param started starts that have been, which an end "after N runs" counts
 */
export function startsAfter(
  schedule: Schedule,
  after: Date,
  { count, started, until }: { count: number; started: number; until?: Date },
): Date[] {
  if (schedule.frequency === 'manual') return []
  const most = Math.min(count, startsLeft(schedule, started) ?? Infinity)
  const found: Date[] = []
  if (most === 0) return found
  const lastDay = 'end' in schedule && schedule.end.kind === 'on' ? schedule.end.date : null
  let steps = 0
  ruleOf(schedule).all((each) => {
    const wall = (each as unknown as Temporal.ZonedDateTime).toPlainDateTime()
    if (steps++ > mostSteps || (lastDay !== null && wall.toPlainDate().toString() > lastDay)) return false
    // A time that clocks leave out is the moment an hour later; one that comes twice is the first.
    const at = new Date(
      wall.toZonedDateTime(schedule.timeZone, { disambiguation: 'compatible' }).epochMilliseconds,
    )
    if ((until && at > until) || at.getUTCFullYear() > lastYear) return false
    if (at > after) found.push(at)
    return found.length < most
  })
  return found.slice(0, most)
}
