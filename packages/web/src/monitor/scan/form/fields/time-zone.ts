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

/** Difference of a time zone to UTC on a day, for example "UTC+5:30"; empty for a name that the browser does not know. */
function formatOffset(timeZone: string, day: Date): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(day)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return offset.replace('GMT', 'UTC')
  } catch {
    return ''
  }
}

/**
 * Options of a time zone, by name, each with its difference to UTC.
 * @param storedZone kept under its name, even if the browser does not list it
 */
export function listTimeZones(storedZone: string, day: Date): { value: string; label: string }[] {
  const supportedZones = Intl.supportedValuesOf('timeZone').map((name) => currentNames[name] ?? name)
  const names = [...new Set([storedZone, 'UTC', ...supportedZones])].filter((name) => name !== '')
  return names
    .toSorted((a, b) => a.localeCompare(b, 'en'))
    .map((value) => {
      const [label, offset] = [value.replaceAll('_', ' '), formatOffset(value, day)]
      return { value, label: offset === '' || value === 'UTC' ? label : `${label} (${offset})` }
    })
}
