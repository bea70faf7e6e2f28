import type { ScanId } from '@clearway/contract/kit/id.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import type { ScanSelection } from '@clearway/contract/monitor/scan/bulk/schema.ts'
import type * as z from 'zod/mini'
import { buildUrl } from '../../../kit/client/client.ts'
import type { DownloadState } from '../../../kit/client/use-download.ts'
import { confirmEverything, type Selection } from '../../../kit/table/use-selection.ts'
import type { ScanSearch } from '../model.ts'

export type ScanSelectionBody = z.input<typeof ScanSelection>

/** Returns the selection as the server expects it: ids, or filters with excluded ids. @param matchCount number of scans that match the filters */
export function toSelectionBody(
  { q: searchText, show, tag }: ScanSearch,
  { all, ids: selectedIds }: Selection,
  matchCount?: number,
): ScanSelectionBody {
  const scanIds = [...selectedIds] as ScanId[]
  const selectionFilters = {
    search: searchText || undefined,
    favorites: show === 'favorites',
    mine: show === 'mine',
    tag: tag === '' ? [] : [tag],
  }
  return all
    ? { selectAllMode: true, deselectedScans: scanIds, ...confirmEverything(selectionFilters, matchCount, scanIds.length) }
    : { selectAllMode: false, selectedScans: scanIds }
}

export const exportScans = (download: DownloadState, selectionBody: ScanSelectionBody) =>
  download.start(buildUrl(monitorApi.exportScansCsv, {}), selectionBody, { name: 'scans', extension: 'csv' })
