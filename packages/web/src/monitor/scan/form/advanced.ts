import type { AdvancedSetting, SettingRow } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AdvancedSettings, settingRows, timeUnits } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import * as z from 'zod/mini'
import type { AdvancedValues, ScanForm } from './values.ts'
import { lines, numericOrNull, scaled } from './values.ts'

const keywords = ['mustHaveAll', 'mustHaveAny', 'mustNotHaveAny'] as const
const mapped = <K extends string, T>(keys: readonly K[], value: (key: K) => T) =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, T>

type Kind = Exclude<SettingRow['kind'], 'special'>
type Codec = {
  /** What a field shows of what is stored. */
  show: (stored: unknown, row: SettingRow) => unknown
  /** What a field's value means. */
  read: (value: never, row: SettingRow) => unknown
}
const sizeOf = ({ unit = 'ms' }: SettingRow) => timeUnits[unit]
const number: Codec = {
  show: (stored, row) => (stored === null ? '' : String(Number(stored) / sizeOf(row))),
  read: (value: string, row) => scaled(value, sizeOf(row)),
}
const list: Codec = {
  show: (stored) => (stored as string[]).join('\n'),
  read: (value: string) => lines(value),
}
const text: Codec = { show: (stored) => stored ?? '', read: (value: string) => value.trim() || null }

/** How each kind of setting goes into its field, and comes back. */
const codecs: Record<Kind, Codec> = {
  flag: { show: (stored) => stored, read: (value: boolean) => value },
  number,
  'number-or-none': {
    ...number,
    read: (value: string, row) => (numericOrNull(value) === null ? null : scaled(value, sizeOf(row))),
  },
  text,
  date: text,
  lines: list,
  selectors: list,
}
const codecOf = ({ kind }: SettingRow): Codec | null => (kind === 'special' ? null : codecs[kind])

/** Advanced settings as fields hold them. */
export function advancedValues(stored: AdvancedSettings = z.parse(AdvancedSettings, {})): AdvancedValues {
  const plain = settingRows.flatMap(([name, row]) => {
    const codec = codecOf(row)
    return codec ? [[name, codec.show(stored[name], row)] as const] : []
  })
  return {
    ...Object.fromEntries(plain),
    ...mapped(keywords, (key) => stored.keywordRules[key].join('\n')),
    extraHeaders: stored.extraHeaders.map(({ name }) => ({ name, value: '', stored: true })),
    testPages: stored.mimeTypes.includes('text/html'),
    testPdfs: stored.mimeTypes.includes('application/pdf'),
  } as AdvancedValues
}

/** The advanced settings that the fields mean. */
export function advancedOf(form: ScanForm): z.input<typeof AdvancedSettings> {
  const plain = settingRows.flatMap(([name, row]): [AdvancedSetting, unknown][] => {
    const codec = codecOf(row)
    return codec ? [[name, codec.read(form[name as keyof ScanForm] as never, row)]] : []
  })
  return {
    ...Object.fromEntries(plain),
    keywordRules: mapped(keywords, (key) => lines(form[key])),
    extraHeaders: form.extraHeaders.map(({ name, value }) => ({ name: name.trim(), value: value || null })),
    mimeTypes: [
      ...(form.testPages ? (['text/html'] as const) : []),
      ...(form.testPdfs ? (['application/pdf'] as const) : []),
    ],
  }
}
