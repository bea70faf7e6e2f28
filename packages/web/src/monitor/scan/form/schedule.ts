import { getDayInZone } from '@clearway/contract/monitor/schedule/model.ts'
import type { Schedule } from '@clearway/contract/monitor/schedule/schema.ts'
import type * as z from 'zod/mini'
import type { ScanForm, ScheduleValues } from './values.ts'
import { parseNumber } from './values.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const getOwnTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const createBlankSchedule = (): ScheduleValues => {
  const ownTimeZone = getOwnTimeZone()
  return {
    frequency: 'manual',
    startDate: getDayInZone(ownTimeZone, new Date(Date.now() + 24 * hourMs)),
    startTime: '02:00',
    timeZone: ownTimeZone,
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

type ScheduleEnd = Extract<Schedule, { frequency: 'weekly' }>['end']
const toEndValues = (scheduleEnd: ScheduleEnd): Partial<ScheduleValues> => ({
  endKind: scheduleEnd.kind,
  ...(scheduleEnd.kind === 'on' ? { endDate: scheduleEnd.date } : {}),
  ...(scheduleEnd.kind === 'after' ? { endRuns: String(scheduleEnd.runs) } : {}),
})

type ScheduleDay = Extract<Schedule, { frequency: 'monthly' }>['day']
const toDayValues = (scheduleDay: ScheduleDay): Partial<ScheduleValues> => ({
  dayKind: scheduleDay.kind,
  ...(scheduleDay.kind === 'day' ? { dayNumber: String(scheduleDay.day) } : {}),
  ...(scheduleDay.kind === 'weekday' ? { dayWeek: scheduleDay.week, dayWeekday: scheduleDay.weekday } : {}),
})

/** Converts a schedule to field values. Unused fields get the defaults of a new schedule. */
export function toScheduleValues(schedule: Schedule): ScheduleValues {
  const fieldValues = { ...createBlankSchedule(), frequency: schedule.frequency }
  if (schedule.frequency === 'manual') return fieldValues
  const { startDate, startTime, timeZone, timeoutMs } = schedule
  const timeoutHours = timeoutMs === null ? 0 : Math.floor(timeoutMs / hourMs)
  return {
    ...fieldValues,
    startDate,
    startTime,
    timeZone,
    timeoutHours: timeoutMs === null ? '' : String(timeoutHours),
    timeoutMinutes: timeoutMs === null ? '' : String((timeoutMs - timeoutHours * hourMs) / minuteMs),
    ...('interval' in schedule ? { interval: String(schedule.interval), ...toEndValues(schedule.end) } : {}),
    ...(schedule.frequency === 'weekly' ? { weekdays: schedule.weekdays } : {}),
    ...(schedule.frequency === 'monthly' ? toDayValues(schedule.day) : {}),
  }
}

/**
 * Combines hours and minutes to milliseconds. Returns null for two empty fields and the text if a value is not a
 * number.
 */
function toTimeoutMs({ timeoutHours, timeoutMinutes }: ScanForm): number | null {
  if (timeoutHours.trim() === '' && timeoutMinutes.trim() === '') return null
  const [typedHours, typedMinutes] = [timeoutHours, timeoutMinutes].map((fieldText) =>
    parseNumber(fieldText.trim() || '0'),
  )
  return typeof typedHours === 'number' && typeof typedMinutes === 'number'
    ? typedHours * hourMs + typedMinutes * minuteMs
    : (timeoutHours as unknown as number)
}

function toScheduleEnd({ endKind, endDate, endRuns }: ScanForm): ScheduleEnd {
  if (endKind === 'on') return { kind: 'on', date: endDate }
  return endKind === 'after' ? { kind: 'after', runs: parseNumber(endRuns) } : { kind: 'never' }
}

function toScheduleDay({ dayKind, dayNumber, dayWeek, dayWeekday }: ScanForm): ScheduleDay {
  if (dayKind === 'day') return { kind: 'day', day: parseNumber(dayNumber) }
  return dayKind === 'weekday' ? { kind: 'weekday', week: dayWeek, weekday: dayWeekday } : { kind: dayKind }
}

/** Converts the fields to a schedule. */
export function toSchedule(formValues: ScanForm): z.input<typeof Schedule> {
  const { frequency, startDate, startTime, timeZone } = formValues
  if (frequency === 'manual') return { frequency }
  const startFields = { startDate, startTime, timeZone, timeoutMs: toTimeoutMs(formValues) }
  if (frequency === 'once') return { frequency, ...startFields }
  const repeatFields = { interval: parseNumber(formValues.interval), end: toScheduleEnd(formValues) }
  return frequency === 'weekly'
    ? { frequency, ...startFields, ...repeatFields, weekdays: formValues.weekdays }
    : { frequency, ...startFields, ...repeatFields, day: toScheduleDay(formValues) }
}
