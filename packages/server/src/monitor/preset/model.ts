import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { isLocked, presetParts, presetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { readDomain } from '@clearway/contract/monitor/scan/model.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import type { HeaderSetting } from '@clearway/contract/monitor/scan/crawl/schema.ts'
import { headerSecrets, headersWith, type SecretField } from '../session/model.ts'
import { componentErrors, nameError, urlError } from '../scan/model.ts'
import { selectorErrors } from '../scan/selector/model.ts'

/** Settings with what a preset says of them. */
export const presetApplied = (
  preset: PresetSettings,
  settings: ScanSettings,
  which: 'assign' | 'locked',
): ScanSettings => ({ ...settings, ...presetPatch(preset, which) })

/** What in the settings differs from what the preset alone decides. */
export function lockErrors(preset: PresetSettings, settings: ScanSettings): FieldError[] {
  return presetParts
    .filter((part) => isLocked(preset, part))
    .flatMap((part) => Object.entries(part.says(preset) ?? {}))
    .filter(([key, value]) => !isDeepStrictEqual(settings[key as keyof ScanSettings], value))
    .map(([key]) => ({ path: key, code: 'locked-by-preset', params: { preset: preset.name } }))
}

/** Whether a scan with this preset may be shared by a public link. */
export const allowsSharing = ({ shareLink, allowOverride }: PresetSettings): boolean =>
  shareLink !== false || allowOverride.shareLink

/** Whether a preset decides something that a scan which has it may not. */
export const locksSomething = (preset: PresetSettings): boolean =>
  !allowsSharing(preset) || Object.keys(presetPatch(preset, 'locked')).length > 0

const headersOf = ({ advanced }: PresetSettings): HeaderSetting[] => (advanced ? advanced.extraHeaders : [])

/** Headers whose values would go wherever a scan with the preset leads: only domains that the preset decides get them. */
function headerErrors(prefix: string, settings: PresetSettings): FieldError[] {
  const { urlScope, allowOverride } = settings
  const isBound = urlScope !== null && urlScope.domains.length > 0 && !allowOverride.urlScope
  return headersOf(settings).length === 0 || isBound
    ? []
    : [{ path: `${prefix}urlScope.domains`, code: 'required', params: { reason: 'headers' } }]
}

/**
 * Whether settings send the headers of their preset nowhere but to domains that the preset names. Also a preset that is older
 * than the rule for saving it sends them nowhere else.
 */
export function coversDomains(
  { urlScope }: Pick<PresetSettings, 'urlScope'>,
  domains: readonly string[],
): boolean {
  const named = new Set(urlScope?.domains.map((line) => line.toLowerCase()))
  return domains.length > 0 && domains.every((line) => named.has(line.toLowerCase()))
}

/** Whether stored headers of a preset may be kept: they go to no domain that they did not go to before. */
export function headersStay(now: PresetSettings, before: PresetSettings | null): boolean {
  const known = new Set(before?.urlScope?.domains.map((line) => line.toLowerCase()))
  return (now.urlScope?.domains ?? []).every((line) => known.has(line.toLowerCase()))
}

/** The secrets of a preset. */
export const presetSecrets = (prefix: string, settings: PresetSettings): SecretField[] =>
  headerSecrets(`${prefix}advanced.extraHeaders`, headersOf(settings))

/** A preset as it is stored: without secrets. */
export const withoutHeaderValues = (settings: PresetSettings): PresetSettings =>
  settings.advanced
    ? {
        ...settings,
        advanced: { ...settings.advanced, extraHeaders: headersWith(headersOf(settings), () => null) },
      }
    : settings

/** What is wrong with a preset beyond what its schema sees: what its scans would be refused for. */
export function presetErrors(prefix: string, settings: PresetSettings): FieldError[] {
  const name = nameError(`${prefix}name`, settings.name)
  const templates = settings.commonComponents?.templateUrls ?? []
  const domains = settings.urlScope?.domains ?? []
  return [
    ...(name ? [name] : []),
    ...templates.flatMap(
      (url, index) => urlError(`${prefix}commonComponents.templateUrls.${index}`, url) ?? [],
    ),
    ...domains.flatMap((value, index): FieldError[] =>
      readDomain(value)
        ? []
        : [{ path: `${prefix}urlScope.domains.${index}`, code: 'bad-domain', params: { value } }],
    ),
    ...componentErrors(prefix, settings),
    ...selectorErrors(prefix, settings),
    ...headerErrors(prefix, settings),
  ].slice(0, 100)
}
