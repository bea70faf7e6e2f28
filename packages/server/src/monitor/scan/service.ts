import type * as z from 'zod/mini'
import type { Limits } from '@clearway/contract/kit/limit.ts'
import { roleMay, type Role } from '@clearway/contract/kit/permission.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type {
  ScanListQuery,
  ScanSettings,
  StoredScanSettings,
} from '@clearway/contract/monitor/scan/schema.ts'
import { type Caller, type Refusal, refuse } from '../../kit/http/answer.ts'
import type { PubSub } from '../../kit/pub-sub.ts'
import { newId } from '../../kit/id.ts'
import { pageReply } from '../../kit/paging.ts'
import type { Requester } from '../access/grant/service.ts'
import { getRoleByRank, visibleScans } from '../access/store.ts'
import type { MonitorDb } from '../database.ts'
import { openIssuesOf, pagesByHealthOf, summaryOf } from '../run/summary/service.ts'
import { priorities, rightsOf, validityOf } from './model.ts'
import { prepareSave, presentedTo, type SaveDeps } from './save/service.ts'
import { quotasNow } from '../setting/service.ts'
import {
  countOwned,
  findListed,
  findScan,
  insertScan,
  type ListedScan,
  listScans,
  markDeleted,
  nameTaken,
  replaceSettings,
  scanNames,
  type ScanRow,
  setFavorite,
} from './store.ts'

export type ScanDeps = SaveDeps & { db: MonitorDb; limits: Limits; pubSub: PubSub }

export const scanNamesFor = (deps: ScanDeps, caller: Caller) => scanNames(deps, visibleScans(caller))

export const viewOf = (caller: Caller) => ({ visible: visibleScans(caller), viewerId: caller.id })

function summary(row: ListedScan, caller: Caller) {
  const { scan, lastCompleted, recent } = row
  const [before, now] = recent.slice(-2)
  const change = now?.score != null && before?.score != null ? now.score - before.score : null
  return {
    id: scan.id,
    name: scan.name,
    type: scan.type,
    urls: scan.urls,
    priority: priorities[scan.priority]!,
    favorite: row.favorite,
    mine: scan.owner_id === caller.id,
    owners: caller.guestOf === undefined ? [row.owner] : [],
    rights: rightsOf(getRoleByRank(row.rank)),
    score: lastCompleted?.score ?? null,
    scoreChange: change === null ? null : Math.round(change * 10_000) / 10_000,
    recentScores: recent,
    openIssues: lastCompleted && openIssuesOf(lastCompleted),
    pagesByHealth: lastCompleted && pagesByHealthOf(lastCompleted),
    groups: row.groups,
    tags: scan.tags,
    presetId: scan.preset_id,
    lastRun: row.lastRun && summaryOf(row.lastRun),
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    createdAt: scan.created_at.toISOString(),
  }
}

const stored = async (deps: ScanDeps, caller: Caller, row: ScanRow, mayEdit = true) => ({
  id: row.id,
  settings: await presentedTo(deps, caller, row.id, row.settings, mayEdit),
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
type Stored = Omit<z.output<typeof StoredScanSettings>, 'id'> & { id: string }

/** The scans that the caller may see. */
export async function scansFor(deps: ScanDeps, caller: Caller, query: z.output<typeof ScanListQuery>) {
  const { rows, total } = await listScans(deps, viewOf(caller), query)
  return pageReply(
    rows.map((row) => summary(row, caller)),
    total,
    query,
  )
}

/** One scan as the list shows it. */
export async function scanFor(deps: ScanDeps, caller: Caller, id: string) {
  const row = await findListed(deps, viewOf(caller), id)
  return row ? summary(row, caller) : refuse('not-found')
}

/** The settings of a scan, as the caller may read them. */
export async function settingsFor(
  deps: ScanDeps,
  id: string,
  caller: Caller,
  role: Role = 'scanAdmin',
): Promise<Stored | Refusal> {
  const row = await findScan(deps, id)
  return row ? stored(deps, caller, row, roleMay(role, 'scan.manage')) : refuse('not-found')
}

const taken = (path: string, value: string) =>
  refuse('name-taken', { errors: [{ path, code: 'name-taken', params: { value } }] })

/** A refusal of more people to write to than one scan may, where they become more; null when they may. */
async function refusedReceivers(
  deps: ScanDeps,
  settings: ScanSettings,
  before: ScanSettings | null,
): Promise<Refusal | null> {
  const { receivers: most } = await quotasNow(deps)
  const count = settings.notification.specificUsers.length
  if (count <= Math.max(most, before?.notification.specificUsers.length ?? 0)) return null
  return refuse('quota-receivers', { detail: `One scan writes to ${most} people at most, not ${count}.` })
}

/** Stores a new scan, or says what is wrong with it. */
export async function createScan(
  deps: ScanDeps,
  asker: Requester,
  settings: ScanSettings,
): Promise<Stored | Refusal> {
  const id = newId()
  const { scans: most } = await quotasNow(deps)
  if ((await countOwned(deps, asker.caller.id)) >= most)
    return refuse('quota-scans', { detail: `One person has ${most} scans at most.` })
  const refused = await refusedReceivers(deps, settings, null)
  if (refused) return refused
  const prepared = await prepareSave(deps, asker, id, settings, null)
  if (!prepared.ok) return refuse('validation-failed', { errors: prepared.errors })
  const scan = { id, accessId: newId(), ownerId: asker.caller.id, settings: prepared.settings }
  const row = await insertScan(deps, scan, prepared.also)
  return row === 'name-taken' ? taken('name', settings.name) : stored(deps, asker.caller, row)
}

export async function updateScan(
  deps: ScanDeps,
  asker: Requester,
  id: string,
  update: { settings: ScanSettings; version: number },
): Promise<Stored | Refusal> {
  const before = await findScan(deps, id)
  const conflict = refuse('edit-conflict', {
    detail: 'The scan was changed since you opened it. Load it again.',
  })
  if (!before || before.version !== update.version) return conflict
  const refused = await refusedReceivers(deps, update.settings, before.settings)
  if (refused) return refused
  const prepared = await prepareSave(deps, asker, id, update.settings, before.settings)
  if (!prepared.ok) {
    const errors = prepared.errors.map((error): FieldError => ({ ...error, path: `settings.${error.path}` }))
    return refuse('validation-failed', { errors })
  }
  const row = await replaceSettings(deps, id, update.version, prepared.settings, prepared)
  if (row === 'name-taken') return taken('settings.name', update.settings.name)
  return row === 'edit-conflict' ? conflict : stored(deps, asker.caller, row)
}

/** Deletes a scan: it is gone at once, its rows a little later. */
export async function deleteScan(deps: ScanDeps, id: string): Promise<void> {
  const runId = await markDeleted(deps, id)
  if (runId) await deps.pubSub.publish({ kind: 'cancelled', runId })
}

/** Whether a scan can have that name. */
export const validateName = (deps: ScanDeps, name: string, exceptId?: string) =>
  validityOf({
    name,
    max: deps.limits.nameLength,
    what: 'scan',
    isTaken: (trimmed) => nameTaken(deps, trimmed, exceptId),
  })

export async function favorite(deps: ScanDeps, caller: Caller, id: string, on: boolean) {
  await setFavorite(deps, caller.id, id, on)
  return scanFor(deps, caller, id)
}
