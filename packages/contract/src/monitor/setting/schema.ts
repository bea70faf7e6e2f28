import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** Permission settings: non-admins who may create scans. */
export const SystemSettings = z.strictObject({
  allowScanMembersToCreateScans: z.boolean(),
  allowScanViewersToCreateScans: z.boolean(),
})
export type SystemSettings = z.output<typeof SystemSettings>

/** Version of the form's data. Send it back on update: if it has changed since, the update fails with `edit-conflict`. */
const versionField = { version: Count }
/** Omitted: overwrites concurrent changes. */
const optionalVersionField = { version: z.optional(Count) }
export const StoredSystemSettings = z.extend(SystemSettings, versionField)
export type StoredSystemSettings = z.output<typeof StoredSystemSettings>
export const SystemSettingsBody = z.extend(SystemSettings, optionalVersionField)
export type SystemSettingsBody = z.output<typeof SystemSettingsBody>

export const maxRetentionDays = 36_500
export const maxKeptRuns = 10_000
const retentionDaysSchema = z.int().check(z.minimum(0), z.maximum(maxRetentionDays))

/** Retention of run data, in days after the end of a run; 0 keeps the data forever. */
export const RetentionSettings = z.strictObject({
  /** Contents of pages and pictures of elements. */
  contentDays: retentionDaysSchema,
  /** Pages and issues; the counts and the score stay. */
  archiveDays: retentionDaysSchema,
  /** Whole runs. */
  deleteDays: retentionDaysSchema,
  /** Newest runs of each scan that are neither archived nor deleted. */
  keepRuns: z.int().check(z.minimum(1), z.maximum(maxKeptRuns)),
})
export type RetentionSettings = z.output<typeof RetentionSettings>
export const quotaRanges = {
  scans: [1, 100_000],
  runs: [1, 1000],
  tries: [1, 100],
  uploads: [1, 100_000],
  receivers: [1, 100],
  views: [1, 10_000],
} as const satisfies Record<string, readonly [minValue: number, maxValue: number]>
const createRangeSchema = ([minValue, maxValue]: readonly [number, number]) =>
  z.int().check(z.minimum(minValue), z.maximum(maxValue))

/** Quotas per person, and the number of recipients per scan. */
export const QuotaSettings = z.strictObject({
  /** Scans that the person created. */
  scans: createRangeSchema(quotaRanges.scans),
  /** Runs in progress that the person started by hand. */
  runs: createRangeSchema(quotaRanges.runs),
  /** Concurrent previews, dry runs and keystore checks. */
  tries: createRangeSchema(quotaRanges.tries),
  /** Uploads of results a day. */
  uploads: createRangeSchema(quotaRanges.uploads),
  /** Email addresses notified by one scan. */
  receivers: createRangeSchema(quotaRanges.receivers),
  /** Saved views of lists. */
  views: createRangeSchema(quotaRanges.views),
})
export type QuotaSettings = z.output<typeof QuotaSettings>
export const defaultQuotas: QuotaSettings = { scans: 1000, runs: 20, tries: 2, uploads: 500, receivers: 100, views: 200 }
export const StoredQuotas = z.extend(QuotaSettings, versionField)
export type StoredQuotas = z.output<typeof StoredQuotas>
export const QuotaBody = z.extend(QuotaSettings, optionalVersionField)
export type QuotaBody = z.output<typeof QuotaBody>

/** The highest current use of a quota, and the person or scan that has it; null if nothing is in use. */
const HighestUse = z.nullable(z.object({ count: Count, name: z.nullable(z.string()) }))
export const QuotaUse = z.object({
  scans: HighestUse,
  runs: HighestUse,
  uploads: HighestUse,
  receivers: HighestUse,
  views: HighestUse,
})
export type QuotaUse = z.output<typeof QuotaUse>

export const StoredRetention = z.extend(RetentionSettings, versionField)
export type StoredRetention = z.output<typeof StoredRetention>
export const RetentionBody = z.extend(RetentionSettings, optionalVersionField)
export type RetentionBody = z.output<typeof RetentionBody>
