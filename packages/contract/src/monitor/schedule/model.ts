import type { FieldError } from '../../kit/problem.ts'
import { findDuplicateErrors } from '../scan/model.ts'
import type { Schedule } from './schema.ts'

/**
 * Returns true for an IANA time zone that this runtime supports, in the database's spelling. Intl ignores case, and accepts
 * offsets such as `+02:00`, which have no daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name) || /^[A-Z_]+\/[A-Z_]{4,}/.test(name)) return false
  try {
    const { timeZone: knownName } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // An alias is resolved to another name, whose case says nothing.
    return knownName === name || knownName.toLowerCase() !== name.toLowerCase()
  } catch {
    return false
  }
}

/** Returns the calendar day in a zone, such as `2026-03-29`. */
export const getDayInZone = (timeZone: string, instant: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)

/** Returns errors of a schedule beyond its schema. Only dates that differ from those in `previous` must be in the future. */
export function findScheduleErrors(
  path: string,
  schedule: Schedule,
  now: Date,
  previousSchedule: Schedule | null = null,
): FieldError[] {
  if (schedule.frequency === 'manual') return []
  const previousRecurrence = previousSchedule && previousSchedule.frequency !== 'manual' ? previousSchedule : null
  if (previousRecurrence?.timeZone !== schedule.timeZone && !isTimeZone(schedule.timeZone))
    return [{ path: `${path}.timeZone`, code: 'unknown-value', params: { value: schedule.timeZone } }]
  const fieldErrors: FieldError[] = 'weekdays' in schedule ? findDuplicateErrors(`${path}.weekdays`, schedule.weekdays) : []
  const currentDay = getDayInZone(schedule.timeZone, now)
  if (schedule.startDate < currentDay && previousRecurrence?.startDate !== schedule.startDate)
    fieldErrors.push({ path: `${path}.startDate`, code: 'in-past', params: {} })
  if (schedule.frequency === 'once') return fieldErrors
  const { end: scheduleEnd } = schedule
  if (scheduleEnd.kind !== 'on') return fieldErrors
  const isSameEnd =
    previousRecurrence &&
    'end' in previousRecurrence &&
    previousRecurrence.end.kind === 'on' &&
    previousRecurrence.end.date === scheduleEnd.date
  if (scheduleEnd.date < currentDay && !isSameEnd) fieldErrors.push({ path: `${path}.end.date`, code: 'in-past', params: {} })
  else if (scheduleEnd.date < schedule.startDate)
    fieldErrors.push({ path: `${path}.end.date`, code: 'too-small', params: { min: schedule.startDate } })
  return fieldErrors
}
