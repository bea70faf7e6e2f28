import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { ScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { findSettingsErrors } from '@clearway/contract/monitor/scan/settings/model.ts'
import { findScheduleErrors } from '@clearway/contract/monitor/schedule/model.ts'
import { createExpressionCheck } from '../../../kit/expression.ts'
import { type Caller, type Refusal, refuse } from '../../../kit/http/answer.ts'
import { type Requester, type GrantDeps, findGroupErrors, findTeamErrors } from '../../access/grant/service.ts'
import { isAccessUnchanged, replaceGroups, replaceTeams } from '../../access/grant/store.ts'
import type { MonitorDb } from '../../database.ts'
import { setSubscription, subscribes } from '../../notification/store.ts'
import { checkAgainstPreset, canLeavePreset } from '../../preset/service.ts'
import { saveSchedule } from '../../schedule/service.ts'
import { findScanScriptErrors, type ScriptDeps } from '../../script/service.ts'
import { isHeaderSecret, createSecretCheck, listScanSecrets } from '../../session/model.ts'
import { findHeaderPreset, prepareSecrets, findKeystoreErrors, type SessionDeps, removeSecrets } from '../../session/service.ts'
import { isSelector } from '../selector/model.ts'
import { rememberSharedRows, type SharedRowIds, SharedRowsChangedError } from './store.ts'

export type SaveDeps = SessionDeps & GrantDeps & ScriptDeps & { limits: ProductLimits }

/** Settings ready to be stored, with hooks for related data in the same transaction; or their errors. */
export type PreparedSave =
  | {
      ok: true
      settings: ScanSettings
      /** Locks the preset and the shared scripts as they were checked; throws if one has changed. */
      lockSharedRows: (trx: MonitorDb) => Promise<void>
      /** Checks that related data is unchanged since the form was loaded. */
      isUnchanged: (trx: MonitorDb) => Promise<boolean>
      saveRelated: (trx: MonitorDb) => Promise<void>
    }
  | { ok: false; errors: FieldError[] }

async function findAccessErrors(
  deps: SaveDeps,
  requester: Requester,
  scanId: string,
  access: ScanSettings['access'],
): Promise<FieldError[]> {
  if (!access) return []
  const fieldErrors = [
    ...(await findTeamErrors(deps, requester, 'teams', access.teams)),
    ...(access.groups ? await findGroupErrors(deps, requester, scanId, access.groups) : []),
  ]
  return fieldErrors.map((error) => ({ ...error, path: `access.${error.path}` }))
}

async function findLeaveErrors(
  deps: SaveDeps,
  requester: Requester,
  sentSettings: ScanSettings,
  previousSettings: ScanSettings | null,
): Promise<FieldError[]> {
  const canLeave = await canLeavePreset(deps, requester.caller, previousSettings?.presetId ?? null, sentSettings.presetId)
  return canLeave ? [] : [{ path: 'presetId', code: 'locked-by-preset', params: {} }]
}

const listSharedRows = (...allSettings: readonly (ScanSettings | null)[]): SharedRowIds => ({
  presets: allSettings.flatMap((settings) => settings?.presetId ?? []),
  scripts: allSettings.flatMap((settings) => settings?.scripts.shared ?? []),
})

const maxSaveAttempts = 5

/** Repeats checks and saving when a shared row changed in between, so that the checks are of what is saved. */
export async function retryWhenSharedRowsChange<T>(save: () => Promise<T>): Promise<T | Refusal> {
  for (let attempt = 1; attempt <= maxSaveAttempts; attempt++)
    try {
      return await save()
    } catch (error) {
      if (!(error instanceof SharedRowsChangedError)) throw error
    }
  return refuse('edit-conflict', { detail: 'A preset or script of the scan keeps changing. Try again.' })
}

/**
 * Checks scan settings with related data: preset, schedule, scripts, secrets, teams. Removes secrets and personal data.
 * @param previousSettings the stored settings; null for a new scan
 */
export async function prepareSave(
  deps: SaveDeps,
  requester: Requester,
  scanId: string,
  sentSettings: ScanSettings,
  previousSettings: ScanSettings | null,
): Promise<PreparedSave> {
  const lockSharedRows = await rememberSharedRows(deps.db, listSharedRows(sentSettings, previousSettings))
  const presetCheck = await checkAgainstPreset(deps, sentSettings, previousSettings)
  const hasPresetHeaders = (await findHeaderPreset(deps, presetCheck.settings.presetId)) !== null
  const secretChanges = await prepareSecrets(
    deps,
    scanId,
    listScanSecrets(presetCheck.settings).filter(({ name }) => !(hasPresetHeaders && isHeaderSecret(name))),
    previousSettings ? createSecretCheck(presetCheck.settings, previousSettings) : undefined,
  )
  const fieldErrors = [
    ...findSettingsErrors(presetCheck.settings, { limits: deps.limits, isSelector, isExpression: createExpressionCheck() }),
    ...presetCheck.errors,
    ...(await findLeaveErrors(deps, requester, sentSettings, previousSettings)),
    ...findScheduleErrors('schedule', sentSettings.schedule, new Date(), previousSettings?.schedule),
    ...(await findScanScriptErrors(deps, sentSettings)),
    ...secretChanges.errors,
    ...(await findKeystoreErrors(deps, requester.caller, scanId, sentSettings)),
    ...(await findAccessErrors(deps, requester, scanId, sentSettings.access)),
  ]
  if (fieldErrors.length > 0) return { ok: false, errors: fieldErrors.slice(0, 100) }
  const { access: accessSettings, ...otherSettings } = removeSecrets(presetCheck.settings)
  const storedSettings: ScanSettings = { ...otherSettings, notification: { ...otherSettings.notification, me: false } }
  return {
    ok: true,
    settings: storedSettings,
    lockSharedRows,
    isUnchanged: (trx) => (accessSettings ? isAccessUnchanged(trx, scanId, accessSettings.version) : Promise.resolve(true)),
    saveRelated: async (trx) => {
      await secretChanges.write(trx)
      await saveSchedule(trx, scanId, storedSettings.schedule, previousSettings?.schedule ?? null)
      await setSubscription(trx, scanId, requester.caller.id, sentSettings.notification.me)
      if (accessSettings) await replaceTeams(trx, { scanId }, accessSettings.teams)
      if (accessSettings?.groups) await replaceGroups(trx, scanId, accessSettings.groups)
    },
  }
}

/** Removes credentials and addresses of other people, which only editors of the scan may see. */
function redactForReaders(storedSettings: ScanSettings): ScanSettings {
  const { connection } = storedSettings.session
  const anonymousConnection = connection && 'username' in connection ? { ...connection, username: '–' } : connection
  return {
    ...storedSettings,
    advanced: { ...storedSettings.advanced, extraHeaders: [] },
    session: { ...storedSettings.session, connection: anonymousConnection },
    notification: { ...storedSettings.notification, specificUsers: [] },
  }
}

/** The settings as visible to the caller: only their own subscription; headers for editors; no people or accounts for guests. */
export async function presentSettings(
  deps: { db: MonitorDb },
  caller: Caller,
  scanId: string,
  storedSettings: ScanSettings,
  canEdit: boolean,
): Promise<ScanSettings> {
  const visibleSettings = canEdit ? storedSettings : redactForReaders(storedSettings)
  if (caller.guestOf === undefined) {
    const isSubscribed = await subscribes(deps, scanId, caller.id)
    return { ...visibleSettings, notification: { ...visibleSettings.notification, me: isSubscribed } }
  }
  return {
    ...visibleSettings,
    scripts: { own: [], shared: [], variables: [] },
    session: { connection: null, mark: null },
    notification: { events: [], allTeamMembers: false, me: false, specificUsers: [] },
  }
}
