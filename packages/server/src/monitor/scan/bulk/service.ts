import {
  type BulkScanPatch,
  mostStarts,
  type ScanSelection,
} from '@clearway/contract/monitor/scan/bulk/schema.ts'
import { type BlobAnswer, type Caller, isRefusal, refuse } from '../../../kit/http/answer.ts'
import { type Cell, csvStream, mapRows } from '../../../kit/csv/write.ts'
import type { FieldError } from '@clearway/contract/kit/problem.ts'
import type { PubSub } from '../../../kit/pub-sub.ts'
import { pageReply } from '../../../kit/paging.ts'
import { StoredDataError } from '../../../kit/stored.ts'
import { allowedScans, getMaxRank } from '../../access/store.ts'
import { formerMemberName } from '../../access/table.ts'
import type { MonitorDb } from '../../database.ts'
import { getAssignedSettings } from '../../preset/service.ts'
import { startRun } from '../../run/service.ts'
import { openIssuesOf, pagesByHealthOf, summaryOf } from '../../run/summary/service.ts'
import { viewOf } from '../service.ts'
import {
  activity,
  changeScans,
  describeSelected,
  type ExportedScan,
  markSelectedDeleted,
  scoresOf,
  scriptTypes,
  selectedIds,
  type SelectedScans,
  setTags,
  tagsOfScans,
  setFavorites,
  streamScans,
  withPresets,
} from './store.ts'

type Deps = { db: MonitorDb; pubSub: PubSub }

const selectionOf = (caller: Caller, body: ScanSelection): SelectedScans => ({
  view: viewOf(caller),
  filters: body.filters,
  selection: { selectAllMode: body.selectAllMode, ids: body.selectedScans, except: body.deselectedScans },
})

export const describeScans = (deps: Deps, caller: Caller, body: ScanSelection) =>
  describeSelected(deps.db, selectionOf(caller, body), getMaxRank('scan.manage'))

/** What is wrong with the scripts and the preset that a body names. */
async function patchErrors(deps: Deps, body: BulkScanPatch): Promise<FieldError[]> {
  const { sharedTaskScripts: tasks = [], sharedSessionScript: session, presetId } = body
  const types = await scriptTypes(deps.db, session ? [...tasks, session] : tasks)
  const unknown = (path: string, value: string): FieldError => ({
    path,
    code: 'unknown-value',
    params: { value },
  })
  return [
    ...tasks.flatMap((id, place) =>
      types.get(id) === 'TASK' ? [] : [unknown(`sharedTaskScripts.${place}`, id)],
    ),
    ...(session && types.get(session) !== 'SESSION' ? [unknown('sharedSessionScript', session)] : []),
    ...(presetId && !(await getAssignedSettings(deps, presetId)) ? [unknown('presetId', presetId)] : []),
  ]
}

/** Applies shared scripts or a preset to what is selected. */
export async function patchScans(deps: Deps, caller: Caller, body: BulkScanPatch) {
  const errors = await patchErrors(deps, body)
  if (errors.length > 0) return refuse('validation-failed', { errors })
  const { sharedTaskScripts: tasks = [], sharedSessionScript: session = null, presetId = null } = body
  if (tasks.length === 0 && session === null && presetId === null)
    return refuse('validation-failed', { errors: [{ path: 'presetId', code: 'required', params: {} }] })
  const change = { tasks, session, preset: presetId && (await getAssignedSettings(deps, presetId)) }
  const result = await changeScans(deps.db, selectionOf(caller, body), getMaxRank('scan.manage'), change)
  return { success: true as const, ...result }
}

/** Adds tags to what is selected, and removes others. */
export async function tagScans(
  deps: Deps,
  caller: Caller,
  body: ScanSelection & { add: readonly string[]; remove: readonly string[] },
) {
  const result = await setTags(deps.db, selectionOf(caller, body), getMaxRank('scan.manage'), body)
  return { success: true as const, ...result }
}

export const tagsFor = async (deps: Deps, caller: Caller) => ({
  content: await tagsOfScans(deps.db, viewOf(caller)),
})

/** Starts a run; null for a scan whose settings cannot be read: the others start all the same. */
const startIfSound = (deps: Deps, caller: Caller, id: string) =>
  startRun(deps, caller, id).catch((error: unknown) => {
    if (error instanceof StoredDataError) return null
    throw error
  })

/** Queues a run of each selected scan, by name, until the caller has as many as one person may. */
export async function startScans(deps: Deps, caller: Caller, body: ScanSelection) {
  const scans = await selectedIds(deps.db, selectionOf(caller, body), mostStarts)
  if (scans.length > mostStarts)
    return refuse('too-large', { detail: `Runs of ${mostStarts} scans at most are started at once.` })
  const startable = scans.filter(({ rank }) => rank <= getMaxRank('scan.run'))
  const result = { changed: 0, skipped: scans.length - startable.length, active: 0, overQuota: 0 }
  for (const [place, { id }] of startable.entries()) {
    const run = await startIfSound(deps, caller, id)
    // Unreadable, or deleted meanwhile.
    if (run === null || (isRefusal(run) && run.code === 'not-found')) result.skipped++
    else if (!isRefusal(run)) result.changed++
    else if (run.code === 'run-active') result.active++
    else {
      result.overQuota = startable.length - place
      break
    }
  }
  return { success: true as const, ...result }
}

export async function favorites(deps: Deps, caller: Caller, body: ScanSelection & { favorite: boolean }) {
  const changed = await setFavorites(deps.db, selectionOf(caller, body), body.favorite)
  return { success: true as const, changed, skipped: 0 }
}

/** Deletes what is selected: gone at once, the rows a little later. */
export async function removeScans(deps: Deps, caller: Caller, body: ScanSelection) {
  const { runs, ...result } = await markSelectedDeleted(
    deps.db,
    selectionOf(caller, body),
    getMaxRank('scan.manage'),
  )
  for (const runId of runs) await deps.pubSub.publish({ kind: 'cancelled', runId })
  return { success: true as const, ...result }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000

export async function scoresFor(deps: Deps, caller: Caller, ids: readonly string[]) {
  const rows = await scoresOf(deps.db, viewOf(caller), ids)
  return {
    content: rows.map(({ scan_id, last, before }) => ({
      scanId: scan_id,
      score: last?.score ?? null,
      scoreChange: last?.score != null && before !== null ? round(last.score - before) : null,
      runNumber: last?.number ?? null,
      endedAt: last?.ended_at ? new Date(last.ended_at).toISOString() : null,
      openIssues: last && openIssuesOf(last),
      pagesByHealth: last && pagesByHealthOf(last),
    })),
  }
}

export async function activityFor(
  deps: Deps,
  caller: Caller,
  query: { scanId: readonly string[]; page: number; size: number },
) {
  const { rows, total } = await activity(deps.db, viewOf(caller), query)
  const content = rows.map((row) => ({ scanId: row.scan_id, scanName: row.scan_name, run: summaryOf(row) }))
  return pageReply(content, total, query)
}

export async function presetsFor(
  deps: Deps,
  caller: Caller,
  query: { search?: string | undefined; presetId: readonly string[]; page: number; size: number },
) {
  const { rows, total } = await withPresets(deps.db, viewOf(caller), query)
  return pageReply(rows, total, query)
}

const columns: readonly (readonly [string, (scan: ExportedScan) => Cell])[] = [
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
]

/** All selected scans that the caller may export, as they come from the database. */
export function exportScans(deps: Deps, caller: Caller, body: ScanSelection): Promise<BlobAnswer> {
  const selected = selectionOf(caller, body)
  const view = { ...selected.view, visible: allowedScans(caller, 'scan.export') }
  const rows = mapRows(streamScans(deps.db, { ...selected, view }), (scan) =>
    columns.map(([, cell]) => cell(scan)),
  )
  return Promise.resolve({
    bytes: csvStream(
      columns.map(([name]) => name),
      rows,
    ),
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': 'attachment; filename="scans.csv"' },
  })
}
