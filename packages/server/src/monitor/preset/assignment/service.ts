import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan, replaceSettings } from '../../scan/store.ts'
import { retryWhenSharedRowsChange } from '../../scan/save/service.ts'
import { rememberSharedRows } from '../../scan/save/store.ts'
import { getSettings, type ScanDeps } from '../../scan/service.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { getAssignedSettings, canLeavePreset } from '../service.ts'

type AssignmentDeps = ScanDeps & { db: MonitorDb }
export type PresetRoutesDeps = AssignmentDeps
const maxAttempts = 5

type SettingsChange = {
  /** The preset to check and to lock besides the scan's current one. */
  presetId: string | null
  /** Returns the changed settings; null for an unknown preset. */
  compute: (settings: ScanSettings) => Promise<ScanSettings | null>
}

/** Applies a change to a scan's settings; retries after a concurrent change of the scan or of its presets. */
const rewriteSettings = (deps: AssignmentDeps, caller: Caller, scanId: string, change: SettingsChange) =>
  retryWhenSharedRowsChange(() => tryRewriteSettings(deps, caller, scanId, change))

async function tryRewriteSettings(
  deps: AssignmentDeps,
  caller: Caller,
  scanId: string,
  change: SettingsChange,
): Promise<Refusal | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const currentScan = await findScan(deps, scanId)
    if (!currentScan) return refuse('not-found')
    const currentPresetId = currentScan.settings.presetId
    const lockSharedRows = await rememberSharedRows(deps.db, { presets: [currentPresetId, change.presetId], scripts: [] })
    const changedSettings = await change.compute(currentScan.settings)
    if (!changedSettings) return unknownPresetRefusal
    if (!(await canLeavePreset(deps, caller, currentPresetId, changedSettings.presetId))) return refuse('locked-by-preset')
    const saveResult = await replaceSettings(deps, scanId, currentScan.version, changedSettings, { lockSharedRows })
    if (typeof saveResult !== 'string') return null
  }
  return refuse('edit-conflict')
}

const unknownPresetRefusal = refuse('validation-failed', { errors: [{ path: 'presetId', code: 'unknown-value', params: {} }] })

/** Assigns a preset to a scan; all of its values apply from now on. */
export async function assignPreset(deps: AssignmentDeps, caller: Caller, scanId: string, presetId: string) {
  const refusal = await rewriteSettings(deps, caller, scanId, {
    presetId,
    compute: async (settings) => {
      const presetValues = await getAssignedSettings(deps, presetId)
      return presetValues && { ...settings, ...presetValues }
    },
  })
  return refusal ?? getSettings(deps, scanId, caller)
}

/** Removes the preset from a scan, which keeps its settings. If `presetId` is given, it must be the scan's current preset. */
export async function removePresetFromScan(deps: AssignmentDeps, caller: Caller, scanId: string, presetId: string | undefined) {
  const refusal = await rewriteSettings(deps, caller, scanId, {
    presetId: null,
    compute: (settings) =>
      Promise.resolve(presetId !== undefined && settings.presetId !== presetId ? null : { ...settings, presetId: null }),
  })
  return refusal ?? getSettings(deps, scanId, caller)
}
