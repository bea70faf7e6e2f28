import type { ChoiceEntry } from '../../../../kit/form/searched-choice.tsx'

/** Names that browsers still list, and their current ones. */
const currentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/**
 * Returns a name of a time zone on a day; empty for a zone that the browser does not know.
 * @param nameKind `shortOffset` for the difference to UTC, `longGeneric` for a name such as "Central European Time"
 */
function formatZoneName(timeZone: string, day: Date, nameKind: 'shortOffset' | 'longGeneric', locale: string): string {
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: nameKind }).formatToParts(day)
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return ''
  }
}

/** Describes a time zone: its city, its difference to UTC on a day, and its name in a language, as far as the browser knows them. */
export function describeTimeZone(timeZone: string, day: Date, locale: string): ChoiceEntry<string> {
  const details = [
    formatZoneName(timeZone, day, 'shortOffset', 'en').replace('GMT', 'UTC'),
    formatZoneName(timeZone, day, 'longGeneric', locale),
  ]
  const isUtc = timeZone === 'UTC'
  return {
    id: timeZone,
    name: timeZone.replaceAll('_', ' '),
    details: isUtc ? [] : details.filter(Boolean),
    searchWords: isUtc ? 'GMT' : `${timeZone} ${details[0]!.replace('UTC', 'GMT')}`,
  }
}

/**
 * Lists time zones by name.
 * @param storedZone kept under its name, even if the browser does not list it
 */
export function listTimeZones(storedZone: string, day: Date, locale: string): ChoiceEntry<string>[] {
  const supportedZones = Intl.supportedValuesOf('timeZone').map((name) => currentNames[name] ?? name)
  const names = [...new Set([storedZone, 'UTC', ...supportedZones])].filter((name) => name !== '')
  return names.toSorted((a, b) => a.localeCompare(b, 'en')).map((name) => describeTimeZone(name, day, locale))
}
