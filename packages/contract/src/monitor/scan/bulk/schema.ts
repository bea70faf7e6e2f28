import * as z from 'zod/mini'
import { PresetId, ScanId } from '../../../kit/id.ts'
import { paging, queryList, searchText } from '../../../kit/paging.ts'
import { BulkResult, idList } from '../../../kit/selection.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { ImpactCounts } from '../../ruleset/schema.ts'
import { HealthCounts, RunSummary, Score } from '../../run/schema.ts'
import { mostScanTags, ScanFilter, ScanTag } from '../schema.ts'

/** Which scans: those named, or all that the filters match less those named. */
export const ScanSelection = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedScans: idList(ScanId),
  deselectedScans: idList(ScanId),
  filters: z.prefault(ScanFilter, {}),
})
export type ScanSelection = z.output<typeof ScanSelection>

/** What changes on many scans: shared task scripts are added, a shared session script takes the place of the one there is. */
export const BulkScanPatch = z.extend(ScanSelection, {
  sharedTaskScripts: z.optional(z.array(z.uuid()).check(z.maxLength(50))),
  sharedSessionScript: z.optional(z.uuid()),
  /** Scans that have a preset already are left alone, and counted as ignored. */
  presetId: z.optional(PresetId),
})
export type BulkScanPatch = z.output<typeof BulkScanPatch>
export const BulkScanResult = z.extend(BulkResult, { ignored: Count })
const tags = z._default(z.array(ScanTag).check(z.maxLength(mostScanTags)), [])
/** Tags that many scans get and lose. Scans that would have too many are left alone, and counted as ignored. */
export const BulkScanTags = z.extend(ScanSelection, { add: tags, remove: tags })
export const ScanTagCount = z.object({ tag: z.string(), scans: Count })
/** The most scans whose runs are started at once. */
export const mostStarts = 500
/** What became of the scans: not started are those that the role forbids, that run already, and that the quota forbids. */
export const BulkStartResult = z.extend(BulkResult, { active: Count, overQuota: Count })
export const BulkScanConfig = z.extend(ScanSelection, { favorite: z.boolean() })

/** What is selected, as a dialog shows it; the first five hundred by name. */
export const SelectedScans = z.object({
  count: Count,
  /** Those that the caller may change. */
  manageable: Count,
  withPreset: Count,
  withSessionScript: Count,
  scans: z.array(z.object({ id: ScanId, name: z.string() })),
})

export const ScanScores = z.object({
  scanId: ScanId,
  score: Score,
  scoreChange: z.nullable(z.number()),
  runNumber: z.nullable(Count),
  endedAt: z.nullable(Instant),
  openIssues: z.nullable(ImpactCounts),
  pagesByHealth: z.nullable(HealthCounts),
})
export const ScanScoresQuery = z.object({ scanId: queryList(ScanId) })

/** Active runs, then the runs that ended last. */
export const ScanActivity = z.object({ scanId: ScanId, scanName: z.string(), run: RunSummary })
export const ScanActivityQuery = z.object({ ...paging, scanId: queryList(ScanId) })

export const ScanWithPreset = z.object({
  scanId: ScanId,
  scanName: z.string(),
  presetId: z.nullable(z.string()),
  presetName: z.nullable(z.string()),
})
export const WithPresetsQuery = z.object({
  ...paging,
  search: searchText,
  presetId: queryList(z.uuid()),
})
