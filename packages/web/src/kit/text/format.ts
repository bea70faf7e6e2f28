import { useLingui } from '@lingui/react'

const minute = 60_000
const day = 24 * 60 * minute

type Unit = 'minute' | 'hour' | 'day'
/** The coarsest unit that fits, so that an age stays one short word. */
const ageUnits: readonly (readonly [Unit, number])[] = [
  ['day', day],
  ['hour', 60 * minute],
  ['minute', minute],
]

const byteUnits = [
  ['gigabyte', 2 ** 30],
  ['megabyte', 2 ** 20],
  ['kilobyte', 2 ** 10],
] as const

/** Made when it is first asked for: that takes longer than a hundred uses, and no screen writes everything. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Numbers, times and lists as the reader's language writes them. Times are shown in the reader's own zone. */
export function formatsFor(locale: string) {
  const numberOf = (options?: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options))
  const timeOf = (options: Intl.DateTimeFormatOptions) => {
    const format = once(() => new Intl.DateTimeFormat(locale, options))
    return (instant: string) => format().format(new Date(instant))
  }
  const number = numberOf()
  const percent = numberOf({ style: 'percent' })
  const signed = numberOf({ signDisplay: 'exceptZero' })
  // Making one takes longer than all else in a cell, and a list writes hundreds.
  const units = new Map<string, Intl.NumberFormat>()
  const unit = (value: number, name: string) => {
    const format =
      units.get(name) ?? new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' })
    units.set(name, format)
    return format.format(value)
  }
  const joined = once(() => new Intl.ListFormat(locale))
  return {
    number: (n: number) => number().format(n),
    /** A part of 1 as whole percent. */
    percent: (part: number) => percent().format(part),
    /** +4, −5, 0. */
    signed: (n: number) => signed().format(n).replace('-', '−'),
    dateTime: timeOf({ dateStyle: 'medium', timeStyle: 'short' }),
    date: timeOf({ dateStyle: 'medium' }),
    shortDate: timeOf({ day: 'numeric', month: 'short' }),
    list: (items: readonly string[]) => joined().format(items),
    /** In the largest unit of which there is at least one: "61 GB", "20 kB". */
    bytes: (n: number) => {
      const [name, size] = byteUnits.find(([, least]) => n >= least) ?? ['byte', 1]
      return unit(Math.round(n / size), name)
    },
    /** "42 min", "1 hr 5 min", "3 sec". Takes milliseconds. */
    duration: (ms: number) => {
      if (ms < 10_000) return unit(Math.round(ms / 100) / 10, 'second')
      if (ms < minute) return unit(Math.round(ms / 1000), 'second')
      const minutes = Math.round(ms / minute)
      if (minutes < 60) return unit(minutes, 'minute')
      const rest = minutes % 60
      return rest === 0
        ? unit(minutes / 60, 'hour')
        : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(rest, 'minute')}`
    },
    /** How long ago, in the coarsest unit that fits: "2 hr", "7 days". */
    age: (instant: string, now = Date.now()) => {
      const ms = Math.max(minute, now - Date.parse(instant))
      const [name, size] = ageUnits.find(([, length]) => ms >= length) ?? ['minute', minute]
      return unit(Math.floor(ms / size), name)
    },
  }
}
export type Formats = ReturnType<typeof formatsFor>

const made = new Map<string, Formats>()
/** The formats of the language in use. */
export function useFormats(): Formats {
  const { i18n } = useLingui()
  let formats = made.get(i18n.locale)
  if (!formats) made.set(i18n.locale, (formats = formatsFor(i18n.locale)))
  return formats
}

/** A score of 0–1 as the whole number that is shown: 100 only when nothing is lost. */
export const scorePoints = (score: number): number =>
  score === 1 ? 100 : Math.min(99, Math.round(score * 100))

/** What a score moved by: the difference of the two that are shown, so that no screen says another one. */
export const pointsMoved = (now: number, before: number): number => scorePoints(now) - scorePoints(before)
