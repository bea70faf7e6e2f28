import {
  AdvancedSettings,
  type SettingRow,
  settingRows,
  timeUnits,
} from '../packages/contract/src/monitor/scan/advanced/schema.ts'

const shown = (value: unknown): string =>
  value === null || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${JSON.stringify(value)}\``

/** From the smallest to the largest value, in a body and in the unit of the form. */
function range({ min, max, unit }: SettingRow): string {
  if (min === undefined || max === undefined) return ''
  const size = timeUnits[unit ?? 'ms']
  return `${min} to ${max}${size === 1 ? '' : ` (${min / size} to ${Math.floor(max / size)} ${unit})`}`
}

/** The advanced settings of a scan, as a page of documentation. */
export function scanSettingsTable(): string {
  const initial = AdvancedSettings.parse({})
  const rows = settingRows.map(
    ([name, row]) =>
      `| \`advanced.${name}\` | ${row.about} | ${shown(initial[name])} | ${range(row)} | ${row.option ? `\`--${row.option}\`` : ''} |`,
  )
  return [
    '# Advanced settings of a scan',
    '',
    'Of `POST /scans` and `PUT /scans/{id}`. A body may leave any out. A preset decides all of them together.',
    '',
    '| Setting | What it does | Default | Range | `clearway scan` |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
