import type { FieldError } from '../../kit/problem.ts'
import type { Schedule } from './schema.ts'

/** Whether a name is one of an IANA time zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  try {
    // Offsets such as `+02:00` are taken as well, but they have no change of clocks: not what is meant.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** The calendar day in a zone, `2026-03-29`. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

/**
 * What is wrong with a schedule beyond what its schema sees. Only a new or changed one must lie ahead:
 * `previous` is what is stored.
 */
export function scheduleErrors(
  path: string,
  schedule: Schedule,
  now: Date,
  previous: Schedule | null = null,
): FieldError[] {
  if (schedule.frequency === 'manual') return []
  if (!isTimeZone(schedule.timeZone))
    return [{ path: `${path}.timeZone`, code: 'unknown-value', params: { value: schedule.timeZone } }]
  const errors: FieldError[] = []
  const today = dayIn(schedule.timeZone, now)
  const before = previous && previous.frequency !== 'manual' ? previous : null
  if (schedule.startDate < today && before?.startDate !== schedule.startDate)
    errors.push({ path: `${path}.startDate`, code: 'in-past', params: {} })
  if (schedule.frequency === 'once') return errors
  const { end } = schedule
  if (end.kind !== 'on') return errors
  const same = before && 'end' in before && before.end.kind === 'on' && before.end.date === end.date
  if (end.date < today && !same) errors.push({ path: `${path}.end.date`, code: 'in-past', params: {} })
  else if (end.date < schedule.startDate)
    errors.push({ path: `${path}.end.date`, code: 'too-small', params: {} })
  return errors
}
