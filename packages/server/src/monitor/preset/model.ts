import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { isPartLocked, presetParts, buildPresetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import {
  findAdvancedErrors,
  findComponentErrors,
  findDomainErrors,
  findNameError,
  findRuleErrors,
} from '@clearway/contract/monitor/scan/settings/model.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { listHeaderSecrets, replaceHeaderValues, type SecretField } from '../session/model.ts'
import { createExpressionCheck } from '../../kit/expression.ts'
import { isSelector } from '../scan/selector/model.ts'

export const applyPreset = (preset: PresetSettings, settings: ScanSettings, patchKind: 'assign' | 'locked'): ScanSettings => ({
  ...settings,
  ...buildPresetPatch(preset, patchKind),
})

/** Settings that differ from locked values of the preset. */
export function findLockErrors(preset: PresetSettings, settings: ScanSettings): FieldError[] {
  return presetParts
    .filter((part) => isPartLocked(preset, part))
    .flatMap((part) => Object.entries(part.getPatch(preset) ?? {}))
    .filter(([key, value]) => !isDeepStrictEqual(settings[key as keyof ScanSettings], value))
    .map(([key]) => ({ path: key, code: 'locked-by-preset', params: { preset: preset.name } }))
}

export const canShareScans = ({ shareLink, allowOverride }: PresetSettings): boolean =>
  shareLink !== false || allowOverride.shareLink

export const hasLocks = (preset: PresetSettings): boolean =>
  !canShareScans(preset) || Object.keys(buildPresetPatch(preset, 'locked')).length > 0

const getExtraHeaders = ({ advanced }: PresetSettings): HeaderSetting[] => (advanced ? advanced.extraHeaders : [])

/** Header values would go wherever a scan with the preset leads, so headers require domains that only the preset decides. */
function findHeaderErrors(settings: PresetSettings): FieldError[] {
  const { urlScope, allowOverride } = settings
  const isBound = urlScope !== null && urlScope.domains.length > 0 && !allowOverride.urlScope
  return getExtraHeaders(settings).length === 0 || isBound
    ? []
    : [{ path: 'urlScope.domains', code: 'required', params: { reason: 'headers' } }]
}

/** Checks that settings send the preset's headers only to its domains, also for presets older than the check on saving. */
export function coversDomains({ urlScope }: Pick<PresetSettings, 'urlScope'>, domains: readonly string[]): boolean {
  const presetDomains = new Set(urlScope?.domains.map((domain) => domain.toLowerCase()))
  return domains.length > 0 && domains.every((domain) => presetDomains.has(domain.toLowerCase()))
}

/** Checks whether stored headers may be kept: they must not go to domains that did not receive them before. */
export function canKeepHeaders(newSettings: PresetSettings, previousSettings: PresetSettings | null): boolean {
  const previousDomains = new Set(previousSettings?.urlScope?.domains.map((domain) => domain.toLowerCase()))
  return (newSettings.urlScope?.domains ?? []).every((domain) => previousDomains.has(domain.toLowerCase()))
}

export const listPresetSecrets = (prefix: string, settings: PresetSettings): SecretField[] =>
  listHeaderSecrets(`${prefix}advanced.extraHeaders`, getExtraHeaders(settings))

/** A preset in its stored form, without secrets. */
export const removeHeaderValues = (settings: PresetSettings): PresetSettings =>
  settings.advanced
    ? {
        ...settings,
        advanced: { ...settings.advanced, extraHeaders: replaceHeaderValues(getExtraHeaders(settings), () => null) },
      }
    : settings

/** Errors that the schema of a preset cannot detect and that would make its scans invalid. */
export function findPresetErrors(prefix: string, settings: PresetSettings): FieldError[] {
  const isExpression = createExpressionCheck()
  const presetErrors = [
    ...[findNameError('name', settings.name)].filter((nameError) => nameError !== null),
    ...findDomainErrors('urlScope.domains', settings.urlScope?.domains ?? []),
    ...findRuleErrors('urlScope.includeRules', settings.urlScope?.includeRules ?? [], isExpression),
    ...findRuleErrors('urlScope.excludeRules', settings.urlScope?.excludeRules ?? [], isExpression),
    ...findComponentErrors(settings.commonComponents, isSelector),
    ...findAdvancedErrors(settings.advanced, isSelector),
    ...findHeaderErrors(settings),
  ]
  return presetErrors.slice(0, 100).map((fieldError) => ({ ...fieldError, path: prefix + fieldError.path }))
}
