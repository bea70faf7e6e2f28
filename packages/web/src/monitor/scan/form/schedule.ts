import { dayIn } from '@clearway/contract/monitor/schedule/model.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import type * as z from 'zod/mini'
import type { ScanForm, ScheduleValues } from './values.ts'
import { numeric } from './values.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const blank = (): ScheduleValues => {
  const timeZone = ownZone()
  return {
    frequency: 'manual',
    startDate: dayIn(timeZone, new Date(Date.now() + 24 * hourMs)),
    startTime: '02:00',
    timeZone,
    timeoutHours: '',
    timeoutMinutes: '',
    interval: '1',
    weekdays: ['monday'],
    dayKind: 'first',
    dayNumber: '1',
    dayWeek: 'first',
    dayWeekday: 'monday',
    endKind: 'never',
    endDate: '',
    endRuns: '10',
  }
}

type End = Extract<Schedule, { frequency: 'weekly' }>['end']
const endValues = (end: End): Partial<ScheduleValues> => ({
  endKind: end.kind,
  ...(end.kind === 'on' ? { endDate: end.date } : {}),
  ...(end.kind === 'after' ? { endRuns: String(end.runs) } : {}),
})

type Day = Extract<Schedule, { frequency: 'monthly' }>['day']
const dayValues = (day: Day): Partial<ScheduleValues> => ({
  dayKind: day.kind,
  ...(day.kind === 'day' ? { dayNumber: String(day.day) } : {}),
  ...(day.kind === 'weekday' ? { dayWeek: day.week, dayWeekday: day.weekday } : {}),
})

/** A schedule as fields hold it; those that it does not need have what a new one would begin with. */
export function scheduleValues(schedule: Schedule): ScheduleValues {
  const values = { ...blank(), frequency: schedule.frequency }
  if (schedule.frequency === 'manual') return values
  const { startDate, startTime, timeZone, timeoutMs } = schedule
  const hours = timeoutMs === null ? 0 : Math.floor(timeoutMs / hourMs)
  return {
    ...values,
    startDate,
    startTime,
    timeZone,
    timeoutHours: timeoutMs === null ? '' : String(hours),
    timeoutMinutes: timeoutMs === null ? '' : String((timeoutMs - hours * hourMs) / minuteMs),
    ...('interval' in schedule ? { interval: String(schedule.interval), ...endValues(schedule.end) } : {}),
    ...(schedule.frequency === 'weekly' ? { weekdays: schedule.weekdays } : {}),
    ...(schedule.frequency === 'monthly' ? dayValues(schedule.day) : {}),
  }
}

/** Hours and minutes together; null for two empty fields, text when one is no number. */
function timeoutOf({ timeoutHours, timeoutMinutes }: ScanForm): number | null {
  if (timeoutHours.trim() === '' && timeoutMinutes.trim() === '') return null
  const [hours, minutes] = [timeoutHours, timeoutMinutes].map((text) => numeric(text.trim() || '0'))
  return typeof hours === 'number' && typeof minutes === 'number'
    ? hours * hourMs + minutes * minuteMs
    : (timeoutHours as unknown as number)
}

function endOf({ endKind, endDate, endRuns }: ScanForm): End {
  if (endKind === 'on') return { kind: 'on', date: endDate }
  return endKind === 'after' ? { kind: 'after', runs: numeric(endRuns) } : { kind: 'never' }
}

function dayOf({ dayKind, dayNumber, dayWeek, dayWeekday }: ScanForm): Day {
  if (dayKind === 'day') return { kind: 'day', day: numeric(dayNumber) }
  return dayKind === 'weekday' ? { kind: 'weekday', week: dayWeek, weekday: dayWeekday } : { kind: dayKind }
}

/** The schedule that the fields mean. */
export function scheduleOf(form: ScanForm): z.input<typeof Schedule> {
  const { frequency, startDate, startTime, timeZone } = form
  if (frequency === 'manual') return { frequency }
  const start = { startDate, startTime, timeZone, timeoutMs: timeoutOf(form) }
  if (frequency === 'once') return { frequency, ...start }
  const again = { interval: numeric(form.interval), end: endOf(form) }
  return frequency === 'weekly'
    ? { frequency, ...start, ...again, weekdays: form.weekdays }
    : { frequency, ...start, ...again, day: dayOf(form) }
}
