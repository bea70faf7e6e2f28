import type * as z from 'zod/mini'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { buildPresetPatch } from '@clearway/contract/monitor/preset/model.ts'
import {
  type AllowOverride,
  noDecisions,
  type PresetListQuery,
  type PresetSettings,
} from '@clearway/contract/monitor/preset/schema.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { MonitorDb } from '../database.ts'
import { checkName } from '../scan/model.ts'
import { createHeaderKeeper, prepareSecrets, type SecretDeps } from '../session/service.ts'
import {
  canShareScans,
  canKeepHeaders,
  findLockErrors,
  hasLocks,
  applyPreset,
  findPresetErrors,
  listPresetSecrets,
  removeHeaderValues,
} from './model.ts'
import {
  findPreset,
  insertPreset,
  listPresets,
  isPresetNameTaken,
  findPresetOfScan,
  type PresetRow,
  removePreset,
  replacePreset,
} from './store.ts'

export type PresetDeps = SecretDeps & { limits: { nameLength: number } }

/** Settings that a preset decides, in short. */
const summarizeDecisions = ({ urlScope, scanScope, commonComponents, advanced, ...settings }: PresetSettings) => ({
  shareLink: settings.shareLink,
  sendToReports: settings.sendToReports,
  ruleSet: settings.ruleSet,
  scanScope: scanScope && { type: scanScope.type, pageLimit: scanScope.pageLimit },
  urlScope: urlScope !== null,
  commonComponents: commonComponents !== null,
  advanced: advanced !== null,
})

export async function listPresetSummaries(deps: PresetDeps, caller: Caller, query: z.output<typeof PresetListQuery>) {
  const { rows: presetRows, total: totalPresets } = await listPresets(deps, query)
  const seesAllScans = hasPermission(caller.role, 'admin.see')
  const presetSummaries = presetRows.map((row) => ({
    id: row.id,
    name: row.name,
    assignedScanCount: row.used,
    scanNames: seesAllScans ? (row.scan_names ?? []) : [],
    decisions: row.settings === null ? noDecisions : summarizeDecisions(row.settings),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }))
  return buildPageReply(presetSummaries, totalPresets, query)
}

const toPresetReply = (row: PresetRow) => ({
  id: row.id,
  settings: row.settings,
  version: row.version,
  assignedScanCount: row.used,
})

export async function getPresetSettings(deps: PresetDeps, id: string) {
  const presetRow = await findPreset(deps, id)
  return presetRow ? toPresetReply(presetRow) : refuse('not-found')
}

const refuseTakenName = (errorPath: string, value: string) =>
  refuse('name-taken', { errors: [{ path: errorPath, code: 'name-taken', params: { value } }] })

export async function createPreset(deps: PresetDeps, settings: PresetSettings) {
  const presetId = createId()
  const secretChanges = await prepareSecrets(deps, presetId, listPresetSecrets('', settings))
  const fieldErrors = [...findPresetErrors('', settings), ...secretChanges.errors]
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const saveResult = await insertPreset(deps, presetId, removeHeaderValues(settings), secretChanges.write)
  return saveResult === 'name-taken' ? refuseTakenName('name', settings.name) : getPresetSettings(deps, presetId)
}

/** Changes a preset and, at once, the locked settings of its scans. */
export async function updatePreset(
  deps: PresetDeps,
  id: string,
  { settings, version }: { settings: PresetSettings; version: number },
) {
  const previousPreset = await findPreset(deps, id)
  if (!previousPreset) return refuse('not-found')
  const secretChanges = await prepareSecrets(deps, id, listPresetSecrets('settings.', settings), () =>
    canKeepHeaders(settings, previousPreset.settings),
  )
  const fieldErrors = [...findPresetErrors('settings.', settings), ...secretChanges.errors]
  if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
  const storedSettings = removeHeaderValues(settings)
  const saveResult = await replacePreset(
    deps,
    { id, version, settings: storedSettings },
    (scan) => applyPreset(storedSettings, scan, 'locked'),
    secretChanges.write,
  )
  if (saveResult === 'name-taken') return refuseTakenName('settings.name', settings.name)
  if (saveResult === 'edit-conflict')
    return refuse('edit-conflict', { detail: 'The preset was changed since you opened it. Load it again.' })
  return getPresetSettings(deps, id)
}

export async function deletePreset(deps: PresetDeps, id: string): Promise<void | Refusal> {
  const keepHeaders = await createHeaderKeeper(deps, id)
  return (await removePreset(deps, id, keepHeaders)) ? undefined : refuse('not-found')
}

export const validatePresetName = (deps: PresetDeps, name: string, exceptId?: string) =>
  checkName({
    name,
    maxLength: deps.limits.nameLength,
    nounInMessage: 'preset',
    isTaken: (trimmed) => isPresetNameTaken(deps, trimmed, exceptId),
  })

/** Checks whether a scan may override this part of its preset. A scan without a preset may. */
export async function canOverridePreset(
  deps: { db: MonitorDb },
  scanId: string,
  presetPart: keyof AllowOverride,
): Promise<boolean> {
  const presetRow = await findPresetOfScan(deps, scanId)
  if (!presetRow) return true
  return presetPart === 'shareLink' ? canShareScans(presetRow.settings) : presetRow.settings.allowOverride[presetPart]
}

/** Checks whether the caller may detach a scan from its preset. A preset with locks cannot be detached, or locks would be useless. */
export async function canLeavePreset(
  deps: { db: MonitorDb },
  caller: Caller,
  currentPresetId: string | null,
  newPresetId: string | null,
): Promise<boolean> {
  if (currentPresetId === null || currentPresetId === newPresetId || hasPermission(caller.role, 'scan.unlock')) return true
  const presetRow = await findPreset(deps, currentPresetId)
  return presetRow === null || !hasLocks(presetRow.settings)
}

/** Checks settings against their preset on saving: a newly assigned one applies its values, another rejects locked changes. */
export async function checkAgainstPreset(
  deps: { db: MonitorDb },
  settings: ScanSettings,
  previousSettings: ScanSettings | null,
): Promise<{ settings: ScanSettings; errors: FieldError[] }> {
  if (settings.presetId === null) return { settings, errors: [] }
  const presetRow = await findPreset(deps, settings.presetId)
  if (!presetRow) return { settings, errors: [{ path: 'presetId', code: 'unknown-value', params: { value: settings.presetId } }] }
  if (previousSettings?.presetId === settings.presetId) return { settings, errors: findLockErrors(presetRow.settings, settings) }
  return { settings: applyPreset(presetRow.settings, settings, 'locked'), errors: [] }
}

/** Settings that a preset applies to its scans, including its id; null for an unknown preset. */
export async function getAssignedSettings(deps: { db: MonitorDb }, presetId: string): Promise<Partial<ScanSettings> | null> {
  const presetRow = await findPreset(deps, presetId)
  return presetRow && { ...buildPresetPatch(presetRow.settings, 'assign'), presetId: presetRow.id as ScanSettings['presetId'] }
}
