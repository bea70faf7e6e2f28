import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export const Weekday = z.enum(weekdays)
export const weeksOfMonth = ['first', 'second', 'third', 'fourth', 'last'] as const

/** A day in a plausible range: far dates would lead to times that cannot be displayed. */
const daySchema = z.iso.date().check(z.regex(/^2[01]\d\d-/))

const endSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  /** Last day on which a run may start, in the schedule's zone. */
  z.strictObject({ kind: z.literal('on'), date: daySchema }),
  z.strictObject({ kind: z.literal('after'), runs: z.int().check(z.minimum(1), z.maximum(10_000)) }),
])

/** `day` 29 to 31 means the last day in shorter months. */
const dayOfMonthSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('first') }),
  z.strictObject({ kind: z.literal('last') }),
  z.strictObject({ kind: z.literal('day'), day: z.int().check(z.minimum(1), z.maximum(31)) }),
  z.strictObject({ kind: z.literal('weekday'), week: z.enum(weeksOfMonth), weekday: Weekday }),
])

const startFields = {
  startDate: daySchema,
  /** Hours and minutes in the zone. A time skipped by daylight saving is moved an hour later; an ambiguous one is the first. */
  startTime: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** IANA name. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Longer runs are stopped; null uses the scan's limit. */
  timeoutMs: z._default(z.nullable(Milliseconds.check(z.minimum(60_000))), null),
}

export const Schedule = z.discriminatedUnion('frequency', [
  z.strictObject({ frequency: z.literal('manual') }),
  z.strictObject({ frequency: z.literal('once'), ...startFields }),
  z.strictObject({
    frequency: z.literal('weekly'),
    ...startFields,
    interval: z._default(z.int().check(z.minimum(1), z.maximum(52)), 1),
    weekdays: z.array(Weekday).check(z.minLength(1), z.maxLength(7)),
    end: z._default(endSchema, { kind: 'never' }),
  }),
  z.strictObject({
    frequency: z.literal('monthly'),
    ...startFields,
    interval: z._default(z.int().check(z.minimum(1), z.maximum(24)), 1),
    day: dayOfMonthSchema,
    end: z._default(endSchema, { kind: 'never' }),
  }),
])
export type Schedule = z.output<typeof Schedule>
export type Recurrence = Exclude<Schedule, { frequency: 'manual' }>

export const SchedulePreview = z.object({
  next3Days: z.array(Instant),
  next: z.array(Instant),
  /** Remaining starts of an "after N runs" end; null without one. */
  left: z.nullable(Count),
})
