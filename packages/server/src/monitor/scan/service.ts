import type * as z from 'zod/mini'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import { hasPermission, type Role } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { ScanListQuery, ScanSettings, StoredScanSettings } from '@clearway/contract/monitor/scan/schema.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import { createId } from '../../kit/id.ts'
import { buildPageReply } from '../../kit/paging.ts'
import type { Requester } from '../access/grant/service.ts'
import { getRoleByRank, visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { getOpenIssues, getPagesByHealth, getScoreChange, toRunSummary } from '../run/summary/service.ts'
import { priorities, getScanRights, checkName } from './model.ts'
import { prepareSave, presentSettings, retryWhenSharedRowsChange, type SaveDeps } from './save/service.ts'
import { presentSignIn } from '../session/model.ts'
import { readCurrentQuotas } from '../setting/service.ts'
import {
  findListedScan,
  findScan,
  insertScan,
  type ListedScan,
  listScans,
  markDeleted,
  isNameTaken,
  replaceSettings,
  readScanNames,
  endDrivingOffer,
  removeSignOutUrl,
  type ScanRow,
  setFavorite,
} from './store.ts'

export type ScanDeps = SaveDeps & { db: MonitorDb; limits: ProductLimits; pubSub: PubSub }

export const listScanNames = (deps: ScanDeps, caller: Caller) => readScanNames(deps, visibleScans(caller))

export const createScanView = (caller: Caller) => ({ visible: visibleScans(caller), viewerId: caller.id })

function toScanSummary(listedScan: ListedScan, caller: Caller) {
  const { scan: scanRow, lastCompleted, recent: recentRuns } = listedScan
  const role = getRoleByRank(listedScan.rank)
  return {
    id: scanRow.id,
    name: scanRow.name,
    type: scanRow.type,
    urls: scanRow.urls,
    priority: priorities[scanRow.priority]!,
    favorite: listedScan.favorite,
    mine: scanRow.owner_id === caller.id,
    owners: caller.guestOf === undefined ? [listedScan.owner] : [],
    rights: getScanRights(role),
    score: lastCompleted?.score ?? null,
    ...getScoreChange(listedScan.change),
    ignoredIssues: lastCompleted && lastCompleted.ignored,
    recentScores: recentRuns,
    openIssues: lastCompleted && getOpenIssues(lastCompleted),
    pagesByHealth: lastCompleted && getPagesByHealth(lastCompleted),
    groups: listedScan.groups,
    tags: scanRow.tags,
    presetId: scanRow.preset_id,
    signIn: presentSignIn(listedScan.signIn, role),
    offersDriving: listedScan.offersDriving,
    lastRun: listedScan.lastRun && toRunSummary(listedScan.lastRun),
    nextRunAt: listedScan.nextRunAt?.toISOString() ?? null,
    createdAt: scanRow.created_at.toISOString(),
  }
}

const toScanReply = async (deps: ScanDeps, caller: Caller, scanRow: ScanRow, canEdit = true) => ({
  id: scanRow.id,
  settings: await presentSettings(deps, caller, scanRow.id, scanRow.settings, canEdit),
  version: scanRow.version,
  signOutUrls: scanRow.sign_out_urls,
  createdAt: scanRow.created_at.toISOString(),
  updatedAt: scanRow.updated_at.toISOString(),
})
type ScanReply = Omit<z.output<typeof StoredScanSettings>, 'id'> & { id: string }

export async function listVisibleScans(deps: ScanDeps, caller: Caller, query: z.output<typeof ScanListQuery>) {
  const { rows: listedScans, total: totalScans } = await listScans(deps, createScanView(caller), query)
  return buildPageReply(
    listedScans.map((row) => toScanSummary(row, caller)),
    totalScans,
    query,
  )
}

export async function getScan(deps: ScanDeps, caller: Caller, scanId: string) {
  const listedScan = await findListedScan(deps, createScanView(caller), scanId)
  return listedScan ? toScanSummary(listedScan, caller) : refuse('not-found')
}

export async function getSettings(
  deps: ScanDeps,
  scanId: string,
  caller: Caller,
  role: Role = 'scanAdmin',
): Promise<ScanReply | Refusal> {
  const scanRow = await findScan(deps, scanId)
  return scanRow ? toScanReply(deps, caller, scanRow, hasPermission(role, 'scan.manage')) : refuse('not-found')
}

const refuseTakenName = (errorPath: string, value: string) =>
  refuse('name-taken', { errors: [{ path: errorPath, code: 'name-taken', params: { value } }] })

/** Refuses additional receivers beyond the quota; null when allowed. */
async function checkReceiverQuota(
  deps: ScanDeps,
  settings: ScanSettings,
  previousSettings: ScanSettings | null,
): Promise<Refusal | null> {
  const { receivers: maxReceivers } = await readCurrentQuotas(deps)
  const receiverCount = settings.notification.specificUsers.length
  if (receiverCount <= Math.max(maxReceivers, previousSettings?.notification.specificUsers.length ?? 0)) return null
  return refuse('quota-receivers', {
    detail: `A scan can notify at most ${maxReceivers} people, not ${receiverCount}.`,
  })
}

export const createScan = (deps: ScanDeps, requester: Requester, settings: ScanSettings): Promise<ScanReply | Refusal> =>
  retryWhenSharedRowsChange(() => tryCreateScan(deps, requester, settings))

async function tryCreateScan(deps: ScanDeps, requester: Requester, settings: ScanSettings): Promise<ScanReply | Refusal> {
  const scanId = createId()
  const { scans: maxScans } = await readCurrentQuotas(deps)
  const refusal = await checkReceiverQuota(deps, settings, null)
  if (refusal) return refusal
  const preparedSave = await prepareSave(deps, requester, scanId, settings, null)
  if (!preparedSave.ok) return refuse('validation-failed', { errors: preparedSave.errors })
  const newScan = {
    id: scanId,
    accessId: createId(),
    ownerId: requester.caller.id,
    settings: preparedSave.settings,
    maxOwned: maxScans,
  }
  const scanRow = await insertScan(deps, newScan, preparedSave)
  if (scanRow === 'too-many') return refuse('quota-scans', { detail: `One person can have at most ${maxScans} scans.` })
  return scanRow === 'name-taken' ? refuseTakenName('name', settings.name) : toScanReply(deps, requester.caller, scanRow)
}

type ScanUpdate = { settings: ScanSettings; version: number }

/** Replaces a scan's settings while they still have the version, or refuses with their errors. */
export const updateScan = (
  deps: ScanDeps,
  requester: Requester,
  scanId: string,
  update: ScanUpdate,
): Promise<ScanReply | Refusal> => retryWhenSharedRowsChange(() => tryUpdateScan(deps, requester, scanId, update))

async function tryUpdateScan(
  deps: ScanDeps,
  requester: Requester,
  scanId: string,
  update: ScanUpdate,
): Promise<ScanReply | Refusal> {
  const previousScan = await findScan(deps, scanId)
  const conflictRefusal = refuse('edit-conflict', { detail: 'The scan was changed since you opened it. Load it again.' })
  if (!previousScan || previousScan.version !== update.version) return conflictRefusal
  const refusal = await checkReceiverQuota(deps, update.settings, previousScan.settings)
  if (refusal) return refusal
  const preparedSave = await prepareSave(deps, requester, scanId, update.settings, previousScan.settings)
  if (!preparedSave.ok) {
    const fieldErrors = preparedSave.errors.map((error): FieldError => ({
      ...error,
      path: `settings.${error.path}`,
    }))
    return refuse('validation-failed', { errors: fieldErrors })
  }
  const scanRow = await replaceSettings(deps, scanId, update.version, preparedSave.settings, preparedSave)
  if (scanRow === 'name-taken') return refuseTakenName('settings.name', update.settings.name)
  return scanRow === 'edit-conflict' ? conflictRefusal : toScanReply(deps, requester.caller, scanRow)
}

/** Deletes a scan: hidden at once, its rows are deleted later. */
export async function deleteScan(deps: ScanDeps, scanId: string): Promise<void | Refusal> {
  const deletion = await markDeleted(deps, scanId)
  if (deletion === 'not-found') return refuse('not-found')
  const { cancelledRunId: runId } = deletion
  if (runId) await deps.pubSub.publish({ kind: 'cancelled', runId })
}

/** Lets the next runs open a link again that ended the session of a run. */
export async function forgetSignOut(deps: ScanDeps, scanId: string, pattern: string): Promise<void | Refusal> {
  if (!(await removeSignOutUrl(deps, scanId, pattern))) return refuse('not-found')
}

/** Ends the offer to drive the pages of a scan, which stays off. */
export const declineDriving = (deps: ScanDeps, scanId: string): Promise<void> => endDrivingOffer(deps, scanId)

export const validateName = (deps: ScanDeps, name: string, exceptId?: string) =>
  checkName({
    name,
    maxLength: deps.limits.nameLength,
    nounInMessage: 'scan',
    isTaken: (trimmed) => isNameTaken(deps, trimmed, exceptId),
  })

export async function setFavoriteScan(deps: ScanDeps, caller: Caller, scanId: string, isFavorite: boolean) {
  await setFavorite(deps, caller.id, scanId, isFavorite)
  return getScan(deps, caller, scanId)
}
