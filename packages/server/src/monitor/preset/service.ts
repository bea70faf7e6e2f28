import type * as z from 'zod/mini'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { presetPatch } from '@clearway/contract/monitor/preset/model.ts'
import type {
  AllowOverride,
  PresetListQuery,
  PresetSettings,
} from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { roleMay } from '@clearway/contract/kit/permission.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { validityOf } from '../scan/model.ts'
import { headersToKeep, keepSecrets, type SecretDeps } from '../session/service.ts'
import {
  allowsSharing,
  headersStay,
  lockErrors,
  locksSomething,
  presetApplied,
  presetErrors,
  presetSecrets,
  withoutHeaderValues,
} from './model.ts'
import {
  findPreset,
  insertPreset,
  listPresets,
  presetNameTaken,
  presetOfScan,
  type PresetRow,
  removePreset,
  replacePreset,
} from './store.ts'

export type PresetDeps = SecretDeps & { limits: { nameLength: number } }

export async function presetsFor(deps: PresetDeps, query: z.output<typeof PresetListQuery>) {
  const { rows, total } = await listPresets(deps, query)
  const content = rows.map((row) => ({
    id: row.id,
    name: row.name,
    assignedScanCount: row.used,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
  return pageReply(content, total, query)
}

const stored = (row: PresetRow) => ({
  id: row.id,
  settings: row.settings,
  version: row.version,
  assignedScanCount: row.used,
})

export async function presetSettings(deps: PresetDeps, id: string) {
  const row = await findPreset(deps, id)
  return row ? stored(row) : refuse('not-found')
}

const taken = (path: string, value: string) =>
  refuse('name-taken', { errors: [{ path, code: 'name-taken', params: { value } }] })

export async function createPreset(deps: PresetDeps, settings: PresetSettings) {
  const id = newId()
  const secrets = await keepSecrets(deps, id, presetSecrets('', settings))
  const errors = [...presetErrors('', settings), ...secrets.errors]
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const saved = await insertPreset(deps, id, withoutHeaderValues(settings), secrets.write)
  return saved === 'name-taken' ? taken('name', settings.name) : presetSettings(deps, id)
}

/** Changes a preset. Its scans follow at once in what they may not decide themselves. */
export async function updatePreset(
  deps: PresetDeps,
  id: string,
  { settings, version }: { settings: PresetSettings; version: number },
) {
  const before = await findPreset(deps, id)
  if (!before) return refuse('not-found')
  const secrets = await keepSecrets(deps, id, presetSecrets('settings.', settings), () =>
    headersStay(settings, before.settings),
  )
  const errors = [...presetErrors('settings.', settings), ...secrets.errors]
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const kept = withoutHeaderValues(settings)
  const saved = await replacePreset(
    deps,
    { id, version, settings: kept },
    (scan) => presetApplied(kept, scan, 'locked'),
    secrets.write,
  )
  if (saved === 'name-taken') return taken('settings.name', settings.name)
  if (saved === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The preset was changed since you opened it. Load it again.' })
  return presetSettings(deps, id)
}

export async function deletePreset(deps: PresetDeps, id: string): Promise<void | Refusal> {
  const keep = await headersToKeep(deps, id)
  return (await removePreset(deps, id, keep)) ? undefined : refuse('not-found')
}

/** Whether a preset can have that name. */
export const validatePresetName = (deps: PresetDeps, name: string, exceptId?: string) =>
  validityOf({
    name,
    max: deps.limits.nameLength,
    what: 'preset',
    isTaken: (trimmed) => presetNameTaken(deps, trimmed, exceptId),
  })

/** Whether what a scan's preset says may be decided otherwise for it. A scan without a preset is free. */
export async function mayOverride(
  deps: { db: MonitorDb },
  scanId: string,
  what: keyof AllowOverride,
): Promise<boolean> {
  const row = await presetOfScan(deps, scanId)
  if (!row) return true
  return what === 'shareLink' ? allowsSharing(row.settings) : row.settings.allowOverride[what]
}

/** Whether somebody may take a scan from its preset: not from one that locks something, or locks would hold nobody. */
export async function mayLeave(
  deps: { db: MonitorDb },
  caller: Caller,
  from: string | null,
  to: string | null,
): Promise<boolean> {
  if (from === null || from === to || roleMay(caller.role, 'scan.unlock')) return true
  const row = await findPreset(deps, from)
  return row === null || !locksSomething(row.settings)
}

/**
 * Checks settings against their preset when a scan is saved. A preset that is new to the scan (`before` has another one, or
 * is null) puts its values in; one that it had refuses what only the preset decides.
 */
export async function checkedByPreset(
  deps: { db: MonitorDb },
  settings: ScanSettings,
  before: ScanSettings | null,
): Promise<{ settings: ScanSettings; errors: FieldError[] }> {
  if (settings.presetId === null) return { settings, errors: [] }
  const row = await findPreset(deps, settings.presetId)
  if (!row)
    return {
      settings,
      errors: [{ path: 'presetId', code: 'unknown-value', params: { value: settings.presetId } }],
    }
  if (before?.presetId === settings.presetId) return { settings, errors: lockErrors(row.settings, settings) }
  return { settings: presetApplied(row.settings, settings, 'locked'), errors: [] }
}

/** What a preset puts into the settings of scans that are given it, itself included; null when there is none with that id. */
export async function assignmentOf(
  deps: { db: MonitorDb },
  presetId: string,
): Promise<Partial<ScanSettings> | null> {
  const row = await findPreset(deps, presetId)
  return row && { ...presetPatch(row.settings, 'assign'), presetId: row.id as ScanSettings['presetId'] }
}
