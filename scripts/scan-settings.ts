import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AdvancedSettings,
  type SettingRow,
  settingRows,
  timeUnits,
} from '../packages/contract/src/monitor/scan/advanced/schema.ts'
import { scanSettingRows } from '../packages/contract/src/monitor/scan/schema.ts'

const formatValue = (value: unknown): string =>
  value === null || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${JSON.stringify(value)}\``

/** Formats the range of a value, in a body and in the unit of the form. */
function formatRange({ min, max, unit }: SettingRow): string {
  if (min === undefined || max === undefined) return ''
  const size = timeUnits[unit ?? 'ms']
  return `${min} to ${max}${size === 1 ? '' : ` (${min / size} to ${Math.floor(max / size)} ${unit})`}`
}

const engine = join(import.meta.dirname, '../packages/engine/src')
const tests = readdirSync(engine, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(engine, file), 'utf8') }))

/** Returns the engine's test file that names a setting in a title, else the first that mentions it; null for none. */
export function findTestOfSetting(name: string): string | null {
  const titlePattern = new RegExp(`\\b(?:test|it|describe)(?:\\.\\w+)*\\(['"\`]${name}\\b`)
  const namePattern = new RegExp(`\\b${name}\\b`)
  const matchingTest = tests.find(({ text }) => titlePattern.test(text)) ?? tests.find(({ text }) => namePattern.test(text))
  return matchingTest ? `packages/engine/src/${matchingTest.file}` : null
}

/** Builds the documentation page of a scan's settings. */
export function buildScanSettingsTable(): string {
  // A setting with nested settings has nested defaults.
  const isSimple = (value: unknown) => value === null || typeof value !== 'object' || Array.isArray(value)
  const formatDefault = (schema: (typeof scanSettingRows)[number][1]['schema']): string => {
    const initial = schema.safeParse(undefined)
    if (!initial.success) return 'required'
    const value = initial.data ?? null
    return isSimple(value) ? formatValue(value) : ''
  }
  const ownRows = scanSettingRows.map(([name, { about, schema }]) => `| \`${name}\` | ${about} | ${formatDefault(schema)} |`)
  const initial = AdvancedSettings.parse({})
  const tableRows = settingRows.map(
    ([name, row]) =>
      `| \`advanced.${name}\` | ${row.about} | ${formatValue(initial[name])} | ${formatRange(row)} | ${row.option ? `\`--${row.option}\`` : ''} | [${findTestOfSetting(name)?.split('/').at(-1)}](../../${findTestOfSetting(name)}) |`,
  )
  return [
    '# Settings of a scan',
    '',
    'Of `POST /scans` and `PUT /scans/{id}`. A body may omit every setting that is not required.',
    '',
    '| Setting | What it is | Default |',
    '| --- | --- | --- |',
    ...ownRows,
    '',
    '## Advanced settings',
    '',
    'A preset sets all of them together.',
    '',
    '| Setting | What it does | Default | Range | `clearway scan` | Shown by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...tableRows,
    '',
  ].join('\n')
}
