import { useLingui } from '@lingui/react'
import { weekdays } from '@clearway/contract/monitor/schedule/schema.ts'

/** Weekdays from Monday in the user's language. */
export function useDayNames(): { day: (typeof weekdays)[number]; name: string }[] {
  const { i18n } = useLingui()
  const weekdayFormat = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'UTC' })
  // January 1, 2024 was a Monday.
  return weekdays.map((day, dayIndex) => ({ day, name: weekdayFormat.format(Date.UTC(2024, 0, 1 + dayIndex)) }))
}
