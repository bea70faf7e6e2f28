import { useLingui } from '@lingui/react'
import { weekdays } from '@clearway/contract/monitor/schedule/schema.ts'

/** The days of a week from Monday, as the reader's language calls them. */
export function useDayNames(): { day: (typeof weekdays)[number]; name: string }[] {
  const { i18n } = useLingui()
  const format = new Intl.DateTimeFormat(i18n.locale, { weekday: 'long', timeZone: 'UTC' })
  // The 1st of January 2024 was a Monday.
  return weekdays.map((day, i) => ({ day, name: format.format(Date.UTC(2024, 0, 1 + i)) }))
}
