import type { ScanSettings } from '../scan/schema.ts'
import type { AllowOverride, PresetSettings } from './schema.ts'

/** Parts of a scan's settings that a preset can define. */
export type PresetPartName = 'sendToReports' | 'ruleSet' | 'urlScope' | 'scanScope' | 'commonComponents' | 'advanced'
export type PresetPart = {
  name: PresetPartName
  /** Null for a part that scan admins can never change. */
  override: keyof AllowOverride | null
  /** Returns the preset's values for a scan's settings; null if it defines none. */
  getPatch: (preset: PresetSettings) => Partial<ScanSettings> | null
}

export const presetParts: readonly PresetPart[] = [
  {
    name: 'sendToReports',
    override: 'sendToReports',
    getPatch: ({ sendToReports }) => (sendToReports === null ? null : { sendToReports }),
  },
  { name: 'ruleSet', override: 'ruleSet', getPatch: ({ ruleSet }) => ruleSet && { ruleSet } },
  { name: 'urlScope', override: 'urlScope', getPatch: ({ urlScope }) => urlScope },
  {
    name: 'scanScope',
    override: 'scanScope',
    // Depth and page limit belong to custom scans only; other types define their own.
    getPatch: ({ scanScope }) => scanScope && (scanScope.type === 'custom' ? scanScope : { type: scanScope.type }),
  },
  { name: 'commonComponents', override: null, getPatch: ({ commonComponents }) => commonComponents && { commonComponents } },
  { name: 'advanced', override: null, getPatch: ({ advanced }) => advanced && { advanced } },
]

/** Returns true if scan admins must keep the preset's values of a part. */
export const isPartLocked = (preset: PresetSettings, { override }: PresetPart): boolean =>
  override === null || !preset.allowOverride[override]

/** Returns the preset's values for a scan's settings: all (`assign`), or those that scan admins cannot change (`locked`). */
export function buildPresetPatch(preset: PresetSettings, patchMode: 'assign' | 'locked'): Partial<ScanSettings> {
  const partPatches = presetParts
    .filter((part) => patchMode === 'assign' || isPartLocked(preset, part))
    .map((part) => part.getPatch(preset))
  return Object.assign({}, ...partPatches) as Partial<ScanSettings>
}
