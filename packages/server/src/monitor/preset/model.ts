import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { isLocked, presetParts, presetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type { PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import { readDomain } from '@clearway/contract/monitor/scan/model.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
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
  ].slice(0, 100)
}
