import type { AllowOverride, PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type * as z from 'zod/mini'
import type { Settings } from '../../scan/form/model.ts'
import { newValues, settingsOf, valuesOf } from '../../scan/form/model.ts'
import { fieldOf } from '../../scan/form/paths.ts'
import { partFields } from '../../scan/form/preset-lock.tsx'
import type { ScanForm } from '../../scan/form/values.ts'

/** What a preset says about a yes or no: nothing, or one of them. */
export type Tri = 'free' | 'yes' | 'no'
/** Parts that a preset decides as a whole, or leaves to each scan. */
export const presetSwitches = ['ruleSet', 'urlScope', 'scanScope', 'advanced'] as const
export type PresetSwitch = (typeof presetSwitches)[number]
/** What a preset decides at all, beside the values themselves, which are in the form of a scan. */
export type PresetChoices = {
  shareLink: Tri
  sendToReports: Tri
  says: Readonly<Record<PresetSwitch, boolean>>
  allow: AllowOverride
}

const triOf = (value: boolean | null): Tri => (value === null ? 'free' : value ? 'yes' : 'no')
const boolOf = (tri: Tri): boolean | null => (tri === 'free' ? null : tri === 'yes')
/** Start URLs are each scan's own; the form of a scan wants one all the same. */
const anyUrl = 'https://preset.example/'

export const emptyChoices: PresetChoices = {
  shareLink: 'free',
  sendToReports: 'free',
  says: { ruleSet: false, urlScope: false, scanScope: false, advanced: false },
  allow: { shareLink: false, sendToReports: false, ruleSet: false, urlScope: false, scanScope: false },
}

export const choicesOf = (preset: PresetSettings): PresetChoices => ({
  shareLink: triOf(preset.shareLink),
  sendToReports: triOf(preset.sendToReports),
  says: {
    ruleSet: preset.ruleSet !== null,
    urlScope: preset.urlScope !== null,
    scanScope: preset.scanScope !== null,
    advanced: preset.advanced !== null,
  },
  allow: preset.allowOverride,
})

/** A form of a scan's settings with the values of a preset; null for a new one. */
export function presetForm(preset: PresetSettings | null): ScanForm {
  const values = newValues(anyUrl)
  if (!preset) return { ...values, name: '' }
  const { name, ruleSet, urlScope, scanScope, commonComponents, advanced } = preset
  const settings = settingsOf(values, null) as Settings
  return valuesOf({
    ...settings,
    ...urlScope,
    ...scanScope,
    name,
    ...(ruleSet && { ruleSet }),
    ...(advanced && { advanced }),
    commonComponents,
  })
}

/** The preset that form and choices mean, as the server takes it. */
export function presetOf(
  form: ScanForm,
  { shareLink, sendToReports, says, allow }: PresetChoices,
): PresetSettings {
  const settings = settingsOf(form, null) as z.output<typeof ScanSettings>
  const { ruleSet, domains, includeRules, excludeRules, sources, type, depth, pageLimit } = settings
  return {
    name: settings.name,
    shareLink: boolOf(shareLink),
    sendToReports: boolOf(sendToReports),
    ruleSet: says.ruleSet ? ruleSet : null,
    urlScope: says.urlScope ? { domains, includeRules, excludeRules, sources } : null,
    scanScope: says.scanScope ? { type, depth, pageLimit } : null,
    commonComponents: settings.commonComponents,
    advanced: says.advanced ? settings.advanced : null,
    allowOverride: allow,
  }
}

export const presetSteps = ['general', 'components', 'advanced', 'review'] as const
export type PresetStep = (typeof presetSteps)[number]

/** Where a part as a whole begins, and whether scan admins may override it. */
const wholeParts: Readonly<Record<string, string>> = {
  urlScope: 'domains',
  scanScope: 'type',
  allowOverride: 'shareLink',
  'allowOverride.ruleSet': 'standard',
  'allowOverride.urlScope': 'domains',
  'allowOverride.scanScope': 'type',
}

/** The field that a path into a preset belongs to: of a scan's form, or one of what the preset decides at all. */
export function presetFieldOf(path: string, values: ScanForm): string | null {
  const inner = path.replace(/^settings\./, '')
  const choice = /^(?:allowOverride\.)?(shareLink|sendToReports)/.exec(inner)?.[1]
  if (choice) return choice
  return wholeParts[inner] ?? fieldOf(inner.replace(/^(urlScope|scanScope)\./, ''), values)
}

/** The step in which a field of the form is; null for one whose part the preset leaves to each scan. */
export function stepOfField(field: string, { says }: PresetChoices): PresetStep | null {
  const [first = ''] = field.split('.')
  if (first === 'name' || first === 'shareLink' || first === 'sendToReports') return 'general'
  if (first === 'templateUrls' || first === 'components') return 'components'
  for (const part of ['ruleSet', 'urlScope', 'scanScope'] as const)
    if (partFields[part].includes(first as keyof ScanForm)) return says[part] ? 'general' : null
  return says.advanced ? 'advanced' : null
}
