import type { PageSelection } from '@clearway/contract/monitor/page/bulk/schema.ts'
import { type BlobReply, type Caller, refuse } from '../../../kit/http/answer.ts'
import { type CsvCell, streamCsv, streamList, mapRows, type RowBatches } from '../../../kit/csv/write.ts'
import { streamXlsx } from '../../../kit/xlsx.ts'
import { refuseUnclearSelection } from '../../../kit/selection.ts'
import { allowedScans, getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { lockScans } from '../../issue/chosen/store.ts'
import { recountRuns } from '../../issue/recount/store.ts'
import { releasePages, removeFromRun, updateLastRun } from '../../issue/span/store.ts'
import { toPageSummary } from '../service.ts'
import { runsInView } from '../store.ts'
import { countSelected, deletePages, type SelectedPages, streamPages } from './store.ts'

type BulkDeps = { db: MonitorDb }
const issueFunctions = { lockScans, removeFromRun, updateLastRun, releasePages, recountRuns }
type VisibleScans = SelectedPages['visible']
type PageReply = ReturnType<typeof toPageSummary>

const toSelection = (visibleScanRows: VisibleScans, { filters, selected }: PageSelection): SelectedPages => ({
  visible: visibleScanRows,
  runs: runsInView(visibleScanRows, filters),
  filters,
  selection: { selectAllMode: selected.selectAllMode, ids: selected.selectedPages, except: selected.deselectedPages },
})

export const countSelectedPages = async (deps: BulkDeps, caller: Caller, body: PageSelection) => ({
  count: await countSelected(deps.db, toSelection(visibleScans(caller), body)),
})

/** Deletes the selected pages of ended runs, as far as the caller's roles allow. */
export async function removePages(deps: BulkDeps, caller: Caller, body: PageSelection) {
  const selectedPages = toSelection(visibleScans(caller), body)
  const { filters, expectedCount } = body
  const refusal = await refuseUnclearSelection({ selectAllMode: body.selected.selectAllMode, filters, expectedCount }, () =>
    countSelected(deps.db, selectedPages),
  )
  if (refusal) return refusal
  const { changed: changedCount, skipped: skippedCount } = await deletePages(
    { ...deps, ...issueFunctions },
    selectedPages,
    getMaxRank('scan.curate'),
  )
  return { success: true as const, changed: changedCount, skipped: skippedCount }
}

export async function removePage(deps: BulkDeps, caller: Caller, pageId: string) {
  const singleSelection: PageSelection = {
    filters: { scanId: [], pageId: [], status: [], health: [], failure: [], exclusion: [], source: [] },
    selected: { selectAllMode: false, selectedPages: [pageId as never], deselectedPages: [] },
  }
  const selectedPages = toSelection(visibleScans(caller), singleSelection)
  const { active: isRunActive } = await deletePages({ ...deps, ...issueFunctions }, selectedPages, getMaxRank('scan.curate'))
  return isRunActive ? refuse('run-active', { detail: 'The run is in progress. Wait until it ends, or cancel it.' }) : undefined
}

const exportColumns: readonly (readonly [string, (page: PageReply) => CsvCell])[] = [
  ['Scan', (page) => page.scanName],
  ['Run', (page) => page.runNumber],
  ['Page', (page) => page.url],
  ['Title', (page) => page.title],
  ['Status', (page) => page.status],
  ['Health', (page) => page.health],
  ['Critical', (page) => page.openIssues.critical],
  ['Serious', (page) => page.openIssues.serious],
  ['Moderate', (page) => page.openIssues.moderate],
  ['Minor', (page) => page.openIssues.minor],
  ['Needs review', (page) => page.openIssues.needsReview],
  ['Fixed', (page) => page.fixedIssues],
  ['Failure', (page) => page.failure],
  ['Exclusion', (page) => page.exclusion],
  ['HTTP status', (page) => page.httpStatus],
  ['Depth', (page) => page.depth],
  ['Source', (page) => page.source],
  ['Duration in ms', (page) => page.durationMs],
  ['Analysed at', (page) => page.analysedAt],
  ['Carried over from run', (page) => page.carriedFrom],
  ['Page id', (page) => page.id],
  ['Not tested in the previous run', ({ change }) => change && (change.isNew ? 'yes' : 'no')],
  ['Change of open issues', ({ change }) => change && change.openIssues],
  ['Not tested again', (page) => page.notRecheckedIssues],
]
const columnNames = exportColumns.map(([name]) => name)
const toCells = (page: PageReply) => exportColumns.map(([, cell]) => cell(page))

type PageWriter = (pages: RowBatches<PageReply>) => AsyncIterable<string | Uint8Array>
const exportFormats: Readonly<Record<'csv' | 'json' | 'xlsx', { type: string; write: PageWriter }>> = {
  csv: { type: 'text/csv; charset=utf-8', write: (pages) => streamCsv(columnNames, mapRows(pages, toCells)) },
  json: {
    type: 'application/json; charset=utf-8',
    write: (pages) =>
      streamList(
        `{"format":"clearway-pages","version":1,"exportedAt":"${new Date().toISOString()}","pages":[\n`,
        mapRows(pages, (page) => JSON.stringify(page)),
        '\n]}\n',
      ),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (pages) => streamXlsx('Pages', columnNames, mapRows(pages, toCells)),
  },
}

export function exportPages(
  deps: BulkDeps,
  caller: Caller,
  body: PageSelection,
  format: keyof typeof exportFormats,
): Promise<BlobReply> {
  const { type: contentType, write: writePages } = exportFormats[format]
  const pageRows = streamPages(deps.db, toSelection(allowedScans(caller, 'scan.export'), body))
  return Promise.resolve({
    bytes: writePages(mapRows(pageRows, toPageSummary)),
    type: contentType,
    headers: { 'content-disposition': `attachment; filename="pages.${format}"` },
  })
}
