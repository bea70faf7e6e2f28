import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { AllowOverride, PresetSettings } from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'

type Part = {
  /** Null for a part that scan admins can never change. */
  override: keyof AllowOverride | null
  /** What the preset says about a scan's settings; null when it says nothing. */
  says: (preset: PresetSettings) => Partial<ScanSettings> | null
}

const parts: readonly Part[] = [
  {
    override: 'sendToReports',
    says: ({ sendToReports }) => (sendToReports === null ? null : { sendToReports }),
  },
  { override: 'ruleSet', says: ({ ruleSet }) => ruleSet && { ruleSet } },
  { override: 'urlScope', says: ({ urlScope }) => urlScope },
  {
    override: 'scanScope',
    // Depth and limit are a custom scan's own; the other types bring theirs.
    says: ({ scanScope }) =>
      scanScope && (scanScope.type === 'custom' ? scanScope : { type: scanScope.type }),
  },
  { override: null, says: ({ commonComponents }) => commonComponents && { commonComponents } },
  { override: null, says: ({ advanced }) => advanced && { advanced } },
]

const isLocked = (preset: PresetSettings, { override }: Part): boolean =>
  override === null || !preset.allowOverride[override]

/** What a preset says of a scan's settings: all of it (`assign`), or what scan admins may not decide (`locked`). */
export function presetPatch(preset: PresetSettings, which: 'assign' | 'locked'): Partial<ScanSettings> {
  const said = parts
    .filter((part) => which === 'assign' || isLocked(preset, part))
    .map((part) => part.says(preset))
  return Object.assign({}, ...said) as Partial<ScanSettings>
}

/** Settings with what a preset says of them. */
export const presetApplied = (
  preset: PresetSettings,
  settings: ScanSettings,
  which: 'assign' | 'locked',
): ScanSettings => ({ ...settings, ...presetPatch(preset, which) })

/** What in the settings differs from what the preset alone decides. */
export function lockErrors(preset: PresetSettings, settings: ScanSettings): FieldError[] {
  return parts
    .filter((part) => isLocked(preset, part))
    .flatMap((part) => Object.entries(part.says(preset) ?? {}))
    .filter(([key, value]) => !isDeepStrictEqual(settings[key as keyof ScanSettings], value))
    .map(([key]) => ({ path: key, code: 'locked-by-preset', params: { preset: preset.name } }))
}

/** Whether a scan with this preset may be shared by a public link. */
export const allowsSharing = ({ shareLink, allowOverride }: PresetSettings): boolean =>
  shareLink !== false || allowOverride.shareLink
