import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import type { MonitorDb } from '../../database.ts'
import { findScan, replaceSettings } from '../../scan/store.ts'
import { settingsFor, type ScanDeps } from '../../scan/service.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { assignmentOf, mayLeave } from '../service.ts'

type Deps = ScanDeps & { db: MonitorDb }
export type PresetRoutesDeps = Deps
const tries = 5

/** Writes a scan's settings as `change` makes them, again when somebody else changed the scan meanwhile. */
async function rewrite(
  deps: Deps,
  caller: Caller,
  scanId: string,
  change: (settings: ScanSettings) => ScanSettings | null,
): Promise<Refusal | null> {
  for (let tried = 0; tried < tries; tried++) {
    const scan = await findScan(deps, scanId)
    if (!scan) return refuse('not-found')
    const settings = change(scan.settings)
    if (!settings) return unknown
    if (!(await mayLeave(deps, caller, scan.settings.presetId, settings.presetId)))
      return refuse('locked-by-preset')
    const saved = await replaceSettings(deps, scanId, scan.version, settings)
    if (typeof saved !== 'string') return null
  }
  return refuse('edit-conflict')
}

const unknown = refuse('validation-failed', {
  errors: [{ path: 'presetId', code: 'unknown-value', params: {} }],
})

/** Gives a scan a preset: all that the preset says applies from now on. */
export async function assignPreset(deps: Deps, caller: Caller, scanId: string, presetId: string) {
  const said = await assignmentOf(deps, presetId)
  if (!said) return unknown
  const refused = await rewrite(deps, caller, scanId, (settings) => ({ ...settings, ...said }))
  return refused ?? settingsFor(deps, scanId, caller)
}

/** Removes the preset from a scan, which keeps its settings. A preset that is named must be the one it has. */
export async function takePreset(deps: Deps, caller: Caller, scanId: string, presetId: string | undefined) {
  const refused = await rewrite(deps, caller, scanId, (settings) =>
    presetId !== undefined && settings.presetId !== presetId ? null : { ...settings, presetId: null },
  )
  return refused ?? settingsFor(deps, scanId, caller)
}
