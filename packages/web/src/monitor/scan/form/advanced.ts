import type { AdvancedSetting, SettingRow } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import { AdvancedSettings, settingRows, timeUnits } from '@clearway/contract/monitor/scan/advanced/schema.ts'
import * as z from 'zod/mini'
import type { AdvancedValues, ScanForm } from './values.ts'
import { splitLines, parseNumberOrNull, parseScaled } from './values.ts'

const keywordFields = ['mustHaveAll', 'mustHaveAny', 'mustNotHaveAny'] as const
const mapKeys = <K extends string, T>(keys: readonly K[], getValue: (key: K) => T) =>
  Object.fromEntries(keys.map((key) => [key, getValue(key)])) as Record<K, T>

type PlainSettingKind = Exclude<SettingRow['kind'], 'special'>
type SettingCodec = {
  /** Converts a stored value to its field value. */
  toFieldValue: (stored: unknown, row: SettingRow) => unknown
  /** Converts a field value to its setting. */
  fromFieldValue: (value: never, row: SettingRow) => unknown
}
const getUnitSize = ({ unit = 'ms' }: SettingRow) => timeUnits[unit]
const numberCodec: SettingCodec = {
  toFieldValue: (stored, row) => (stored === null ? '' : String(Number(stored) / getUnitSize(row))),
  fromFieldValue: (value: string, row) => parseScaled(value, getUnitSize(row)),
}
const linesCodec: SettingCodec = {
  toFieldValue: (stored) => (stored as string[]).join('\n'),
  fromFieldValue: (value: string) => splitLines(value),
}
const textCodec: SettingCodec = {
  toFieldValue: (stored) => stored ?? '',
  fromFieldValue: (value: string) => value.trim() || null,
}

/** Conversion between setting and field value for each kind of setting. */
const codecsByKind: Record<PlainSettingKind, SettingCodec> = {
  flag: { toFieldValue: (stored) => stored, fromFieldValue: (value: boolean) => value },
  number: numberCodec,
  'number-or-none': {
    ...numberCodec,
    fromFieldValue: (value: string, row) =>
      parseNumberOrNull(value) === null ? null : parseScaled(value, getUnitSize(row)),
  },
  text: textCodec,
  date: textCodec,
  lines: linesCodec,
  selectors: linesCodec,
}
const findCodec = ({ kind }: SettingRow): SettingCodec | null =>
  kind === 'special' ? null : codecsByKind[kind]

/** Converts stored advanced settings to field values. */
export function toAdvancedValues(
  storedSettings: AdvancedSettings = z.parse(AdvancedSettings, {}),
): AdvancedValues {
  const plainEntries = settingRows.flatMap(([name, row]) => {
    const settingCodec = findCodec(row)
    return settingCodec ? [[name, settingCodec.toFieldValue(storedSettings[name], row)] as const] : []
  })
  return {
    ...Object.fromEntries(plainEntries),
    ...mapKeys(keywordFields, (key) => storedSettings.keywordRules[key].join('\n')),
    extraHeaders: storedSettings.extraHeaders.map(({ name }) => ({ name, value: '', stored: true })),
    testPages: storedSettings.mimeTypes.includes('text/html'),
    testPdfs: storedSettings.mimeTypes.includes('application/pdf'),
  } as AdvancedValues
}

/** Converts the fields to advanced settings. */
export function toAdvancedSettings(formValues: ScanForm): z.input<typeof AdvancedSettings> {
  const plainEntries = settingRows.flatMap(([name, row]): [AdvancedSetting, unknown][] => {
    const settingCodec = findCodec(row)
    return settingCodec
      ? [[name, settingCodec.fromFieldValue(formValues[name as keyof ScanForm] as never, row)]]
      : []
  })
  return {
    ...Object.fromEntries(plainEntries),
    keywordRules: mapKeys(keywordFields, (key) => splitLines(formValues[key])),
    extraHeaders: formValues.extraHeaders.map(({ name, value }) => ({
      name: name.trim(),
      value: value || null,
    })),
    mimeTypes: [
      ...(formValues.testPages ? (['text/html'] as const) : []),
      ...(formValues.testPdfs ? (['application/pdf'] as const) : []),
    ],
  }
}
