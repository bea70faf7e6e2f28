import type { PageSelection } from '@clearway/contract/monitor/page/bulk/schema.ts'
import { type BlobAnswer, type Caller, refuse } from '../../../kit/http/answer.ts'
import { type Cell, csvStream, listStream, mapRows, type Portions } from '../../../kit/csv/write.ts'
import { xlsxStream } from '../../../kit/xlsx.ts'
import { allowedScans, getMaxRank, visibleScans } from '../../access/store.ts'
import type { MonitorDb } from '../../database.ts'
import { recountRuns } from '../../issue/recount/store.ts'
import { pageSummary } from '../service.ts'
import { runsInView } from '../store.ts'
import { countSelected, deletePages, type SelectedPages, streamPages } from './store.ts'

type Deps = { db: MonitorDb }
type Visible = SelectedPages['visible']
type Summary = ReturnType<typeof pageSummary>

const selectionOf = (visible: Visible, { filters, selected }: PageSelection): SelectedPages => ({
  visible,
  runs: runsInView(visible, filters),
  filters,
  selection: {
    selectAllMode: selected.selectAllMode,
    ids: selected.selectedPages,
    except: selected.deselectedPages,
  },
})

export const selectedPageCount = async (deps: Deps, caller: Caller, body: PageSelection) => ({
  count: await countSelected(deps.db, selectionOf(visibleScans(caller), body)),
})

/** Deletes what is selected, as far as the caller's roles allow it and no run is working on it. */
export async function removePages(deps: Deps, caller: Caller, body: PageSelection) {
  const selected = selectionOf(visibleScans(caller), body)
  const { changed, skipped } = await deletePages({ ...deps, recountRuns }, selected, getMaxRank('scan.curate'))
  return { success: true as const, changed, skipped }
}

export async function removePage(deps: Deps, caller: Caller, id: string) {
  const only: PageSelection = {
    filters: { scanId: [], pageId: [], status: [], health: [], failure: [], exclusion: [], source: [] },
    selected: { selectAllMode: false, selectedPages: [id as never], deselectedPages: [] },
  }
  const selected = selectionOf(visibleScans(caller), only)
  const { active } = await deletePages({ ...deps, recountRuns }, selected, getMaxRank('scan.curate'))
  return active
    ? refuse('run-active', { detail: 'The run goes on. Wait for its end, or cancel it.' })
    : undefined
}

const columns: readonly (readonly [string, (page: Summary) => Cell])[] = [
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
]
const names = columns.map(([name]) => name)
const cells = (page: Summary) => columns.map(([, cell]) => cell(page))

type Writer = (pages: Portions<Summary>) => AsyncIterable<string | Uint8Array>
const formats: Readonly<Record<'csv' | 'json' | 'xlsx', { type: string; write: Writer }>> = {
  csv: { type: 'text/csv; charset=utf-8', write: (pages) => csvStream(names, mapRows(pages, cells)) },
  json: {
    type: 'application/json; charset=utf-8',
    write: (pages) =>
      listStream(
        `{"format":"clearway-pages","version":1,"exportedAt":"${new Date().toISOString()}","pages":[\n`,
        mapRows(pages, (page) => JSON.stringify(page)),
        '\n]}\n',
      ),
  },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (pages) => xlsxStream('Pages', names, mapRows(pages, cells)),
  },
}

/** All selected pages that the caller may export, as they come from the database. */
export function exportPages(
  deps: Deps,
  caller: Caller,
  body: PageSelection,
  format: keyof typeof formats,
): Promise<BlobAnswer> {
  const { type, write } = formats[format]
  const rows = streamPages(deps.db, selectionOf(allowedScans(caller, 'scan.export'), body))
  return Promise.resolve({
    bytes: write(mapRows(rows, pageSummary)),
    type,
    headers: { 'content-disposition': `attachment; filename="pages.${format}"` },
  })
}
