import type { ScanSettings } from '../scan/schema.ts'
import type { AllowOverride, PresetSettings } from './schema.ts'

/** The parts of a scan's settings that a preset can decide. */
export type PresetPartName =
  'sendToReports' | 'ruleSet' | 'urlScope' | 'scanScope' | 'commonComponents' | 'advanced'
export type PresetPart = {
  name: PresetPartName
  /** Null for a part that scan admins can never change. */
  override: keyof AllowOverride | null
  /** What the preset says about a scan's settings; null when it says nothing. */
  says: (preset: PresetSettings) => Partial<ScanSettings> | null
}

export const presetParts: readonly PresetPart[] = [
  {
    name: 'sendToReports',
    override: 'sendToReports',
    says: ({ sendToReports }) => (sendToReports === null ? null : { sendToReports }),
  },
  { name: 'ruleSet', override: 'ruleSet', says: ({ ruleSet }) => ruleSet && { ruleSet } },
  { name: 'urlScope', override: 'urlScope', says: ({ urlScope }) => urlScope },
  {
    name: 'scanScope',
    override: 'scanScope',
    // Depth and limit are a custom scan's own; the other types bring theirs.
    says: ({ scanScope }) =>
      scanScope && (scanScope.type === 'custom' ? scanScope : { type: scanScope.type }),
  },
  {
    name: 'commonComponents',
    override: null,
    says: ({ commonComponents }) => commonComponents && { commonComponents },
  },
  { name: 'advanced', override: null, says: ({ advanced }) => advanced && { advanced } },
]

/** Whether scan admins have to keep what the preset says about a part. */
export const isLocked = (preset: PresetSettings, { override }: PresetPart): boolean =>
  override === null || !preset.allowOverride[override]

/** What a preset says of a scan's settings: all of it (`assign`), or what scan admins may not decide (`locked`). */
export function presetPatch(preset: PresetSettings, which: 'assign' | 'locked'): Partial<ScanSettings> {
  const said = presetParts
    .filter((part) => which === 'assign' || isLocked(preset, part))
    .map((part) => part.says(preset))
  return Object.assign({}, ...said) as Partial<ScanSettings>
}
