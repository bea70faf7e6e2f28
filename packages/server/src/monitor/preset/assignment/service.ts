import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan, replaceSettings } from '../../scan/store.ts'
import { getSettings, type ScanDeps } from '../../scan/service.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { getAssignedSettings, canLeavePreset } from '../service.ts'

type AssignmentDeps = ScanDeps & { db: MonitorDb }
export type PresetRoutesDeps = AssignmentDeps
const maxAttempts = 5

/** Applies `change` to a scan's settings; retries after a concurrent change. */
async function rewriteSettings(
  deps: AssignmentDeps,
  caller: Caller,
  scanId: string,
  computeChange: (settings: ScanSettings) => ScanSettings | null,
): Promise<Refusal | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const currentScan = await findScan(deps, scanId)
    if (!currentScan) return refuse('not-found')
    const changedSettings = computeChange(currentScan.settings)
    if (!changedSettings) return unknownPresetRefusal
    if (!(await canLeavePreset(deps, caller, currentScan.settings.presetId, changedSettings.presetId)))
      return refuse('locked-by-preset')
    const saveResult = await replaceSettings(deps, scanId, currentScan.version, changedSettings)
    if (typeof saveResult !== 'string') return null
  }
  return refuse('edit-conflict')
}

const unknownPresetRefusal = refuse('validation-failed', { errors: [{ path: 'presetId', code: 'unknown-value', params: {} }] })

/** Assigns a preset to a scan; all of its values apply from now on. */
export async function assignPreset(deps: AssignmentDeps, caller: Caller, scanId: string, presetId: string) {
  const presetValues = await getAssignedSettings(deps, presetId)
  if (!presetValues) return unknownPresetRefusal
  const refusal = await rewriteSettings(deps, caller, scanId, (settings) => ({ ...settings, ...presetValues }))
  return refusal ?? getSettings(deps, scanId, caller)
}

/** Removes the preset from a scan, which keeps its settings. If `presetId` is given, it must be the scan's current preset. */
export async function removePresetFromScan(deps: AssignmentDeps, caller: Caller, scanId: string, presetId: string | undefined) {
  const refusal = await rewriteSettings(deps, caller, scanId, (settings) =>
    presetId !== undefined && settings.presetId !== presetId ? null : { ...settings, presetId: null },
  )
  return refusal ?? getSettings(deps, scanId, caller)
}
