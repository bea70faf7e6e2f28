import * as z from 'zod/mini'
import { define } from '../../../kit/endpoint.ts'
import { pageOf } from '../../../kit/paging.ts'
import { BulkResult } from '../../../kit/selection.ts'
import {
  BulkScanConfig,
  BulkScanPatch,
  BulkScanResult,
  ScanActivity,
  ScanActivityQuery,
  ScanScores,
  ScanScoresQuery,
  ScanSelection,
  ScanWithPreset,
  SelectedScans,
  WithPresetsQuery,
} from './schema.ts'

/** Calls on many scans. Each works on what the caller may see, as far as his roles allow it. */
export const scanBulkApi = define({
  fetchScanScores: {
    method: 'GET',
    path: '/scan/fetchScanScores',
    permission: 'list',
    summary: 'Scores of scans: of those named, else of all that you may see',
    query: ScanScoresQuery,
    reply: z.object({ content: z.array(ScanScores) }),
  },
  scanActivity: {
    method: 'GET',
    path: '/scan/activity',
    permission: 'list',
    summary: 'Runs that go on, then those that ended last',
    query: ScanActivityQuery,
    reply: pageOf(ScanActivity),
  },
  scansWithPresets: {
    method: 'GET',
    path: '/scan/withPresets',
    permission: 'user',
    summary: 'Scans with the presets that are assigned to them',
    query: WithPresetsQuery,
    reply: pageOf(ScanWithPreset),
  },
  selectedScans: {
    method: 'POST',
    path: '/bulk/scans/selected',
    permission: 'list',
    summary: 'What is selected',
    body: ScanSelection,
    reply: SelectedScans,
  },
  updateScans: {
    method: 'PATCH',
    path: '/bulk/scans',
    permission: 'user',
    summary: 'Applies shared scripts or a preset to many scans',
    body: BulkScanPatch,
    reply: BulkScanResult,
  },
  configureScans: {
    method: 'POST',
    path: '/bulk/scans/config',
    permission: 'user',
    summary: 'Sets or clears the favourite mark of the caller on many scans',
    body: BulkScanConfig,
    reply: BulkResult,
  },
  deleteScans: {
    method: 'POST',
    path: '/bulk/scans/delete',
    permission: 'user',
    summary: 'Deletes many scans',
    body: ScanSelection,
    reply: BulkResult,
  },
  exportScansCsv: {
    method: 'POST',
    path: '/scan/export/csv',
    permission: 'user',
    summary: 'Scans as CSV, with score and issues of the newest completed run',
    body: ScanSelection,
    reply: { blob: 'text/csv' },
  },
})
