import type { Recurrence, Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'

type RecurrenceOptions = ConstructorParameters<typeof RRuleTemporal>[0]

const weekdayCodes = {
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

/** The days of a month. A missing 29th, 30th or 31st is replaced by the last day of the month. */
function getMonthDays(dayOfMonth: DayOfMonth) {
  switch (dayOfMonth.kind) {
    case 'first':
      return { byMonthDay: [1] }
    case 'last':
      return { byMonthDay: [-1] }
    case 'day':
      if (dayOfMonth.day <= 28) return { byMonthDay: [dayOfMonth.day] }
      return { byMonthDay: [28, 29, 30, 31].filter((one) => one <= dayOfMonth.day), bySetPos: [-1] }
    case 'weekday':
      return { byDay: [`${weekNumbers[dayOfMonth.week]}${weekdayCodes[dayOfMonth.weekday]}`] }
  }
}

/** The recurrence on a clock without daylight saving time, converted later: no start is lost or repeated when clocks change. */
function createRecurrenceRule(recurrence: Recurrence) {
  const { startDate: recurrenceDate, startTime: recurrenceTime } = recurrence
  const dtstart = Temporal.PlainDateTime.from(`${recurrenceDate}T${recurrenceTime}`).toZonedDateTime('UTC')
  const getFrequencyOptions = (): object => {
    if (recurrence.frequency === 'once') return { freq: 'DAILY', count: 1 }
    if (recurrence.frequency === 'weekly')
      return {
        freq: 'WEEKLY',
        interval: recurrence.interval,
        byDay: recurrence.weekdays.map((day) => weekdayCodes[day]),
        wkst: 'MO',
      }
    return { freq: 'MONTHLY', interval: recurrence.interval, ...getMonthDays(recurrence.day) }
  }
  return new RRuleTemporal({ ...getFrequencyOptions(), dtstart, temporal: Temporal } as unknown as RecurrenceOptions)
}

/** The number of remaining starts; null without a limit. */
export function countRemainingStarts(schedule: Schedule, startedCount: number): number | null {
  if (schedule.frequency === 'manual') return 0
  if (schedule.frequency === 'once') return Math.max(0, 1 - startedCount)
  return schedule.end.kind === 'after' ? Math.max(0, schedule.end.runs - startedCount) : null
}

const maxRecurrenceSteps = 50_000
/** Later dates cannot be represented: schedules older than the validation may have any year. */
const maxYear = 9999

/**
 * The starts of a schedule after a time, soonest first, at most `count` and none after `until`.
 * @param options.started number of past starts, relevant for an end "after N runs"
 */
export function listStartsAfter(
  schedule: Schedule,
  afterTime: Date,
  { count, started, until }: { count: number; started: number; until?: Date },
): Date[] {
  if (schedule.frequency === 'manual') return []
  const maxStarts = Math.min(count, countRemainingStarts(schedule, started) ?? Infinity)
  const foundStarts: Date[] = []
  if (maxStarts === 0) return foundStarts
  const lastDate = 'end' in schedule && schedule.end.kind === 'on' ? schedule.end.date : null
  let stepCount = 0
  createRecurrenceRule(schedule).all((occurrence) => {
    const localDateTime = (occurrence as unknown as Temporal.ZonedDateTime).toPlainDateTime()
    if (stepCount++ > maxRecurrenceSteps || (lastDate !== null && localDateTime.toPlainDate().toString() > lastDate)) return false
    // A local time skipped by clocks is an hour later; one that occurs twice is the first.
    const startsAt = new Date(
      localDateTime.toZonedDateTime(schedule.timeZone, { disambiguation: 'compatible' }).epochMilliseconds,
    )
    if ((until && startsAt > until) || startsAt.getUTCFullYear() > maxYear) return false
    if (startsAt > afterTime) foundStarts.push(startsAt)
    return foundStarts.length < maxStarts
  })
  return foundStarts.slice(0, maxStarts)
}
