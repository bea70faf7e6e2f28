import * as z from 'zod/mini'
import { PresetId, ScanId } from '../../../kit/id.ts'
import { pagingQuery, queryList, searchTextQuery } from '../../../kit/paging.ts'
import { BulkResult, createIdList, expectedCountField } from '../../../kit/selection.ts'
import { Count } from '../../../kit/count.ts'
import { Instant } from '../../../kit/time.ts'
import { ImpactCounts } from '../../ruleset/schema.ts'
import { HealthCounts, RunSummary, Score } from '../../run/schema.ts'
import { maxScanTags, ScanFilter, ScanTag } from '../schema.ts'

/** Selection of scans: the given ones, or all that match the filters except the given ones. */
export const ScanSelection = z.strictObject({
  selectAllMode: z._default(z.boolean(), false),
  selectedScans: createIdList(ScanId),
  deselectedScans: createIdList(ScanId),
  filters: z.prefault(ScanFilter, {}),
  ...expectedCountField,
})
export type ScanSelection = z.output<typeof ScanSelection>

/** Change of many scans: shared task scripts are added, a shared session script replaces the existing one. */
export const BulkScanPatch = z.extend(ScanSelection, {
  sharedTaskScripts: z.optional(z.array(z.uuid()).check(z.maxLength(50))),
  sharedSessionScript: z.optional(z.uuid()),
  /** Scans with a preset are skipped and counted as ignored. */
  presetId: z.optional(PresetId),
})
export type BulkScanPatch = z.output<typeof BulkScanPatch>
export const BulkScanResult = z.extend(BulkResult, { ignored: Count })
const bulkTagsSchema = z._default(z.array(ScanTag).check(z.maxLength(maxScanTags)), [])
/** Tags to add to and remove from many scans. Scans that would have too many are skipped and counted as ignored. */
export const BulkScanTags = z.extend(ScanSelection, { add: bulkTagsSchema, remove: bulkTagsSchema })
export const ScanTagCount = z.object({ tag: z.string(), scans: Count })
/** Maximum number of scans whose runs are started at once. */
export const maxBulkStarts = 500
/** Result of a bulk start. Skipped are scans that the role forbids, that are already running, and that the quota forbids. */
export const BulkStartResult = z.extend(BulkResult, { active: Count, overQuota: Count })
export const BulkScanConfig = z.extend(ScanSelection, { favorite: z.boolean() })

/** The selection as displayed in a dialog; the first five hundred by name. */
export const SelectedScans = z.object({
  count: Count,
  /** Scans that the caller may change. */
  manageable: Count,
  withPreset: Count,
  withSessionScript: Count,
  scans: z.array(z.object({ id: ScanId, name: z.string() })),
})

export const ScanScores = z.object({
  scanId: ScanId,
  score: Score,
  /** Since the previous run, with the same ignored issues in both. */
  scoreChange: z.nullable(z.number()),
  scoreChangeByDecisions: z.nullable(z.number()),
  ignoredIssues: z.nullable(Count),
  runNumber: z.nullable(Count),
  endedAt: z.nullable(Instant),
  openIssues: z.nullable(ImpactCounts),
  pagesByHealth: z.nullable(HealthCounts),
})
export const ScanScoresQuery = z.object({ scanId: queryList(ScanId) })

/** Active runs, then the runs that ended last. */
export const ScanActivity = z.object({ scanId: ScanId, scanName: z.string(), run: RunSummary })
export const ScanActivityQuery = z.object({ ...pagingQuery, scanId: queryList(ScanId) })

export const ScanWithPreset = z.object({
  scanId: ScanId,
  scanName: z.string(),
  presetId: z.nullable(z.string()),
  presetName: z.nullable(z.string()),
})
export const WithPresetsQuery = z.object({ ...pagingQuery, search: searchTextQuery, presetId: queryList(z.uuid()) })
