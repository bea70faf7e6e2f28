import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  AdvancedSettings,
  type SettingRow,
  settingRows,
  timeUnits,
} from '../packages/contract/src/monitor/scan/advanced/schema.ts'
import { scanSettingRows } from '../packages/contract/src/monitor/scan/schema.ts'

const shown = (value: unknown): string =>
  value === null || (Array.isArray(value) && value.length === 0) ? 'none' : `\`${JSON.stringify(value)}\``

/** From the smallest to the largest value, in a body and in the unit of the form. */
function range({ min, max, unit }: SettingRow): string {
  if (min === undefined || max === undefined) return ''
  const size = timeUnits[unit ?? 'ms']
  return `${min} to ${max}${size === 1 ? '' : ` (${min / size} to ${Math.floor(max / size)} ${unit})`}`
}

const engine = join(import.meta.dirname, '../packages/engine/src')
const tests = readdirSync(engine, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .sort()
  .map((file) => ({ file, text: readFileSync(join(engine, file), 'utf8') }))

/** The test file of the engine that names a setting in a title, else the first that sets it; null for none. */
export function testOfSetting(name: string): string | null {
  const titled = new RegExp(`\\b(?:test|it|describe)(?:\\.\\w+)*\\(['"\`]${name}\\b`)
  const sets = new RegExp(`\\b${name}\\b`)
  const found = tests.find(({ text }) => titled.test(text)) ?? tests.find(({ text }) => sets.test(text))
  return found ? `packages/engine/src/${found.file}` : null
}

/** The settings of a scan, as a page of documentation. */
export function scanSettingsTable(): string {
  // What has settings of its own has defaults of its own.
  const simple = (value: unknown) => value === null || typeof value !== 'object' || Array.isArray(value)
  const initialOf = (schema: (typeof scanSettingRows)[number][1]['schema']): string => {
    const initial = schema.safeParse(undefined)
    if (!initial.success) return 'required'
    const value = initial.data ?? null
    return simple(value) ? shown(value) : ''
  }
  const own = scanSettingRows.map(
    ([name, { about, schema }]) => `| \`${name}\` | ${about} | ${initialOf(schema)} |`,
  )
  const initial = AdvancedSettings.parse({})
  const rows = settingRows.map(
    ([name, row]) =>
      `| \`advanced.${name}\` | ${row.about} | ${shown(initial[name])} | ${range(row)} | ${row.option ? `\`--${row.option}\`` : ''} | [${testOfSetting(name)?.split('/').at(-1)}](../../${testOfSetting(name)}) |`,
  )
  return [
    '# Settings of a scan',
    '',
    'Of `POST /scans` and `PUT /scans/{id}`. A body may omit every setting that is not required.',
    '',
    '| Setting | What it is | Default |',
    '| --- | --- | --- |',
    ...own,
    '',
    '## Advanced settings',
    '',
    'A preset sets all of them together.',
    '',
    '| Setting | What it does | Default | Range | `clearway scan` | Shown by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}
