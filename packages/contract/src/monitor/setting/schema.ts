import * as z from 'zod/mini'
import { Count } from '../../kit/count.ts'

/** The permissions page: who besides admins may create scans. */
export const SystemSettings = z.strictObject({
  allowScanMembersToCreateScans: z.boolean(),
  allowScanViewersToCreateScans: z.boolean(),
})
export type SystemSettings = z.output<typeof SystemSettings>

/** Of what a form is filled in from. Send it back on update: a change meanwhile is refused as `edit-conflict`. */
const stored = { version: Count }
/** Left out, the values are taken whatever is stored. */
const known = { version: z.optional(Count) }
export const StoredSystemSettings = z.extend(SystemSettings, stored)
export type StoredSystemSettings = z.output<typeof StoredSystemSettings>
export const SystemSettingsBody = z.extend(SystemSettings, known)
export type SystemSettingsBody = z.output<typeof SystemSettingsBody>

/** The most days and runs that a rule of the retention may name. */
export const longestKeepDays = 36_500
export const mostKeptRuns = 10_000
const days = z.int().check(z.minimum(0), z.maximum(longestKeepDays))

/** How long runs keep what they found. Days after which something is removed, counted from the end of a run; 0 keeps it. */
export const RetentionSettings = z.strictObject({
  /** Contents of pages and pictures of elements. */
  contentDays: days,
  /** Pages and issues; the counts and the score stay. */
  archiveDays: days,
  /** Whole runs. */
  deleteDays: days,
  /** Newest runs of each scan that are neither archived nor deleted. */
  keepRuns: z.int().check(z.minimum(1), z.maximum(mostKeptRuns)),
})
export type RetentionSettings = z.output<typeof RetentionSettings>
/** The least and the most that a quota can be set to. */
export const quotaRanges = {
  scans: [1, 100_000],
  runs: [1, 1000],
  tries: [1, 100],
  uploads: [1, 100_000],
  receivers: [1, 100],
  views: [1, 10_000],
} as const satisfies Record<string, readonly [least: number, most: number]>
const within = ([least, most]: readonly [number, number]) => z.int().check(z.minimum(least), z.maximum(most))

/** The quotas of each person, and how many people one scan may write to. */
export const QuotaSettings = z.strictObject({
  /** Scans that the person created. */
  scans: within(quotaRanges.scans),
  /** Runs in progress that the person started by hand. */
  runs: within(quotaRanges.runs),
  /** Previews, dry runs and checks of keystores at once. */
  tries: within(quotaRanges.tries),
  /** Uploads of results a day. */
  uploads: within(quotaRanges.uploads),
  /** E-mail addresses that one scan writes to. */
  receivers: within(quotaRanges.receivers),
  /** Views of lists that the person saved. */
  views: within(quotaRanges.views),
})
export type QuotaSettings = z.output<typeof QuotaSettings>
/** Until an administrator says otherwise. */
export const defaultQuotas: QuotaSettings = {
  scans: 1000,
  runs: 20,
  tries: 2,
  uploads: 500,
  receivers: 100,
  views: 200,
}
export const StoredQuotas = z.extend(QuotaSettings, stored)
export type StoredQuotas = z.output<typeof StoredQuotas>
export const QuotaBody = z.extend(QuotaSettings, known)
export type QuotaBody = z.output<typeof QuotaBody>

export const StoredRetention = z.extend(RetentionSettings, stored)
export type StoredRetention = z.output<typeof StoredRetention>
export const RetentionBody = z.extend(RetentionSettings, known)
export type RetentionBody = z.output<typeof RetentionBody>
