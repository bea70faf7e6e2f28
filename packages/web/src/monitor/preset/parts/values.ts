import { type AllowOverride, type PresetSettings, ScanScope, UrlScope } from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type * as z from 'zod/mini'
import { type StoredScanSettings, createNewValues, toSentSettings, toFormValues } from '../../scan/form/model.ts'
import { findFormField, toSettingsPath } from '../../scan/form/field-table.ts'
import type { ScanForm } from '../../scan/form/values.ts'

/** Decision of a preset on a yes-or-no setting; `free` leaves it to each scan. */
export type TriState = 'free' | 'yes' | 'no'
/** Parts that a preset defines as a whole or leaves to each scan. */
export const presetSwitches = ['ruleSet', 'urlScope', 'scanScope', 'advanced'] as const
export type PresetSwitch = (typeof presetSwitches)[number]
/** Decisions of a preset in addition to the values in the scan form. */
export type PresetChoices = {
  shareLink: TriState
  sendToReports: TriState
  decidedParts: Readonly<Record<PresetSwitch, boolean>>
  allowOverride: AllowOverride
}

const toTriState = (value: boolean | null): TriState => (value === null ? 'free' : value ? 'yes' : 'no')
const fromTriState = (tri: TriState): boolean | null => (tri === 'free' ? null : tri === 'yes')
/** Presets have no start URLs, but the scan form requires one. */
const placeholderUrl = 'https://preset.example/'

export const emptyChoices: PresetChoices = {
  shareLink: 'free',
  sendToReports: 'free',
  decidedParts: { ruleSet: false, urlScope: false, scanScope: false, advanced: false },
  allowOverride: { shareLink: false, sendToReports: false, ruleSet: false, urlScope: false, scanScope: false },
}

export const toPresetChoices = (preset: PresetSettings): PresetChoices => ({
  shareLink: toTriState(preset.shareLink),
  sendToReports: toTriState(preset.sendToReports),
  decidedParts: {
    ruleSet: preset.ruleSet !== null,
    urlScope: preset.urlScope !== null,
    scanScope: preset.scanScope !== null,
    advanced: preset.advanced !== null,
  },
  allowOverride: preset.allowOverride,
})

/** Creates a scan form with the values of a preset; null for a new preset. */
export function createPresetForm(preset: PresetSettings | null): ScanForm {
  const scanValues = createNewValues(placeholderUrl)
  if (!preset) return { ...scanValues, name: '' }
  const { name: presetName, ruleSet, urlScope, scanScope, commonComponents, advanced } = preset
  const scanSettings = toSentSettings(scanValues, null) as StoredScanSettings
  return toFormValues({
    ...scanSettings,
    ...urlScope,
    ...scanScope,
    name: presetName,
    ...(ruleSet && { ruleSet }),
    ...(advanced && { advanced }),
    commonComponents,
  })
}

/** Converts form and choices to a preset as the server expects it. */
export function toPresetSettings(
  formValues: ScanForm,
  { shareLink, sendToReports, decidedParts, allowOverride }: PresetChoices,
): PresetSettings {
  const scanSettings = toSentSettings(formValues, null) as z.output<typeof ScanSettings>
  const {
    ruleSet,
    domains: scanDomains,
    includeRules,
    excludeRules,
    sources: urlSources,
    type: scanType,
    depth: scanDepth,
    pageLimit,
  } = scanSettings
  return {
    name: scanSettings.name,
    shareLink: fromTriState(shareLink),
    sendToReports: fromTriState(sendToReports),
    ruleSet: decidedParts.ruleSet ? ruleSet : null,
    urlScope: decidedParts.urlScope ? { domains: scanDomains, includeRules, excludeRules, sources: urlSources } : null,
    scanScope: decidedParts.scanScope ? { type: scanType, depth: scanDepth, pageLimit } : null,
    commonComponents: scanSettings.commonComponents,
    advanced: decidedParts.advanced ? scanSettings.advanced : null,
    allowOverride,
  }
}

export const presetSteps = ['general', 'components', 'advanced', 'review'] as const
export type PresetStep = (typeof presetSteps)[number]

/** First field of each part, and the fields for its override permission. */
const firstFields: Readonly<Record<string, string>> = {
  urlScope: 'domains',
  scanScope: 'type',
  allowOverride: 'shareLink',
  'allowOverride.ruleSet': 'ruleSet.standard',
  'allowOverride.urlScope': 'domains',
  'allowOverride.scanScope': 'type',
}

/** Returns the path in the settings of a scan: `urlScope.domains.0` is `domains.0` there. */
export const toScanPath = (path: string): string => toSettingsPath(path).replace(/^(urlScope|scanScope)\./, '')

/** Returns the field of a preset path: a field of the scan form, or a choice of the preset. */
export function findPresetField(path: string, values: ScanForm): string | null {
  const presetPath = toSettingsPath(path)
  const choiceName = /^(?:allowOverride\.)?(shareLink|sendToReports)/.exec(presetPath)?.[1]
  if (choiceName) return choiceName
  return firstFields[presetPath] ?? findFormField(toScanPath(path), values)
}

/** Returns the step of a form field; null if the preset has no such field, or leaves its part to each scan. */
export function getStepOfField(field: string, { decidedParts }: PresetChoices): PresetStep | null {
  const [settingName = ''] = field.split('.')
  if (settingName === 'name' || settingName === 'shareLink' || settingName === 'sendToReports') return 'general'
  if (settingName === 'commonComponents') return 'components'
  if (settingName === 'advanced') return decidedParts.advanced ? 'advanced' : null
  const isDecided =
    (settingName === 'ruleSet' && decidedParts.ruleSet) ||
    (settingName in UrlScope.shape && decidedParts.urlScope) ||
    (settingName in ScanScope.shape && decidedParts.scanScope)
  return isDecided ? 'general' : null
}
