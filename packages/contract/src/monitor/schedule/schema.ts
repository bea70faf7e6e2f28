import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'
import { Instant, Milliseconds } from '../../kit/time.ts'

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export const Weekday = z.enum(weekdays)
export const weeksOfMonth = ['first', 'second', 'third', 'fourth', 'last'] as const

/** A day of our time: far ones would lead to moments that nothing can show. */
const day = z.iso.date().check(z.regex(/^2[01]\d\d-/))

const end = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('never') }),
  /** The last day on which a run may start, in the schedule's zone. */
  z.strictObject({ kind: z.literal('on'), date: day }),
  z.strictObject({ kind: z.literal('after'), runs: z.int().check(z.minimum(1), z.maximum(10_000)) }),
])

/** `day` 29 to 31 is the last day of a month that has no such day. */
const dayOfMonth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('first') }),
  z.strictObject({ kind: z.literal('last') }),
  z.strictObject({ kind: z.literal('day'), day: z.int().check(z.minimum(1), z.maximum(31)) }),
  z.strictObject({ kind: z.literal('weekday'), week: z.enum(weeksOfMonth), weekday: Weekday }),
])

const start = {
  startDate: day,
  /** Hours and minutes in the zone. One that a change of clocks leaves out is the moment an hour later; one that comes twice is the first. */
  startTime: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** IANA name. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(100)),
  /** A run that takes longer is ended; null leaves it to the scan. */
  timeoutMs: z._default(z.nullable(Milliseconds.check(z.minimum(60_000))), null),
}

/** When a scan runs by itself. */
export const Schedule = z.discriminatedUnion('frequency', [
  z.strictObject({ frequency: z.literal('manual') }),
  z.strictObject({ frequency: z.literal('once'), ...start }),
  z.strictObject({
    frequency: z.literal('weekly'),
    ...start,
    interval: z._default(z.int().check(z.minimum(1), z.maximum(52)), 1),
    weekdays: z.array(Weekday).check(z.minLength(1), z.maxLength(7)),
    end: z._default(end, { kind: 'never' }),
  }),
  z.strictObject({
    frequency: z.literal('monthly'),
    ...start,
    interval: z._default(z.int().check(z.minimum(1), z.maximum(24)), 1),
    day: dayOfMonth,
    end: z._default(end, { kind: 'never' }),
  }),
])
export type Schedule = z.output<typeof Schedule>
export type Recurrence = Exclude<Schedule, { frequency: 'manual' }>

/** The next starts of a schedule, soonest first. */
export const SchedulePreview = z.object({
  /** Starts within the next three days. */
  next3Days: z.array(Instant),
  /** The next starts, whenever they are: as many as were asked for. */
  next: z.array(Instant),
  /** Starts left by an "after N runs" end; null without one. */
  left: z.nullable(Count),
})
