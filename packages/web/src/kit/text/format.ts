import { toScorePoints } from '@clearway/contract/kit/score.ts'
import { useLingui } from '@lingui/react'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type AgeUnit = 'minute' | 'hour' | 'day'
/** Units from coarse to fine. Ages use the coarsest unit that fits, to stay short. */
const ageUnits: readonly (readonly [AgeUnit, number])[] = [
  ['day', dayMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
]

const byteUnits = [
  ['gigabyte', 2 ** 30],
  ['megabyte', 2 ** 20],
  ['kilobyte', 2 ** 10],
] as const

/** Creates the formatter on first use: creation costs more than a hundred uses, and no screen needs all of them. */
function memoizeOnce<T>(create: () => T): () => T {
  let cachedValue: T | undefined
  return () => (cachedValue ??= create())
}

/** Returns a function that formats an instant. A line never breaks before “AM”. */
function createTimeFormat(locale: string, options: Intl.DateTimeFormatOptions): (instant: string) => string {
  const getFormat = memoizeOnce(() => new Intl.DateTimeFormat(locale, options))
  return (instant) =>
    getFormat()
      .format(new Date(instant))
      .replace(/ (?=[AP]M$)/, '\u00a0')
}

const isSameDay = (instant: string): boolean => new Date(instant).toDateString() === new Date().toDateString()
const isSameYear = (instant: string): boolean => new Date(instant).getFullYear() === new Date().getFullYear()

/** Formats for numbers, times and lists in the user's language. Times are in the user's time zone. */
export function createFormats(locale: string) {
  const getNumberFormat = (options?: Intl.NumberFormatOptions) => memoizeOnce(() => new Intl.NumberFormat(locale, options))
  const createTimeFormatter = (options: Intl.DateTimeFormatOptions) => createTimeFormat(locale, options)
  const getDefaultFormat = getNumberFormat()
  const getPercentFormat = getNumberFormat({ style: 'percent' })
  const getSignedFormat = getNumberFormat({ signDisplay: 'exceptZero' })
  // Cached because creating a format costs more than the rest of a cell, and a list has hundreds.
  const unitFormats = new Map<string, Intl.NumberFormat>()
  const formatUnit = (value: number, unitName: string) => {
    const unitFormat =
      unitFormats.get(unitName) ?? new Intl.NumberFormat(locale, { style: 'unit', unit: unitName, unitDisplay: 'short' })
    unitFormats.set(unitName, unitFormat)
    return unitFormat.format(value)
  }
  const formatTime = createTimeFormatter({ timeStyle: 'short' })
  const formatDate = createTimeFormatter({ dateStyle: 'medium' })
  const formatShortDate = createTimeFormatter({ day: 'numeric', month: 'short' })
  const formatMonth = createTimeFormatter({ month: 'short', year: 'numeric' })
  const getDayFormat = memoizeOnce(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const getListFormat = memoizeOnce(() => new Intl.ListFormat(locale))
  const formatRecentDay = (instant: string) =>
    isSameDay(instant) ? getDayFormat().format(0, 'day') : isSameYear(instant) ? formatShortDate(instant) : formatDate(instant)
  return {
    formatNumber: (n: number) => getDefaultFormat().format(n),
    /** Formats a fraction of 1 as whole percent. */
    formatPercent: (fraction: number) => getPercentFormat().format(fraction),
    /** +4, −5, 0. */
    formatSigned: (n: number) => getSignedFormat().format(n).replace('-', '−'),
    formatDateTime: createTimeFormatter({ dateStyle: 'medium', timeStyle: 'short' }),
    /** Formats a moment briefly for a list: "today 5:22 AM", "Mar 18", "Mar 18, 2025". The full date belongs in a tip. */
    formatRecent: (instant: string) =>
      isSameDay(instant) ? `${formatRecentDay(instant)} ${formatTime(instant)}` : formatRecentDay(instant),
    formatTime,
    /** Formats a day briefly as a heading of a list: "today", "Mar 18", "Mar 18, 2025". */
    formatRecentDay,
    formatExactTime: createTimeFormatter({ dateStyle: 'medium', timeStyle: 'medium' }),
    formatDate,
    /** Formats a calendar date like 2026-03-18, which has no time zone. */
    formatDay: createTimeFormatter({ dateStyle: 'medium', timeZone: 'UTC' }),
    formatShortDate,
    formatMonth,
    formatList: (items: readonly string[]) => getListFormat().format(items),
    /** Formats bytes in the largest unit with a value of at least 1: "61 GB", "20 kB". */
    formatBytes: (byteCount: number) => {
      const [unitName, unitSize] = byteUnits.find(([, minBytes]) => byteCount >= minBytes) ?? ['byte', 1]
      return formatUnit(Math.round(byteCount / unitSize), unitName)
    },
    /** Formats milliseconds: "42 min", "1 hr 5 min", "3 sec". */
    formatDuration: (ms: number) => {
      if (ms < 10_000) return formatUnit(Math.round(ms / 100) / 10, 'second')
      if (ms < minuteMs) return formatUnit(Math.round(ms / 1000), 'second')
      const totalMinutes = Math.round(ms / minuteMs)
      if (totalMinutes < 60) return formatUnit(totalMinutes, 'minute')
      const remainingMinutes = totalMinutes % 60
      return remainingMinutes === 0
        ? formatUnit(totalMinutes / 60, 'hour')
        : `${formatUnit(Math.floor(totalMinutes / 60), 'hour')} ${formatUnit(remainingMinutes, 'minute')}`
    },
    /** Formats the time since an instant in the coarsest unit that fits: "2 hr", "7 days". */
    formatAge: (instant: string, nowMs = Date.now()) => {
      const elapsedMs = Math.max(minuteMs, nowMs - Date.parse(instant))
      const [unitName, unitMs] = ageUnits.find(([, unitLength]) => elapsedMs >= unitLength) ?? ['minute', minuteMs]
      return formatUnit(Math.floor(elapsedMs / unitMs), unitName)
    },
  }
}
export type Formats = ReturnType<typeof createFormats>

const formatsByLocale = new Map<string, Formats>()
/** Returns the formats of the current language. */
export function useFormats(): Formats {
  const { i18n } = useLingui()
  let localeFormats = formatsByLocale.get(i18n.locale)
  if (!localeFormats) formatsByLocale.set(i18n.locale, (localeFormats = createFormats(i18n.locale)))
  return localeFormats
}

/** Returns the difference of two displayed scores, so that all screens agree. */
const computePointChange = (currentScore: number, previousScore: number): number =>
  toScorePoints(currentScore) - toScorePoints(previousScore)

/**
 * Splits the displayed change of a score into the part of the site and the part of decisions, such as ignored issues. Both
 * add up to the difference of the displayed scores.
 * @param change the unrounded parts
 */
export function splitPointChange(
  currentScore: number,
  change: { score: number; byDecisions: number },
): { bySite: number; byDecisions: number } {
  // Scores have four decimals; floating-point differences have more.
  const roundToDecimals = (score: number) => Number(score.toFixed(4))
  const decidedScore = roundToDecimals(currentScore - change.score)
  const previousScore = roundToDecimals(currentScore - change.score - change.byDecisions)
  return {
    bySite: computePointChange(currentScore, decidedScore),
    byDecisions: computePointChange(decidedScore, previousScore),
  }
}
