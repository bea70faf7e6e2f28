import { type BulkScanPatch, maxBulkStarts, type ScanSelection } from '@clearway/contract/monitor/scan/bulk/schema.ts'
import { type BlobReply, type Caller, isRefusal, refuse } from '../../../kit/http/answer.ts'
import { type CsvCell, streamCsv, mapRows } from '../../../kit/csv/write.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import { inTransaction } from '../../../kit/database.ts'
import { refuseUnclearSelection } from '../../../kit/selection.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import { buildPageReply } from '../../../kit/paging.ts'
import { StoredDataError } from '../../../kit/stored.ts'
import { allowedScans, getMaxRank } from '../../access/store.ts'
import { formerMemberName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { getAssignedSettings } from '../../preset/service.ts'
import { startRun } from '../../run/service.ts'
import { getOpenIssues, getPagesByHealth, getScoreChange, toRunSummary } from '../../run/summary/service.ts'
import { lockSharedRows } from '../save/store.ts'
import { createScanView } from '../service.ts'
import {
  readActivity,
  changeScans,
  describeSelected,
  type ExportedScan,
  markSelectedDeleted,
  readScores,
  findScriptTypes,
  readSelectedScans,
  type SelectedScans,
  setTags,
  readTags,
  setFavorites,
  streamScans,
  readScansWithPresets,
} from './store.ts'

type BulkDeps = { db: MonitorDb; pubSub: PubSub }

const toSelection = (caller: Caller, body: ScanSelection): SelectedScans => ({
  view: createScanView(caller),
  filters: body.filters,
  selection: { selectAllMode: body.selectAllMode, ids: body.selectedScans, except: body.deselectedScans },
})

export const describeScans = (deps: BulkDeps, caller: Caller, body: ScanSelection) =>
  describeSelected(deps.db, toSelection(caller, body), getMaxRank('scan.manage'))

/** Refuses to change scans that may not be meant; null for a clear selection. */
const refuseUnclearScans = (deps: BulkDeps, caller: Caller, body: ScanSelection) =>
  refuseUnclearSelection(body, async () => (await describeScans(deps, caller, body)).count)

async function findPatchErrors(deps: { db: MonitorDb }, body: BulkScanPatch): Promise<FieldError[]> {
  const { sharedTaskScripts: taskScriptIds = [], sharedSessionScript: sessionScriptId, presetId } = body
  const typesById = await findScriptTypes(deps.db, sessionScriptId ? [...taskScriptIds, sessionScriptId] : taskScriptIds)
  const createUnknownValueError = (errorPath: string, value: string): FieldError => ({
    path: errorPath,
    code: 'unknown-value',
    params: { value },
  })
  return [
    ...taskScriptIds.flatMap((scriptId, position) =>
      typesById.get(scriptId) === 'TASK' ? [] : [createUnknownValueError(`sharedTaskScripts.${position}`, scriptId)],
    ),
    ...(sessionScriptId && typesById.get(sessionScriptId) !== 'SESSION'
      ? [createUnknownValueError('sharedSessionScript', sessionScriptId)]
      : []),
    ...(presetId && !(await getAssignedSettings(deps, presetId)) ? [createUnknownValueError('presetId', presetId)] : []),
  ]
}

export async function patchScans(deps: BulkDeps, caller: Caller, body: BulkScanPatch) {
  const { sharedTaskScripts: taskScriptIds = [], sharedSessionScript: sessionScriptId = null, presetId = null } = body
  if (taskScriptIds.length === 0 && sessionScriptId === null && presetId === null)
    return refuse('validation-failed', { errors: [{ path: 'presetId', code: 'required', params: {} }] })
  const refusal = await refuseUnclearScans(deps, caller, body)
  if (refusal) return refusal
  return inTransaction(deps.db, async (trx) => {
    const scriptIds = sessionScriptId === null ? taskScriptIds : [...taskScriptIds, sessionScriptId]
    // Checked under locks, so that nothing applied to scans can be deleted or changed in between.
    await lockSharedRows(trx, { presets: [presetId], scripts: scriptIds })
    const fieldErrors = await findPatchErrors({ db: trx }, body)
    if (fieldErrors.length > 0) return refuse('validation-failed', { errors: fieldErrors })
    const scanChange = {
      tasks: taskScriptIds,
      session: sessionScriptId,
      preset: presetId && (await getAssignedSettings({ db: trx }, presetId)),
    }
    const changeResult = await changeScans(trx, toSelection(caller, body), getMaxRank('scan.manage'), scanChange)
    return { success: true as const, ...changeResult }
  })
}

export async function tagScans(
  deps: BulkDeps,
  caller: Caller,
  body: ScanSelection & { add: readonly string[]; remove: readonly string[] },
) {
  const refusal = await refuseUnclearScans(deps, caller, body)
  if (refusal) return refusal
  const tagResult = await setTags(deps.db, toSelection(caller, body), getMaxRank('scan.manage'), body)
  return { success: true as const, ...tagResult }
}

export const listTags = async (deps: BulkDeps, caller: Caller) => ({ content: await readTags(deps.db, createScanView(caller)) })

/** Starts a run; null for a scan with unreadable settings, so that all others still start. */
const startIfReadable = (deps: BulkDeps, caller: Caller, scanId: string) =>
  startRun(deps, caller, scanId).catch((error: unknown) => {
    if (error instanceof StoredDataError) return null
    throw error
  })

/** Queues a run of each selected scan, by name, until the caller reaches their quota. */
export async function startScans(deps: BulkDeps, caller: Caller, body: ScanSelection) {
  const refusal = await refuseUnclearScans(deps, caller, body)
  if (refusal) return refusal
  const selectedScans = await readSelectedScans(deps.db, toSelection(caller, body), maxBulkStarts)
  if (selectedScans.length > maxBulkStarts)
    return refuse('too-large', { detail: `At most ${maxBulkStarts} runs can be started at once.` })
  const startableScans = selectedScans.filter(({ rank }) => rank <= getMaxRank('scan.run'))
  const startResult = { changed: 0, skipped: selectedScans.length - startableScans.length, active: 0, overQuota: 0 }
  for (const [position, { id: scanId }] of startableScans.entries()) {
    const startedRun = await startIfReadable(deps, caller, scanId)
    // Unreadable, or deleted in the meantime.
    if (startedRun === null || (isRefusal(startedRun) && startedRun.code === 'not-found')) startResult.skipped++
    else if (!isRefusal(startedRun)) startResult.changed++
    else if (startedRun.code === 'run-active') startResult.active++
    else {
      startResult.overQuota = startableScans.length - position
      break
    }
  }
  return { success: true as const, ...startResult }
}

export async function setFavoriteScans(deps: BulkDeps, caller: Caller, body: ScanSelection & { favorite: boolean }) {
  const refusal = await refuseUnclearScans(deps, caller, body)
  if (refusal) return refusal
  const changedCount = await setFavorites(deps.db, toSelection(caller, body), body.favorite)
  return { success: true as const, changed: changedCount, skipped: 0 }
}

/** Deletes the selected scans: they are hidden at once, their rows are deleted later. */
export async function removeScans(deps: BulkDeps, caller: Caller, body: ScanSelection) {
  const refusal = await refuseUnclearScans(deps, caller, body)
  if (refusal) return refusal
  const { runs: cancelledRunIds, ...deletion } = await markSelectedDeleted(
    deps.db,
    toSelection(caller, body),
    getMaxRank('scan.manage'),
  )
  for (const runId of cancelledRunIds) await deps.pubSub.publish({ kind: 'cancelled', runId })
  return { success: true as const, ...deletion }
}

export async function listScores(deps: BulkDeps, caller: Caller, scanIds: readonly string[]) {
  const scoreRows = await readScores(deps.db, createScanView(caller), scanIds)
  return {
    content: scoreRows.map(({ scan_id, last, change }) => ({
      scanId: scan_id,
      score: last?.score ?? null,
      ...getScoreChange(change),
      ignoredIssues: last && last.ignored,
      runNumber: last?.number ?? null,
      endedAt: last?.ended_at ? new Date(last.ended_at).toISOString() : null,
      openIssues: last && getOpenIssues(last),
      pagesByHealth: last && getPagesByHealth(last),
    })),
  }
}

export async function listActivity(
  deps: BulkDeps,
  caller: Caller,
  query: { scanId: readonly string[]; page: number; size: number },
) {
  const { rows: activityRows, total: totalRuns } = await readActivity(deps.db, createScanView(caller), query)
  const activityReplies = activityRows.map((row) => ({ scanId: row.scan_id, scanName: row.scan_name, run: toRunSummary(row) }))
  return buildPageReply(activityReplies, totalRuns, query)
}

export async function listScansWithPresets(
  deps: BulkDeps,
  caller: Caller,
  query: { search?: string | undefined; presetId: readonly string[]; page: number; size: number },
) {
  const { rows: scanRows, total: totalScans } = await readScansWithPresets(deps.db, createScanView(caller), query)
  return buildPageReply(scanRows, totalScans, query)
}

const exportColumns: readonly (readonly [string, (scan: ExportedScan) => CsvCell])[] = [
  ['Scan', (scan) => scan.scan_name],
  ['Type', (scan) => scan.type],
  ['Start URL', (scan) => scan.url],
  ['Owner', (scan) => scan.owner ?? formerMemberName],
  ['Run', (scan) => scan.number],
  ['Ended at', (scan) => scan.ended_at?.toISOString() ?? null],
  ['Score', (scan) => scan.score],
  ['Pages completed', (scan) => scan.completed],
  ['Pages failed', (scan) => scan.failed],
  ['Critical issues', (scan) => scan.critical],
  ['Serious issues', (scan) => scan.serious],
  ['Moderate issues', (scan) => scan.moderate],
  ['Minor issues', (scan) => scan.minor],
  ['Needs review', (scan) => scan.needs_review],
  ['Critical pages', (scan) => scan.health_critical],
  ['Serious pages', (scan) => scan.health_serious],
  ['Moderate pages', (scan) => scan.health_moderate],
  ['Good pages', (scan) => scan.health_good],
  ['Scan id', (scan) => scan.id],
  ['Tags', (scan) => scan.tags.join(', ')],
  ['Known URLs not tested (page limit)', (scan) => scan.over_limit],
  ['Ignored issues', (scan) => scan.ignored],
]

export function exportScans(deps: BulkDeps, caller: Caller, body: ScanSelection): Promise<BlobReply> {
  const selection = toSelection(caller, body)
  const exportView = { ...selection.view, visible: allowedScans(caller, 'scan.export') }
  const csvRows = mapRows(streamScans(deps.db, { ...selection, view: exportView }), (scan) =>
    exportColumns.map(([, cell]) => cell(scan)),
  )
  return Promise.resolve({
    bytes: streamCsv(
      exportColumns.map(([name]) => name),
      csvRows,
    ),
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="scans.csv"' },
  })
}
